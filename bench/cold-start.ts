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
      // Both are started by the Node.js that runs this, whatever is first on PATH.
      const [emptyMs, pluginMs] = [
        await timeToPort(process.execPath, empty),
        await timeToPort(process.execPath, plugin),
      ];
      times.push({ emptyMs, pluginMs });
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

/** Milliseconds from the start of a command to the line with the port that it serves. */
export async function timeToPort(command: string, ...args: readonly string[]): Promise<number> {
  const began = performance.now();
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, "line")) as [string];
  const elapsedMs = performance.now() - began;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  if (!/^\d+$/.test(line))
    throw new Error(`${[command, ...args].join(" ")} began with "${line}" instead of its port`);
  return elapsedMs;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
