import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openService } from "./demo/service";
import { findPackageRoot } from "./engine/package-root";
import { provisionEngine } from "./engine/provision";
import { createWorkspace } from "./engine/workspace";
import { writeProgram } from "./engine/write-program";

/**
 * Records the state that this version of the package leaves behind, by hand and once in a version:
 * `node dist/tools/record-state.js 0.1.0` runs `test/engine/fixtures/program-0.1.0.js` and writes `state-0.1.0.json`
 * beside it; `npm run format` then. A recorded state is never made anew: it stands for the stacks that users have.
 */
async function main(version: string): Promise<void> {
  const fixtures = join(findPackageRoot(), "test", "engine", "fixtures");
  const source = readFileSync(join(fixtures, `program-${version}.js`), "utf8");
  const engine = await provisionEngine({ log: (line) => console.log(line) });
  const service = await openService({});
  const folder = mkdtempSync(join(tmpdir(), "management-recording-"));
  const workspace = createWorkspace({
    engine,
    projectDir: writeProgram(join(folder, "program"), source, { name: "shop" }),
    env: {
      MANAGEMENT_BASE_URL: service.baseUrl,
      MANAGEMENT_ACCESS_TOKEN: service.accessToken,
      XDG_STATE_HOME: join(folder, "state"),
    },
  });
  try {
    await workspace.stackInit("test");
    const up = await workspace.up();
    if (up.exitCode !== 0) throw new Error(`The program failed:\n${up.stdout}${up.stderr}`);
    const exported = await workspace.exportStack();
    // Where in whose files a resource was declared: no matter here, and of this machine.
    for (const resource of exported.deployment.resources ?? []) {
      for (const name of ["sourcePosition", "stackTrace"]) Reflect.deleteProperty(resource, name);
    }
    const state = `${JSON.stringify(exported, undefined, 2)}\n`;
    for (const [what, text] of [
      ["a folder of this machine", folder],
      ["a folder of this machine", findPackageRoot().slice(1)],
      ["the emulator's address", new URL(service.baseUrl).host],
      ["the access token", service.accessToken],
    ] as const) {
      if (state.includes(text)) throw new Error(`The state holds ${what}: ${text}`);
    }
    writeFileSync(join(fixtures, `state-${version}.json`), state);
    console.log(`Recorded ${up.summary.create} resources.`);
  } finally {
    await workspace.dispose();
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const [, , version] = process.argv;
if (version === undefined) {
  console.error("Name the version that is recorded: node dist/tools/record-state.js 0.1.0");
  process.exitCode = 1;
} else {
  void main(version);
}
