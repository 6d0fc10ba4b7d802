import { existsSync, truncateSync } from "node:fs";
import { stateFiles } from "../../tools/engine/workspace";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { expectSuccess, HELD, outputOf, PACE, PROJECT, startStack, type Stack } from "./stack";
import { waitUntil } from "../kit/wait-until";

beforeAll(() => engineForTests(), PROVISIONING_TIMEOUT_MS);

describe("a stack on a file backend whose up was killed", () => {
  let stack: Stack;
  beforeAll(async () => {
    // The project is still settling when the kill comes.
    stack = await startStack(PROJECT, { pace: HELD });
    const up = stack.workspace.up();
    await waitUntil(
      "the project is created",
      () => stack.emulator.control.countCalls({ operation: "createProject", status: 201 }) > 0,
    );
    await stack.workspace.kill();
    await up;
    stack.emulator.control.setPace(PACE);
  });
  afterAll(() => stack.dispose());

  const pending = async (): Promise<unknown> =>
    (await stack.workspace.exportStack()).deployment.pending_operations ?? [];

  it("is locked for up and destroy until `pulumi cancel`, not for a preview", async () => {
    for (const command of ["up", "destroy"] as const) {
      const refused = await stack.workspace[command]();
      expect(refused.exitCode).toBe(1);
      expect(outputOf(refused)).toContain("the stack is currently locked by 1 lock(s)");
    }
    expectSuccess(await stack.workspace.preview());
  });

  it("cannot be read where the engine died as it wrote the state's attributes, until the empty file is removed", async () => {
    const [attributes = ""] = stateFiles(stack.workspace.backend, "test.json.attrs");
    truncateSync(attributes);
    const preview = await stack.workspace.preview();
    expect(preview.exitCode).not.toBe(0);
    expect(outputOf(preview)).toContain("failed to load checkpoint: EOF");
    await stack.workspace.cancel();
    expect(existsSync(attributes)).toBe(false);
  });

  it("goes on with the project, warns of the pending operation, and forgets that when told to", async () => {
    const [made, ...others] = stack.emulator.control.call("listProjects", {});
    expect(others).toEqual([]);
    const up = await stack.workspace.up();
    expectSuccess(up);
    expect(outputOf(up)).toContain("1 pending operations from previous deployment");
    expect(stack.emulator.control.call("listProjects", {}).map(({ ref }) => ref)).toEqual([made?.ref]);
    expect(await pending()).toHaveLength(1);

    expectSuccess(await stack.workspace.refresh({ extraArgs: ["--clear-pending-creates"] }));
    expect(await pending()).toEqual([]);
    const clean = await stack.workspace.up({ extraArgs: ["--expect-no-changes"] });
    expectSuccess(clean);
    expect(outputOf(clean)).not.toContain("pending operations");
  });
});
