import * as pulumi from "@pulumi/pulumi";
import * as management from "../../provider";
import { requireMapValues } from "../../provider/dynamic/map-inputs";
import { inClear } from "../kit/engine-values";

// A variable that is not set, as the value of a key: `secrets: { A: process.env.A }` (decision 0132).

const projectRef = "abcdefghijklmnopqrst";
const unset = process.env["A_VARIABLE_THAT_NOBODY_SETS"];

const registered: { type: string; inputs: Record<string, unknown> }[] = [];
beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource: ({ type, inputs }: { readonly type: string; readonly inputs: object }) => {
      registered.push({ type, inputs: { ...inputs } });
      return { id: "id", state: inputs };
    },
    call: () => ({}),
  });
});
beforeEach(() => void registered.splice(0));

/** The types leave no `undefined` in; programs of JavaScript, and those with `!`, do. */
const missing = unset as unknown as string;

const plain: readonly (readonly [string, string, () => pulumi.Resource])[] = [
  [
    "SecretSet",
    "secrets.A",
    () => new management.SecretSet("it", { projectRef, secrets: { A: missing, B: "b" } }),
  ],
  [
    "Branch",
    "secrets.A",
    () => new management.Branch("it", { projectRef, name: "preview", secrets: { A: missing } }),
  ],
  [
    "PreviewEnvironment",
    "secrets.A",
    () =>
      new management.PreviewEnvironment("it", {
        repository: "acme/shop",
        parentProjectRef: projectRef,
        pullRequest: 1,
        gitBranch: "feature/a",
        secrets: { A: missing },
      }),
  ],
  [
    "EdgeFunction",
    'files["index.ts"]',
    () => new management.EdgeFunction("it", { projectRef, slug: "hello", files: { "index.ts": missing } }),
  ],
  [
    "ApiKey",
    "secretJwtTemplate.claims.role",
    () =>
      new management.ApiKey("it", {
        ...{ projectRef, type: "secret" as const, name: "backend" },
        secretJwtTemplate: { claims: { role: missing } },
      }),
  ],
  [
    "SsoProvider",
    "attributeMapping.keys.email",
    () =>
      new management.SsoProvider("it", {
        ...{ projectRef, metadataUrl: "https://idp.example.com/metadata" },
        attributeMapping: { keys: { email: unset as never } },
      }),
  ],
  [
    "BranchReset",
    "triggers.commit",
    () =>
      new management.BranchReset("it", {
        projectRef,
        branchRef: projectRef,
        confirm: projectRef,
        triggers: { commit: missing },
      }),
  ],
];

it.each(plain)("of a %s is refused by its key, before anything is registered: %s", (type, path, make) => {
  expect(make).toThrow(`${type} it: \`${path}\` is undefined.`);
  expect(registered).toEqual([]);
});

it("is nothing to add where the map is not given", () => {
  const checked = requireMapValues("SecretSet it", { projectRef }, [{ at: ["secrets"] }]);
  expect(Object.keys(checked)).toEqual(["projectRef"]);
});

it("is nothing to refuse in what is an input by itself, and a map goes through as it is", async () => {
  const provider = new management.SsoProvider("it", {
    projectRef,
    metadataUrl: unset as never,
    metadataXml: "<xml/>",
    attributeMapping: { keys: { email: { name: "mail", names: unset as never } } },
  });
  await new Promise((resolve) => provider.urn.apply(resolve));
  const value = pulumi.secret("a");
  const set = new management.SecretSet("set", { projectRef, secrets: { A: value, B: "b" } });
  await new Promise((resolve) => set.urn.apply(resolve));
  expect(registered.map(({ inputs }) => inClear(inputs))).toMatchObject([
    { attributeMapping: { keys: { email: { name: "mail" } } } },
    { secrets: { A: "a", B: "b" } },
  ]);
});
