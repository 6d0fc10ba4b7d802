import { operationFinder } from "../../../tools/acceptance/find-operation";
import { OwnObjects } from "../../../tools/acceptance/own-objects";
import { literalNames } from "../../../spec/names/names";
import { acme } from "../../spec/names/acme";

const OWN = "abcdefghijklmnopqrst";
const BRANCH = "bcdefghijklmnopqrstu";
const OTHER = "zyxwvutsrqponmlkjihg";
const NAME = "acceptance-0123456789abcdef";

const find = operationFinder(literalNames);

function found(method: string, path: string): NonNullable<ReturnType<typeof find>> {
  const operation = find(method, path);
  if (operation === undefined) throw new Error(`${method} ${path} is no operation`);
  return operation;
}

function ownObjects(): OwnObjects {
  const own = new OwnObjects("acme", NAME);
  own.learn(found("POST", "/v1/projects"), { ref: OWN });
  own.learn(found("POST", `/v1/projects/${OWN}/branches`), { project_ref: BRANCH });
  return own;
}

it.each([
  ["GET", `/v1/projects/${OWN}`],
  ["DELETE", `/v1/projects/${OWN}`],
  ["PATCH", `/v1/branches/${BRANCH}`],
  ["POST", `/v1/projects/${BRANCH}/secrets`],
  ["GET", "/v1/organizations/acme/projects"],
  ["GET", "/v1/projects"],
])("lets %s %s pass", (method, path) => {
  expect(ownObjects().refusal(found(method, path), undefined)).toBeUndefined();
});

it.each([
  ["GET", `/v1/projects/${OTHER}`],
  ["DELETE", `/v1/projects/${OTHER}`],
  ["DELETE", `/v1/branches/${OTHER}`],
  ["GET", "/v1/organizations/hobby/projects"],
  ["POST", "/v1/organizations"],
  ["POST", `/v1/organizations/acme/project-claim/token`],
  ["GET", "/v1/snippets"],
])("refuses %s %s", (method, path) => {
  expect(ownObjects().refusal(found(method, path), undefined)).toEqual(expect.any(String));
});

it("lets a project be created in the organization alone", () => {
  const create = found("POST", "/v1/projects");
  expect(ownObjects().refusal(create, { organization_slug: "acme" })).toBeUndefined();
  expect(ownObjects().refusal(create, { organization_slug: "hobby" })).toBe(
    "createProject is about the organization hobby, not acme",
  );
  expect(ownObjects().refusal(create, undefined)).toBeDefined();
});

it("knows the project whose answer was lost by the name that nobody else has", () => {
  const own = new OwnObjects("acme", NAME);
  own.learn(found("GET", "/v1/organizations/acme/projects"), {
    projects: [
      { ref: OWN, name: NAME },
      { ref: OTHER, name: "acceptance-1111111111111111" },
    ],
  });
  expect([own.has(OWN), own.has(OTHER)]).toEqual([true, false]);
});

it("finds operations by the words of an installation", () => {
  const path = `/v1/projects/${OWN}/${acme.path("rest-layer")}`;
  expect(operationFinder(acme)("GET", path)?.name).toBe("getRestLayerConfig");
  expect(find("GET", "/v1/projects/available-regions")?.name).toBe("getAvailableRegions");
  expect(find("GET", "/v1/nothing")).toBeUndefined();
});
