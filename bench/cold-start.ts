import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { findPackageRoot } from "../tools/engine/package-root";

/** A gRPC server that serves nothing, bundled as the plugin is: less than this no plugin in Node.js can need. */
const EMPTY_SERVER = `
import { Server, ServerCredentials } from "@grpc/grpc-js";
new Server().bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (_error, port) => console.log(port));
`;

export interface ColdStart {
  readonly pluginMs: number;
  readonly emptyMs: number;
  /** Of the pairs, not of the medians: a busy moment hits both of a pair. */
  readonly ratio: number;
}

/** The time from the start of the process to the line with its port, in turns with an empty gRPC server. */
export async function measureColdStart(pairs: number): Promise<ColdStart> {
  const folder = mkdtempSync(join(tmpdir(), "management-cold-start-"));
  try {
    const empty = join(folder, "empty-server");
    await build({
      stdin: { contents: EMPTY_SERVER, resolveDir: findPackageRoot(), loader: "ts" },
      outfile: empty,
      bundle: true,
      platform: "node",
      format: "cjs",
      minifyWhitespace: true,
      minifySyntax: true,
      banner: { js: "#!/usr/bin/env node" },
    });
    chmodSync(empty, 0o755);
    const plugin = join(findPackageRoot(), "dist", "plugin", "pulumi-resource-management");
    const times: { pluginMs: number; emptyMs: number }[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      times.push({ emptyMs: await startOf(empty), pluginMs: await startOf(plugin) });
    }
    return {
      pluginMs: median(times.map(({ pluginMs }) => pluginMs)),
      emptyMs: median(times.map(({ emptyMs }) => emptyMs)),
      ratio: median(times.map(({ pluginMs, emptyMs }) => pluginMs / emptyMs)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startOf(program: string): Promise<number> {
  const began = performance.now();
  // Both are started by the Node.js that runs this, whatever is first on PATH.
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, "line")) as [string];
  const elapsedMs = performance.now() - began;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  if (!/^\d+$/.test(line)) throw new Error(`${program} began with "${line}" instead of its port`);
  return elapsedMs;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
