import { createHash } from "node:crypto";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { extract } from "tar";
import { median, timeToPort } from "../../bench/cold-start";
import { findPackageRoot } from "../engine/package-root";
import { provisionEngine } from "../engine/provision";
import { runProcess } from "../engine/run-process";
import { VERSION } from "../../provider/core/version.generated";
import { PLUGIN_NAME, publishedSchema } from "../build-plugin";
import { runMain } from "../run-main";
import { examples } from "../schema/examples/examples.generated";
import { registrySchema } from "../schema/registry-schema";
import { completeBill, emulatorBill, packageBill, pluginBill } from "./bill-of-materials";
import { sdkBill } from "./sdk-bill";
import { writePluginArchive } from "./plugin-archive";
import { SDK_NAME, writeSdks, type ReleasedSdk } from "./sdks";

/** Starts of each form of the plugin, in turns. */
const STARTS = 11;

/** Writes everything that a release uploads into `dist/release`, and uploads nothing. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      complete: { type: "boolean", default: false },
      archives: { type: "string" },
    },
  });
  if (values.only !== undefined && values.only !== "plugin")
    throw new Error(`--only ${values.only} is unknown; there is --only plugin, for the other systems.`);
  const root = findPackageRoot();
  const folder = join(root, "dist", "release");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });

  const sdks: ReleasedSdk[] = [];
  const others = values.archives === undefined ? [] : addArchives(values.archives, folder);
  const plugin = await writePluginArchive(folder, VERSION);
  if (values.only === undefined) {
    await packPackages(root, folder);
    const schemaFile = join(folder, "schema.json");
    writeJson(schemaFile, registrySchema(publishedSchema(root), examples));
    const workFolder = join(root, "dist", "sdk");
    const engine = await provisionEngine({ log: (line) => console.log(line) });
    sdks.push(...(await writeSdks({ folder, workFolder, schemaFile, version: VERSION, engine })));
    rmSync(workFolder, { recursive: true, force: true });
    const complete = await completeBill(root);
    writeJson(
      join(folder, `pulumi-management-${VERSION}.cdx.json`),
      packageBill(complete, root, plugin.sources),
    );
    writeJson(join(folder, `management-emulator-${VERSION}.cdx.json`), emulatorBill(complete, root));
    writeJson(
      join(folder, `${PLUGIN_NAME}-v${VERSION}.cdx.json`),
      pluginBill(complete, root, plugin.sources),
    );
    writeJson(
      join(folder, `${SDK_NAME}-v${VERSION}.cdx.json`),
      sdkBill(sdks, { version: VERSION, checksum: (file) => sha256(join(folder, file)) }),
    );
    const outcomes = outcomesOf(sdks, others);
    const rows = readdirSync(folder).map((name) => `| ${name} | ${outcomes.get(name) ?? ""} |`);
    const lines = ["| File | |", "| --- | --- |", ...rows.toSorted(), "", ...missingSdks(sdks)];
    writeFileSync(join(folder, "FILES.md"), `${lines.join("\n")}\n`);
  }
  const files = readdirSync(folder).toSorted();
  const sums = files.map((name) => `${sha256(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));

  console.log(`${folder}:`);
  const outcomes = outcomesOf(sdks, others);
  for (const name of [...files, "SHA256SUMS"]) {
    const outcome = outcomes.get(name);
    const note = outcome === undefined ? "" : `  (${outcome})`;
    console.log(`  ${megabytes(statSync(join(folder, name)).size)}  ${name}${note}`);
  }
  for (const line of missingSdks(sdks)) console.log(line);
  await printColdStart(join(folder, plugin.name), join(root, "dist", "plugin", PLUGIN_NAME));
  const lacking = sdks.filter(({ isCompiled }) => !isCompiled).map(({ language }) => language);
  if (!values.complete || lacking.length === 0) return 0;
  console.error(`--complete wants every SDK compiled, which was not done for: ${lacking.join(", ")}.`);
  return 1;
}

/** Takes over the archives that other systems made; answers with their names. */
function addArchives(from: string, folder: string): string[] {
  const names = readdirSync(from).filter((name) => name.startsWith(PLUGIN_NAME) && name.endsWith(".tar.gz"));
  for (const name of names) copyFileSync(join(from, name), join(folder, name));
  return names;
}

/** A line for each language that has no SDK. */
function missingSdks(sdks: readonly ReleasedSdk[]): string[] {
  return sdks.flatMap(({ language, files, outcome }) =>
    files.length === 0 ? [`${language} SDK ${outcome}.`] : [],
  );
}

/** What is to be known of a file before it is used. */
function outcomesOf(sdks: readonly ReleasedSdk[], others: readonly string[]): Map<string, string> {
  return new Map([
    ...others.map((name) => [name, "not tried"] as const),
    ...sdks.flatMap(({ files, outcome }) => files.map((name) => [name, outcome] as const)),
  ]);
}

/** Both npm packages, of the build that is in `dist`. */
async function packPackages(root: string, folder: string): Promise<void> {
  const { exitCode, lastLines } = await runProcess(
    "npm",
    [
      ...["pack", "--workspaces", "--include-workspace-root"],
      ...["--ignore-scripts", "--pack-destination", folder],
    ],
    { cwd: root, timeoutMs: 5 * 60_000 },
  );
  if (exitCode !== 0) throw new Error(`npm pack ended with code ${exitCode}:\n${lastLines.join("\n")}`);
}

function writeJson(file: string, content: unknown): void {
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`);
}

function sha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1).padStart(6)} MB`;
}

/** Starts the plugin of the archive as the engine would, and the one of the npm package with the Node.js that runs this. */
async function printColdStart(archive: string, nodeFile: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "management-release-"));
  try {
    await extract({ file: archive, cwd: folder });
    const command = join(folder, process.platform === "win32" ? `${PLUGIN_NAME}.cmd` : PLUGIN_NAME);
    const times: { archiveMs: number; packageMs: number }[] = [];
    for (let pair = 0; pair < STARTS; pair += 1) {
      const archiveMs = await timeToPort(command);
      times.push({ archiveMs, packageMs: await timeToPort(process.execPath, nodeFile) });
    }
    const [archiveMs, packageMs] = (["archiveMs", "packageMs"] as const).map((form) =>
      median(times.map((each) => each[form])).toFixed(0),
    );
    console.log(
      `Cold start, median of ${STARTS}: ${archiveMs} ms from the archive, ${packageMs} ms from the npm package.`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

runMain(main);
