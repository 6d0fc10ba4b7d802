import { once } from "node:events";
import { createServer } from "node:http";
import type { Scene } from "./scene";

export interface SceneServer {
  readonly url: string;
  readonly close: () => void;
}

/** Opens a fresh scene whenever it is asked, and tells what exists in it. */
export async function serveScenes(open: () => Scene): Promise<SceneServer> {
  const server = createServer((_request, response) => {
    try {
      response.setHeader("content-type", "application/json").end(JSON.stringify(open()));
    } catch (error) {
      response.statusCode = 500;
      response.end(error instanceof Error ? error.message : String(error));
      console.error(error);
    }
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
