import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { expectSuccess, PRELUDE, startStack, type Stack } from "./stack";

const program = `${PRELUDE}
const project = new management.Project("app", {
  name: process.env.NAME ?? "shop", organizationSlug: "acme", dbPass: "db-password-of-the-test", region: process.env.REGION ?? "eu-central-1",
  deletionProtection: false,
});
const preview = new management.Branch("preview", { projectRef: project.ref, name: "preview", persistent: true, gitBranch: process.env.GIT_BRANCH ?? "a" });
new management.Secret("token", { projectRef: preview.ref, name: "TOKEN", value: "value-of-the-token" });
new management.ApiKey("key", { projectRef: project.ref, type: process.env.KEY_TYPE ?? "secret", name: "backend" });
exports.ref = project.ref;
exports.branchRef = preview.ref;
`;

beforeAll(() => engineForTests(), PROVISIONING_TIMEOUT_MS);

describe("changes", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack(program);
    expectSuccess(await stack.workspace.up());
  });
  afterAll(() => stack.dispose());

  const projects = (): { ref: string; region: string }[] =>
    stack.emulator.control.call("listProjects", {}).map(({ ref, region }) => ({ ref, region }));

  it("in place are previewed for the resource alone, not for what belongs to it", async () => {
    const preview = await stack.workspace.preview({ env: { NAME: "store", GIT_BRANCH: "b" } });
    expectSuccess(preview);
    expect(preview.summary).toMatchObject({ update: 2, replace: 0, delete: 0, create: 0, same: 3 });
  });

  it("of what is fixed at creation replace, deleting first where the name stays", async () => {
    const before = stack.emulator.control.calls().length;
    const result = await stack.workspace.up({ env: { KEY_TYPE: "publishable" } });
    expectSuccess(result);
    expect(result.summary.replace).toBe(1);
    const writes = stack.emulator.control
      .calls()
      .slice(before)
      .map(({ operation }) => operation)
      .filter((operation) => operation === "createApiKey" || operation === "deleteApiKey");
    expect(writes).toEqual(["deleteApiKey", "createApiKey"]);
  });

  it("of the region replace the project and all that belongs to it, by the project's own word, and leave nothing behind", async () => {
    const [before] = projects();
    const env = { KEY_TYPE: "publishable", REGION: "us-east-1" };
    const result = await stack.workspace.up({ env });
    expectSuccess(result);
    expect(result.summary.replace).toBe(4);
    const [after, ...others] = projects();
    expect(others).toEqual([]);
    expect(after?.region).toBe("us-east-1");
    expect(after?.ref).not.toBe(before?.ref);
    expect(await stack.workspace.outputs()).toMatchObject({ ref: after?.ref });
    const again = await stack.workspace.up({ env });
    expect(again.summary).toMatchObject({ same: 5, update: 0, replace: 0 });
  });
});
