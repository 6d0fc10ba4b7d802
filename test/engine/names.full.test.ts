import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ACME_FILE } from "../spec/names/acme";
import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack } from "./plugin-stack";
import { expectSuccess, outputOf, PRELUDE, startStack, type Stack } from "./stack";

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

const PROJECT = {
  name: "shop",
  organizationSlug: "acme",
  dbPass: "db-password-of-the-test",
  region: "eu-central-1",
  // The emulator knows this service by another word.
  waitForServices: ["db", "legacy_pooler"],
};

/** `management:names` beside the program, and a stack's whole life with it. */
async function live(stack: Stack): Promise<void> {
  const { workspace, emulator, projectDir } = stack;
  try {
    copyFileSync(ACME_FILE, join(projectDir, "names.json"));
    await workspace.config("management:names", "names.json");
    expectSuccess(await workspace.up());
    const { deployment } = await workspace.exportStack();
    const state = JSON.stringify(deployment);
    expect(state).toContain("legacy_pooler");
    expect(state).not.toContain("acme_bouncer");
    expectSuccess(await workspace.refresh());
    const again = await workspace.up();
    expectSuccess(again);
    expect(again.summary).toMatchObject({ create: 0, update: 0, replace: 0, delete: 0 });
    expectSuccess(await workspace.destroy());
    expect(emulator.control.call("listProjects", {})).toEqual([]);
  } finally {
    await stack.dispose();
  }
}

it("the dynamic classes speak an installation's words, and keep the placeholders in state", async () => {
  const source = `${PRELUDE}\nnew management.Project("app", ${JSON.stringify(PROJECT)});\n`;
  await live(await startStack(source, { names: ACME_FILE }));
});

it("the plugin speaks an installation's words, and keeps the placeholders in state", async () => {
  await live(await startYamlStack({ resources: { app: declare("Project", PROJECT) } }, { names: ACME_FILE }));
});

it("a file with a fault stops the preview, with the fault's line", async () => {
  const stack = await startYamlStack({ resources: { app: declare("Project", PROJECT) } });
  try {
    writeFileSync(join(stack.projectDir, "names.json"), '{\n  "paths": {\n    "rest-layr": "x"\n  }\n}\n');
    await stack.workspace.config("management:names", "names.json");
    const preview = await stack.workspace.preview();
    expect(preview.exitCode).not.toBe(0);
    expect(outputOf(preview)).toMatch(/names\.json is refused:\s+line 3: "rest-layr" is no/);
  } finally {
    await stack.dispose();
  }
});
