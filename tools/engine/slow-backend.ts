import type { Environment } from "./engine";
import { findPostgres, startPostgres } from "./postgres-cluster";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Two such waits are in each write of the state, which then takes as long as over a distant network. */
export const STATE_DELAY_MS = 30;

/** A state backend on which every read and write of the engine takes a while. */
export interface SlowBackend {
  /** Where the state of one more workspace is kept: in a table of its own. */
  newUrl(): string;
  dispose(): Promise<void>;
}

/** The engine's own Postgres backend behind a slow connection; undefined where the machine has no Postgres server. */
export async function startSlowBackend(options: {
  delayMs: number;
  env?: Environment;
}): Promise<SlowBackend | undefined> {
  const binDir = findPostgres(options.env ?? process.env);
  if (binDir === undefined) return undefined;
  const cluster = await startPostgres(binDir);
  const proxy = await startSlowProxy({ socket: cluster.socket, delayMs: options.delayMs });
  let tables = 0;
  return {
    newUrl: () => {
      tables += 1;
      return `postgres://${cluster.user}@127.0.0.1:${proxy.port}/postgres?sslmode=disable&table=state_${tables}`;
    },
    dispose: async () => {
      await proxy.close();
      await cluster.dispose();
    },
  };
}

/** Passes connections on to a server, and what is sent there only after a while. */
interface SlowProxy {
  readonly port: number;
  close(): Promise<void>;
}

async function startSlowProxy(options: { socket: string; delayMs: number }): Promise<SlowProxy> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(options.socket);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("close", () => open.delete(socket));
      // A killed client is what this is for.
      socket.on("error", () => socket.destroy());
    }
    // Timers of one length fire in the order in which they were set, so the chunks stay in theirs.
    const later = (action: () => void): void => void setTimeout(action, options.delayMs);
    client.on("data", (chunk) => later(() => upstream.write(chunk)));
    // What is on its way when a client dies arrives all the same, as in a network.
    client.on("close", () => later(() => upstream.end()));
    upstream.pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
