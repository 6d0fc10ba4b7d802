import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "../../tools/engine/workspace";
import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack } from "./plugin-stack";
import { expectSuccess, HELD, outputOf, PACE, PROJECT, startStack, type Stack } from "./stack";
import { waitUntil } from "../kit/wait-until";

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

// The project is still settling when the kill comes.
const UNSETTLED = { pace: HELD };
const app = declare("Project", {
  name: "shop",
  organizationSlug: "acme",
  dbPass: "db-password-of-the-test",
  region: "eu-central-1",
});

const everything = (workspace: Workspace): Promise<void> => workspace.kill();
const engineAlone = (workspace: Workspace): Promise<void> => workspace.processes.killAlone();

describe.each([
  ["dynamic classes", () => startStack(`${PROJECT}\nexports.ref = project.ref;`, UNSETTLED)],
  ["plugin", () => startYamlStack({ resources: { app }, outputs: { ref: "${app.ref}" } }, UNSETTLED)],
] as const)(
  "an up with the %s that is killed right after the project's creation was answered",
  (_, start) => {
    let stack: Stack;
    beforeEach(async () => {
      stack = await start();
    });
    afterEach(() => stack.dispose());

    const projects = (): string[] => stack.emulator.control.call("listProjects", {}).map(({ ref }) => ref);

    async function killAfterCreate(kill: (workspace: Workspace) => Promise<void>): Promise<string> {
      const up = stack.workspace.up();
      await waitUntil(
        "the project is created",
        () => stack.emulator.control.countCalls({ operation: "createProject", status: 201 }) > 0,
      );
      await kill(stack.workspace);
      await up;
      const [ref, ...others] = projects();
      expect(others).toEqual([]);
      stack.emulator.control.setPace(PACE);
      return ref ?? "";
    }

    it.each([
      ["the engine with everything below it", everything],
      ["the engine alone, whose provider goes on", engineAlone],
    ])(
      "is taken up again by the next up when what was killed is %s: one project, not two",
      async (_what, kill) => {
        const ref = await killAfterCreate(kill);
        await stack.workspace.cancel();
        expectSuccess(await stack.workspace.up());
        expect(projects()).toEqual([ref]);
        expect(await stack.workspace.outputs()).toMatchObject({ ref });
      },
    );

    it("is refused by the next up where nothing proves whose project it is, with the ref and the line to add", async () => {
      const ref = await killAfterCreate(everything);
      rmSync(join(stack.workspace.env["XDG_STATE_HOME"] ?? "", "pulumi-management"), { recursive: true });
      await stack.workspace.cancel();
      const result = await stack.workspace.up();
      expect(result.exitCode).not.toBe(0);
      expect(outputOf(result)).toContain(`adoptId: "${ref}"`);
      expect(projects()).toEqual([ref]);
    });
  },
);
