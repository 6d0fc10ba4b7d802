import { once } from "node:events";
import { createServer } from "node:http";
import type { OperationName } from "../../spec/table";
import { isOperationName, type Scene } from "./scene";

export interface SceneServer {
  readonly url: string;
  readonly close: () => void;
}

/** Opens a fresh scene whenever it is asked for that of an operation, `/getProject`, and tells of it. */
export async function serveScenes(open: (name: OperationName) => Promise<Scene>): Promise<SceneServer> {
  async function textFor(path: string): Promise<string> {
    const name = path.slice(1);
    if (!isOperationName(name)) throw new Error(`No operation is called ${name}`);
    return JSON.stringify(await open(name), spellBytes);
  }
  const server = createServer((request, response) => {
    textFor(request.url ?? "").then(
      (text) => response.setHeader("content-type", "application/json").end(text),
      (error: unknown) => {
        console.error(error);
        response.statusCode = 500;
        response.end();
      },
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no network address");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The bytes of a file as text. */
function spellBytes(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
}
