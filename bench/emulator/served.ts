import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { findPackageRoot } from "../../tools/engine/package-root";

/** A server in a process of its own, so that it has a core to itself. */
export interface Served {
  readonly url: string;
  /** From the start of the process to the line with its address. */
  readonly startMs: number;
  stop(): Promise<void>;
}

/** The emulator as its users start it; `pace` 0 lets everything settle at once. */
export function serveEmulator(token: string): Promise<Served> {
  const cli = join(findPackageRoot(), "dist", "emulator", "cli.js");
  return serve([cli, "--pace", "0", "--token", token]);
}

/** Less than this no HTTP server in Node.js can do: it reads nothing and answers the same text to everything. */
export function serveBare(body: string): Promise<Served> {
  const source = `
    const body = Buffer.from(${JSON.stringify(body)});
    const server = require("node:http").createServer((request, response) => {
      response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": body.length });
      response.end(body);
    });
    server.listen(0, "127.0.0.1", () => console.log("at http://127.0.0.1:" + server.address().port));
  `;
  return serve(["-e", source]);
}

async function serve(args: readonly string[]): Promise<Served> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const url = await addressOf(child);
  return {
    url,
    startMs: performance.now() - began,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("The server's output is not piped");
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /at (http:\S+)/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error("The server ended without saying where it listens");
}
