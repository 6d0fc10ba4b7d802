import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { findPackageRoot } from "../../tools/engine/package-root";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { expectSuccess, outputOf, startStack, type Stack } from "./stack";

const root = findPackageRoot();
beforeAll(() => engineForTests(), PROVISIONING_TIMEOUT_MS);

const PROGRAM = `
const management = require("NAME");
new management.Project("app", {
  name: "shop", organizationSlug: "acme", dbPass: "db-password-of-the-test", region: "eu-central-1",
});
`;
const programOf = (name: string): string => PROGRAM.replace("NAME", name);

/** Packages by their places below the program's folder, beside Pulumi's own. */
function install(stack: Stack, packages: readonly string[]): void {
  const modules = join(stack.projectDir, "node_modules");
  rmSync(modules, { recursive: true, force: true });
  mkdirSync(modules, { recursive: true });
  symlinkSync(join(root, "node_modules", "@pulumi"), join(modules, "@pulumi"), "junction");
  for (const place of packages) {
    mkdirSync(join(modules, place, ".."), { recursive: true });
    symlinkSync(root, join(modules, place), "junction");
  }
}

const writeProgram = (stack: Stack, source: string): void =>
  writeFileSync(join(stack.projectDir, "index.js"), source);

/** Each leaves the program without a package of the name in its own folder. */
const cases: readonly (readonly [string, (stack: Stack) => Promise<void> | void])[] = [
  [
    "is a dependency of a library alone",
    (stack) => {
      install(stack, ["components/node_modules/pulumi-management"]);
      const library = join(stack.projectDir, "node_modules", "components", "index.js");
      writeFileSync(library, 'module.exports = require("pulumi-management");');
      writeProgram(stack, programOf("components"));
    },
  ],
  [
    "has another name by an alias",
    (stack) => {
      install(stack, ["management-alias"]);
      writeProgram(stack, programOf("management-alias"));
    },
  ],
  [
    "is bundled with the program",
    async (stack) => {
      install(stack, []);
      const contents = programOf(join(root, "dist/provider/index.js"));
      const stdin = { contents, resolveDir: stack.projectDir };
      const outfile = join(stack.projectDir, "index.js");
      await build({
        stdin,
        outfile,
        bundle: true,
        platform: "node",
        external: ["@pulumi/*"],
        logLevel: "error",
      });
    },
  ],
];

it.each(cases)("says what to add where the package %s, and goes on with it there", async (_what, prepare) => {
  const stack = await startStack("");
  try {
    await prepare(stack);
    const refused = await stack.workspace.up();
    expect(refused.exitCode).not.toBe(0);
    expect(outputOf(refused)).toMatch(
      /Cannot find module 'pulumi-management\/dynamic' from the program's folder .*Add pulumi-management under this name to the program's own package\.json/s,
    );
    symlinkSync(root, join(stack.projectDir, "node_modules", "pulumi-management"), "junction");
    expectSuccess(await stack.workspace.up());
  } finally {
    await stack.dispose();
  }
});
