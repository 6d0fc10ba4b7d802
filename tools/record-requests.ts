import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openService } from "./demo/service";
import { findPackageRoot } from "./engine/package-root";
import { provisionEngine } from "./engine/provision";
import { createWorkspace, type OperationResult } from "./engine/workspace";
import { providerCalls, type RecordedCall } from "./grpc-log";
import { neutralText } from "./requests/neutral-text";
import { made, moved, replaced, updated } from "./requests/programs";

/**
 * Records what the engine asks this version of the plugin and what it answers, by hand and once in a version:
 * `npm run build`, then `node dist/tools/record-requests.js 0.1.0`, then `npm run format`. A recording of a release is
 * never made anew: it stands for the engines and the states that users have.
 */
async function main(version: string): Promise<void> {
  const root = findPackageRoot();
  const folder = mkdtempSync(join(tmpdir(), "management-recording-"));
  const projectDir = join(folder, "program");
  mkdirSync(projectDir);
  const plugins = { providers: [{ name: "management", path: join(root, "dist", "plugin") }] };
  const write = (resources: object): void =>
    writeFileSync(
      join(projectDir, "Pulumi.yaml"),
      JSON.stringify({ name: "shop", runtime: "yaml", plugins, resources }),
    );
  write(made);
  const engine = await provisionEngine({
    languages: ["nodejs", "yaml", "python"],
    log: (line) => console.log(line),
  });
  const service = await openService({});
  const workspace = createWorkspace({
    engine,
    projectDir,
    env: {
      MANAGEMENT_BASE_URL: service.baseUrl,
      MANAGEMENT_ACCESS_TOKEN: service.accessToken,
      XDG_STATE_HOME: join(folder, "state"),
    },
  });
  const runs: { readonly run: string; readonly calls: readonly object[] }[] = [];
  const record = async (run: string, resources: object, command: "preview" | "up"): Promise<void> => {
    write(resources);
    const log = join(folder, `${runs.length}.jsonl`);
    requireSuccess(run, await workspace[command]({ env: { PULUMI_DEBUG_GRPC: log } }));
    runs.push({ run, calls: toReplay(providerCalls(log)) });
  };
  try {
    await workspace.stackInit("test");
    await record("preview", made, "preview");
    await record("up", made, "up");
    await record("up without a change", made, "up");
    await record("preview of updates", updated, "preview");
    await record("preview of replacements", replaced, "preview");
    await record("preview of another project", moved, "preview");
    const { deployment } = await workspace.exportStack({ showSecrets: true });
    const text = neutralText(JSON.stringify({ version, runs }, undefined, 2), deployment.resources ?? []);
    for (const [what, found] of [
      ["a folder of this machine", folder],
      ["a folder of this machine", root.slice(1)],
      ["the emulator's address", new URL(service.baseUrl).host],
      ["the access token", service.accessToken],
    ] as const) {
      if (text.includes(found)) throw new Error(`The recording holds ${what}: ${found}`);
    }
    const fixtures = join(root, "test", "adapters", "fixtures");
    mkdirSync(fixtures, { recursive: true });
    writeFileSync(join(fixtures, `requests-${version}.json`), `${text}\n`);
    for (const { run, calls } of runs) console.log(`${run}: ${calls.length} requests`);
  } finally {
    await workspace.dispose();
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function requireSuccess(run: string, { exitCode, stdout, stderr }: OperationResult): void {
  if (exitCode !== 0) throw new Error(`${run} failed:\n${stdout}${stderr}`);
}

const REPLAYED = ["Check", "Diff", "Create", "Update"];

/** The requests that ask nobody else, by resource: resources are handled at the same time, in whatever order. */
function toReplay(calls: readonly RecordedCall[]): object[] {
  return calls
    .flatMap(({ method, request, response = {} }) => {
      const name = method.replace("ResourceProvider/", "");
      const isPreview = request["preview"] === true;
      if (!REPLAYED.includes(name) || ((name === "Create" || name === "Update") && !isPreview)) return [];
      return [asAlways({ method: name, request: withoutChance(request, response), response })];
    })
    .sort((one, other) => String(one.request["urn"]).localeCompare(String(other.request["urn"])));
}

interface Replayed {
  readonly method: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly response: object;
}

/** With one name wherever it is not the seed of the same request that it is made of. */
function asAlways(call: Replayed): Replayed {
  if ("randomSeed" in call.request) return call;
  // What is replaced within is text for text: the form stays.
  return JSON.parse(JSON.stringify(call).replaceAll(/"app-[\da-f]{7}"/g, '"app-0000000"')) as Replayed;
}

/** Without what differs each time and decides nothing: addresses, and a seed of which no name is made. */
function withoutChance(request: RecordedCall["request"], response: object): Record<string, unknown> {
  const isNew = Object.keys(request["olds"] ?? {}).length === 0;
  const isNamed = isNew && JSON.stringify(response).includes('"__autonamed"');
  return Object.fromEntries(
    Object.entries(request).filter(
      ([name]) => !name.startsWith("resourceStatus") && (name !== "randomSeed" || isNamed),
    ),
  );
}

const [, , version] = process.argv;
if (version === undefined) {
  console.error("Name the version that is recorded: node dist/tools/record-requests.js 0.1.0");
  process.exitCode = 1;
} else {
  void main(version);
}
