import { setTimeout } from "node:timers/promises";
import { PROVISIONING_TIMEOUT_MS } from "./harness";
import { expectSuccess, PROJECT, startStack, type Stack } from "./stack";

const program = `${PROJECT}
for (let i = 0; i < 100; i += 1) {
  new management.Secret("secret-" + i, { projectRef, name: "SECRET_" + i, value: "value number " + i });
}
for (let i = 0; i < 60; i += 1) {
  new management.EdgeFunction("function-" + i, { projectRef, slug: "function-" + i, files: { "index.ts": "Deno.serve(() => " + i + ");" } });
}
for (let i = 0; i < 40; i += 1) {
  new management.ApiKey("key-" + i, { projectRef, type: "publishable", name: "key_number_" + i });
}
`;

describe("a stack of 201 resources", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack(program);
  }, PROVISIONING_TIMEOUT_MS);
  afterAll(() => stack.dispose());

  const calls = (operation?: Parameters<Stack["emulator"]["control"]["countCalls"]>[0]): number =>
    stack.emulator.control.countCalls(operation);

  /** A new process does not know what those before it have used of the window: its first call may be refused. */
  async function windowOfItsOwn(): Promise<void> {
    const { emulator } = stack;
    const [ref = ""] = emulator.control.call("listProjects", {}).map((project) => project.ref);
    const { headers } = await fetch(`${emulator.url}/v1/projects/${ref}/secrets`, {
      headers: { authorization: `Bearer ${emulator.accessToken}` },
    });
    await setTimeout((Number(headers.get("x-ratelimit-reset")) + 1) * 1_000);
    emulator.control.clearCalls();
  }

  it("is created in bulk where the API takes bulks, without one 429", async () => {
    expectSuccess(await stack.workspace.up({ parallel: 128 }));
    expect(calls({ status: 429 })).toBe(0);
    expect(calls({ operation: "createProject" })).toBe(1);
    // 100 secrets: one call for each wave of the engine's parallelism, and more where a busy machine starts steps slowly.
    expect(calls({ operation: "createSecrets" })).toBeLessThanOrEqual(10);
    // Each looks at a listing younger than its own start: one for each wave as well.
    expect(calls({ operation: "listSecrets" })).toBeLessThanOrEqual(10);
    expect(calls({ operation: "deployFunction" })).toBe(60);
  }, 240_000);

  it("is unchanged by a second up, which makes no call", async () => {
    stack.emulator.control.clearCalls();
    const result = await stack.workspace.up({ parallel: 128 });
    expectSuccess(result);
    expect(result.summary).toMatchObject({ create: 0, update: 0, delete: 0, replace: 0, same: 202 });
    expect(calls()).toBe(0);
  }, 120_000);

  it("is refreshed in parallel with one call per collection and one for the project", async () => {
    await windowOfItsOwn();
    const result = await stack.workspace.refresh({ parallel: 200 });
    expectSuccess(result);
    expect(result.summary).toMatchObject({ update: 0, delete: 0 });
    const made = stack.emulator.control.calls().map(({ operation }) => operation);
    expect([...made].sort()).toEqual(["getProject", "listApiKeys", "listFunctions", "listSecrets"]);
  }, 180_000);

  it("is destroyed within the rate limits", async () => {
    await windowOfItsOwn();
    expectSuccess(await stack.workspace.destroy({ parallel: 128 }));
    expect(calls({ status: 429 })).toBe(0);
    // Deletes of functions and keys end one by one, so the waves of secrets are smaller.
    expect(calls({ operation: "deleteSecrets" })).toBeLessThanOrEqual(6);
    expect(stack.emulator.control.call("listProjects", {})).toEqual([]);
  }, 240_000);
});
