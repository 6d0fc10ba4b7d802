import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulated, type Stack } from "../../tools/engine/emulated-program";
import { findPackageRoot } from "../../tools/engine/package-root";
import { writeProgram } from "../../tools/engine/write-program";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { LANGUAGES } from "./example";
import { startYamlStack } from "./plugin-stack";
import { expectSuccess } from "./stack";

/** The program of the page that a registry shows, as it stands there. */
function shownIn(language: string): string {
  const page = readFileSync(join(findPackageRoot(), "docs/_index.md"), "utf8");
  const [, text] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "ms").exec(page) ?? [];
  if (text === undefined) throw new Error(`docs/_index.md has no program in ${language}.`);
  return text;
}

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

async function expectToRun(stack: Stack): Promise<void> {
  const { workspace, emulator } = stack;
  try {
    await workspace.config("dbPass", "db-password-of-the-test", { secret: true });
    await workspace.config("paymentToken", "a-token", { secret: true });
    expectSuccess(await workspace.up());
    const [project] = emulator.control.call("listProjects", {});
    expect(await workspace.outputs()).toMatchObject({ projectRef: project?.ref });
    expectSuccess(await workspace.destroy());
  } finally {
    await stack.dispose();
  }
}

test("the first program runs in TypeScript", async () => {
  const program = shownIn("typescript");
  await expectToRun(
    await startEmulated((folder) => writeProgram(folder, program, { name: "shop", typescript: true }), {
      engine: await engineForTests(LANGUAGES),
    }),
  );
});

test("the first program runs in YAML", async () => {
  await expectToRun(await startYamlStack(shownIn("yaml").replace(/^name: .*\nruntime: .*\n/, "")));
});
