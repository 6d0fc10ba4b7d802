import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { expectSuccess, HELD, outputOf, PROJECT, startStack, type Stack } from "./stack";
import { waitUntil } from "../kit/wait-until";

beforeAll(() => engineForTests(), PROVISIONING_TIMEOUT_MS);

describe("a create that fails half-way", () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await startStack(`${PROJECT}\nexports.ref = project.ref;`);
  });
  afterEach(() => stack.dispose());

  it("keeps the project in state and is resumed by the next up", async () => {
    stack.emulator.control.addFault({ operation: "getHealth", status: 403, times: 50 });
    const first = await stack.workspace.up();
    expect(first.exitCode).not.toBe(0);
    const [ref] = stack.emulator.control.call("listProjects", {}).map((project) => project.ref);
    const { deployment } = await stack.workspace.exportStack();
    const kept = deployment.resources?.find(({ type }) => type.endsWith(":Project"));
    expect(kept?.id).toBe(ref);
    expect(kept?.initErrors).toHaveLength(1);

    stack.emulator.control.clearFaults();
    expectSuccess(await stack.workspace.up());
    expect(stack.emulator.control.call("listProjects", {})).toHaveLength(1);
    expect(await stack.workspace.outputs()).toEqual({ ref });
    const third = await stack.workspace.up();
    expect(third.summary).toMatchObject({ update: 0, create: 0 });
  });

  it("resumes after a refresh in between, too", async () => {
    stack.emulator.control.addFault({ operation: "getHealth", status: 403, times: 50 });
    expect((await stack.workspace.up()).exitCode).not.toBe(0);
    stack.emulator.control.clearFaults();
    expectSuccess(await stack.workspace.refresh());
    const second = await stack.workspace.up();
    expectSuccess(second);
    expect(second.summary.update).toBe(1);
    expect(stack.emulator.control.call("listProjects", {})).toHaveLength(1);
  });

  it("fails at once with the name of a state from which nothing can come", async () => {
    stack.emulator.control.setPace(HELD);
    const up = stack.workspace.up();
    await waitUntil(
      "the project is listed",
      () => stack.emulator.control.call("listProjects", {}).length > 0,
    );
    const [ref] = stack.emulator.control.call("listProjects", {}).map((project) => project.ref);
    stack.emulator.control.set(["projects", ref ?? "", "forcedStatus"], "INIT_FAILED", { create: true });
    const result = await up;
    expect(result.exitCode).not.toBe(0);
    expect(outputOf(result)).toContain("INIT_FAILED");
  });
});
