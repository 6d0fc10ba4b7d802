import type { OperationName } from "../../spec/table";
import { startLoopbackServer, type LoopbackServer } from "../loopback-server";
import { isOperationName, type Scene } from "./scene";

/** Opens a fresh scene whenever it is asked for that of an operation, `/getProject`, and tells of it. */
export async function serveScenes(open: (name: OperationName) => Promise<Scene>): Promise<LoopbackServer> {
  async function textFor(path: string): Promise<string> {
    const name = path.slice(1);
    if (!isOperationName(name)) throw new Error(`No operation is called ${name}`);
    return JSON.stringify(await open(name), spellBytes);
  }
  return startLoopbackServer((request, response) => {
    textFor(request.url ?? "").then(
      (text) => response.setHeader("content-type", "application/json").end(text),
      (error: unknown) => {
        console.error(error);
        response.statusCode = 500;
        response.end();
      },
    );
  });
}

/** The bytes of a file as text. */
function spellBytes(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
}
