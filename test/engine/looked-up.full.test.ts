import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { expectSuccess, PROJECT, startStack, type Stack } from "./stack";

beforeAll(() => engineForTests(), PROVISIONING_TIMEOUT_MS);

let stack: Stack;
beforeAll(async () => {
  stack = await startStack(`${PROJECT}
const key = new management.ApiKey("key", { projectRef, type: "secret", name: "backend" });
const found = management.ApiKey.get("found", pulumi.interpolate\`\${projectRef}/\${key.id}\`);
new management.Secret("token", { projectRef, name: "TOKEN", value: found.apiKey });
const branch = new management.Branch("preview", { projectRef, name: "preview" });
const same = management.Branch.get("same", pulumi.interpolate\`\${projectRef}/\${branch.ref}\`);
exports.name = found.name;
exports.refs = pulumi.all([same.ref, branch.ref]).apply(([one, other]) => one === other);
`);
});
afterAll(() => stack.dispose());

it("regression: `get` of a class reads what exists, in every run and a refresh, and a destroy leaves it alone", async () => {
  const { workspace, emulator } = stack;
  expectSuccess(await workspace.up());
  expect(await workspace.outputs()).toMatchObject({ name: "backend", refs: true });
  const again = await workspace.up();
  expectSuccess(again);
  expect(again.summary.update).toBe(0);
  expectSuccess(await workspace.refresh());
  expectSuccess(await workspace.up());
  emulator.control.clearCalls();
  expectSuccess(await workspace.destroy());
  expect(emulator.control.countCalls({ operation: "deleteApiKey" })).toBe(1);
  expect(emulator.control.countCalls({ operation: "deleteBranch" })).toBe(1);
});
