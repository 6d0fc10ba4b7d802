import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack } from "./plugin-stack";
import { expectSuccess, PROJECT, startStack } from "./stack";

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

/** Fails unless a row told progress while its step ran, and every finished row stands without a word. */
function expectQuietWhenDone(output: string, done: string): void {
  expect(output).toMatch(/ing \(\d+s\) .*waiting for the project/);
  const finished = output.match(new RegExp(`^.* ${done} \\(.*$`, "gm")) ?? [];
  expect(finished.length).toBeGreaterThan(0);
  for (const row of finished) expect(row).toMatch(/ \([\d.]+s\) *$/);
}

it("a row of the plugin's tells what is waited for, and nothing once it is done", async () => {
  const properties = { name: "shop", organizationSlug: "acme", dbPass: "pass-word", region: "eu-central-1" };
  const stack = await startYamlStack({ resources: { app: declare("Project", properties) } });
  try {
    const made = await stack.workspace.up();
    expectSuccess(made);
    expectQuietWhenDone(made.stdout, "created");
    const removed = await stack.workspace.destroy();
    expectSuccess(removed);
    expectQuietWhenDone(removed.stdout, "deleted");
  } finally {
    await stack.dispose();
  }
}, 200_000);

it("so does the stack's row, on which dynamic providers tell it", async () => {
  const stack = await startStack(PROJECT);
  try {
    const made = await stack.workspace.up();
    expectSuccess(made);
    expectQuietWhenDone(made.stdout, "created");
  } finally {
    await stack.dispose();
  }
}, 200_000);
