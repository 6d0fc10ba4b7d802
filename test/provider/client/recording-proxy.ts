import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";

/** What goes over the wire between a client and a service, byte by byte. */
export interface RecordingProxy {
  readonly url: string;
  /** What was sent and answered since the last time. */
  take(): { readonly sent: string; readonly answered: string };
  close(): Promise<void>;
}

export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const { hostname, port } = new URL(target);
  let sent = "";
  let answered = "";
  const sockets = new Set<Socket>();
  const server = createServer((caller) => {
    const service = connect(Number(port), hostname);
    for (const socket of [caller, service]) {
      sockets.add(socket);
      // Either side may go first; the other one's end follows.
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        caller.destroy();
        service.destroy();
      });
    }
    caller.on("data", (bytes) => (sent += bytes.toString("latin1")));
    service.on("data", (bytes) => (answered += bytes.toString("latin1")));
    caller.pipe(service);
    service.pipe(caller);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a TCP port has an address of this form.
  const own = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own.port}`,
    take() {
      const taken = { sent, answered };
      sent = "";
      answered = "";
      return taken;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
