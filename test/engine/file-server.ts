import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";

export interface FileServer {
  readonly address: string;
  /** The paths of all requests. */
  readonly asked: readonly string[];
  close(): void;
}

/** Serves the files of a folder as a release does that somebody put on a server. */
export async function serveFiles(folder: string): Promise<FileServer> {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const file = join(folder, basename(url));
    if (!existsSync(file)) return void response.writeHead(404).end();
    // The engine refuses what comes without a length.
    response.setHeader("content-length", statSync(file).size);
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/plugins`;
  return { address, asked, close: () => void server.close() };
}
