import { PROVISIONING_TIMEOUT_MS } from "./harness";
import { expectSuccess, PROJECT, startStack, type Stack } from "./stack";

const SECRETS = 100;
/** The rate limit's (service, Limits). */
const WINDOW_MS = 60_000;

const program = `${PROJECT}
for (let i = 0; i < ${SECRETS}; i += 1) {
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
  function beginWindow(): void {
    stack.emulator.control.advance(WINDOW_MS);
    stack.emulator.control.clearCalls();
  }

  /** The calls for secrets, none of which is refused, in the order in which they arrived. */
  function callsForSecrets(): string[] {
    const made = stack.emulator.control.calls({ pathContains: "/secrets" });
    expect(made.filter(({ status }) => status >= 400)).toEqual([]);
    return made.map(({ operation = "none" }) => operation);
  }

  it("is created in bulk where the API takes bulks, without one 429", async () => {
    expectSuccess(await stack.workspace.up({ parallel: 128 }));
    expect(calls({ status: 429 })).toBe(0);
    expect(calls({ operation: "createProject" })).toBe(1);
    expect(calls({ operation: "deployFunction" })).toBe(60);
    expect(calls({ operation: "createApiKey" })).toBe(40);
    // How many bulks they are follows from when the engine starts its steps: test/lifecycle/bulks-of-a-run.test.ts.
    const [first, ...others] = callsForSecrets();
    expect(first).toBe("listSecrets");
    for (const operation of ["listSecrets", "createSecrets"])
      expect(others.filter((one) => one === operation).length).toBeLessThan(SECRETS - 1);
    const [ref = ""] = stack.emulator.control.call("listProjects", {}).map((project) => project.ref);
    const stored = stack.emulator.world.state.projects.get(ref)?.secrets ?? new Map<string, never>();
    expect([...stored].map(([name, { value }]) => [name, value]).sort()).toEqual(
      Array.from({ length: SECRETS }, (_, i) => [`SECRET_${i}`, `value number ${i}`]).sort(),
    );
  });

  it("is unchanged by a second up, which makes no call", async () => {
    stack.emulator.control.clearCalls();
    const result = await stack.workspace.up({ parallel: 128 });
    expectSuccess(result);
    expect(result.summary).toMatchObject({ create: 0, update: 0, delete: 0, replace: 0, same: 202 });
    expect(calls()).toBe(0);
  });

  it("is refreshed in parallel with one call per collection and one for the project", async () => {
    beginWindow();
    const result = await stack.workspace.refresh({ parallel: 200 });
    expectSuccess(result);
    expect(result.summary).toMatchObject({ update: 0, delete: 0 });
    const made = stack.emulator.control.calls().map(({ operation }) => operation);
    expect([...made].sort()).toEqual(["getProject", "listApiKeys", "listFunctions", "listSecrets"]);
  });

  it("is destroyed within the rate limits", async () => {
    beginWindow();
    expectSuccess(await stack.workspace.destroy({ parallel: 128 }));
    expect(calls({ status: 429 })).toBe(0);
    expect(callsForSecrets().length).toBeLessThan(SECRETS);
    expect(stack.emulator.control.call("listProjects", {})).toEqual([]);
  });
});
