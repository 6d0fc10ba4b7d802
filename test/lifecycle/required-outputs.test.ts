import { apiKey } from "../../provider/resources/auth/api-key/api-key";
import { branch } from "../../provider/resources/branches/branch/branch";
import { edgeFunction } from "../../provider/resources/functions/edge-function/edge-function";
import { project } from "../../provider/resources/projects/project/project";
import type { OperationName } from "../../spec/table";
import { startScenario, type Scenario } from "../kit/scenario";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

type Send = (...given: unknown[]) => Promise<unknown>;

/** Takes fields out of the service's answers, wherever in them they are: as a token that may not read them gets them. */
function hide(fields: Partial<Record<OperationName, readonly string[]>>): void {
  const client = scenario.client;
  const hiding = new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      const hidden = fields[name as OperationName];
      if (hidden === undefined) return member.bind(target) as unknown;
      return async (...given: unknown[]) => without(await (member as Send).apply(target, given), hidden);
    },
  });
  scenario.runtime.client = () => hiding;
}

function without(answer: unknown, hidden: readonly string[]): unknown {
  if (Array.isArray(answer)) return answer.map((each) => without(each, hidden));
  if (typeof answer !== "object" || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer).flatMap(([name, value]) =>
      hidden.includes(name) ? [] : [[name, without(value, hidden)]],
    ),
  );
}

const key = () => ({ projectRef, type: "secret", name: "backend" });

it("regression: a key whose create answers without its value has the one that the listing shows", async () => {
  hide({ createApiKey: ["api_key", "hash"] });
  const { state } = await scenario.manage(apiKey).create(key());
  const [made] = scenario.emulator.control.call("listApiKeys", { ref: projectRef, reveal: true }).slice(-1);
  expect(state["apiKey"]).toBe(made?.api_key);
  expect(state["hash"]).toHaveLength(43);
  expect(scenario.warnings).toEqual([]);
});

it("a create warns of an output that the token may not read, and a refresh goes on without it", async () => {
  hide({ createApiKey: ["api_key"], listApiKeys: ["api_key"] });
  const keys = scenario.manage(apiKey);
  const made = await keys.create(key());
  expect(made.state).not.toHaveProperty("apiKey");
  expect(scenario.warnings).toEqual([expect.stringMatching(/does not return `apiKey`.*`pulumi refresh`/)]);
  scenario.nextRun();
  hide({ listApiKeys: ["api_key", "hash"] });
  const read = await keys.read(made);
  expect(keys.diff(read?.state ?? {}, key()).changes).toBe(false);
  expect(scenario.warnings).toHaveLength(1);
});

it("a create names a missing field within an output by its path", async () => {
  hide({ getProject: ["postgres_engine"] });
  await scenario.manage(project).create({
    name: "shop",
    organizationSlug: "acme",
    dbPass: "a-long-password",
    region: "eu-central-1",
  });
  expect(scenario.warnings).toEqual([expect.stringContaining("does not return `database.postgresEngine`")]);
});

it("a create names every output that a branch's hidden password leaves without a value", async () => {
  hide({ getBranchConfig: ["db_pass"] });
  const { state } = await scenario.manage(branch).create({ projectRef, name: "preview" });
  expect(state["host"]).toEqual(expect.any(String));
  expect(scenario.warnings).toEqual([expect.stringContaining("`password`, `connectionString`")]);
});

it("regression: a branch is settled once its own connection is there", async () => {
  // Longer than a create looks at the branch for another reason.
  const late = { operation: "getBranchConfig", status: 404, message: "Not Found", times: 4 } as const;
  scenario.emulator.control.addFault(late);
  const { state } = await scenario.manage(branch).create({ projectRef, name: "preview" });
  expect(state).toMatchObject({ host: expect.any(String) as string, port: 5_432 });
  expect(scenario.warnings).toEqual([]);
});

it("regression: a function whose deploy answers without a time has the one that the listing shows", async () => {
  hide({ deployFunction: ["updated_at", "id"] });
  const files = { "index.ts": 'Deno.serve(() => new Response("hi"));' };
  const { state } = await scenario.manage(edgeFunction).create({ projectRef, slug: "orders", files });
  expect(state).toMatchObject({
    functionId: expect.any(String) as string,
    updatedAt: expect.stringMatching(/^\d{4}-/) as string,
  });
  expect(scenario.warnings).toEqual([]);
});
