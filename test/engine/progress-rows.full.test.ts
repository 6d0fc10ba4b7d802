import type { OperationResult } from "../../tools/engine/workspace";
import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack } from "./plugin-stack";
import { expectSuccess, HELD, PACE, PROJECT, settleProjects, startStack, type Stack } from "./stack";

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

const WAITING = /ing \(\d+s\) .*waiting for (?:the removal of )?the project/;

/** Runs a step that settles once a row has told that it is waited for. */
async function runTold(
  { emulator: { control }, workspace }: Stack,
  step: "up" | "destroy",
): Promise<OperationResult> {
  control.setPace(HELD);
  return workspace[step]({
    onLine: (line) => {
      if (WAITING.test(line)) control.setPace(PACE);
    },
  });
}

/** Fails unless a row told progress while its step ran, and every finished row stands without a word. */
function expectQuietWhenDone(output: string, done: string): void {
  expect(output).toMatch(WAITING);
  const finished = output.match(new RegExp(`^.* ${done} \\(.*$`, "gm")) ?? [];
  expect(finished.length).toBeGreaterThan(0);
  for (const row of finished) expect(row).toMatch(/ \([\d.]+s\) *$/);
}

it("a row of the plugin's tells what is waited for, and nothing once it is done", async () => {
  const properties = { name: "shop", organizationSlug: "acme", dbPass: "pass-word", region: "eu-central-1" };
  const stack = await startYamlStack({ resources: { app: declare("Project", properties) } });
  try {
    const made = await runTold(stack, "up");
    expectSuccess(made);
    expectQuietWhenDone(made.stdout, "created");
    settleProjects(stack.emulator);
    const removed = await runTold(stack, "destroy");
    expectSuccess(removed);
    expectQuietWhenDone(removed.stdout, "deleted");
  } finally {
    await stack.dispose();
  }
});

it("so does the stack's row, on which dynamic providers tell it", async () => {
  const stack = await startStack(PROJECT);
  try {
    const made = await runTold(stack, "up");
    expectSuccess(made);
    expectQuietWhenDone(made.stdout, "created");
  } finally {
    await stack.dispose();
  }
});
