import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Passes connections on to a server, and what is sent there only after a while. */
export interface SlowProxy {
  readonly port: number;
  close(): Promise<void>;
}

export async function startSlowProxy(options: { socket: string; delayMs: number }): Promise<SlowProxy> {
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
