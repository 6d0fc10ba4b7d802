import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import { createSecureServer, type Http2ServerRequest } from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, type Server } from "node:net";
import type { Duplex } from "node:stream";
import type { Certificates } from "./certificates";
import { PROJECT } from "./setup";

interface Running {
  readonly port: number;
  close(): Promise<void>;
}

export interface SafeService extends Running {
  readonly requests: Pick<Http2ServerRequest, "method" | "httpVersion" | "headers">[];
}

/** A service of https that would speak HTTP/2 too, and answers everything with a project. */
export async function startSafeService({ key, cert }: Certificates): Promise<SafeService> {
  const requests: SafeService["requests"] = [];
  const server = createSecureServer(
    { key, cert, allowHTTP1: true },
    ({ method, httpVersion, headers }, outgoing) => {
      requests.push({ method, httpVersion, headers });
      outgoing.writeHead(200, { "content-type": "application/json" });
      outgoing.end(JSON.stringify(PROJECT));
    },
  );
  return { ...(await running(server)), requests };
}

/** Whether a proxy connects: to a port of this machine, never, or not for the status that it answers. */
export type Connecting = { readonly port: number } | { readonly status: number } | "never";

export interface ConnectProxy extends Running {
  /** What it was asked to connect to, as `host:port`. */
  readonly targets: string[];
  readonly credentials: (string | undefined)[];
  /** Requests that it was to forward itself, without a tunnel. */
  readonly forwarded: string[];
}

export interface ProxyOptions {
  readonly certificates?: Certificates;
  readonly onConnect?: () => void;
}

/** A proxy on port 0 that knows CONNECT only. */
export async function startConnectProxy(
  connecting: () => Connecting,
  { certificates, onConnect }: ProxyOptions = {},
): Promise<ConnectProxy> {
  const [targets, credentials, forwarded]: [string[], (string | undefined)[], string[]] = [[], [], []];
  const server = certificates === undefined ? createHttpServer() : createHttpsServer(certificates);
  server.on("request", ({ url }: IncomingMessage, outgoing: { end: () => void }) => {
    forwarded.push(url ?? "");
    outgoing.end();
  });
  server.on("connect", ({ url, headers }: IncomingMessage, client: Duplex) => {
    targets.push(url ?? "");
    credentials.push(headers["proxy-authorization"]);
    onConnect?.();
    client.on("error", () => undefined);
    const how = connecting();
    if (how === "never") return;
    if ("status" in how) return client.end(`HTTP/1.1 ${how.status} Refused\r\ncontent-length: 0\r\n\r\n`);
    const upstream = connect(how.port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on("error", () => client.destroy());
    return undefined;
  });
  return { ...(await running(server)), targets, credentials, forwarded };
}

async function running(server: Server): Promise<Running> {
  const sockets = new Set<Duplex>();
  server.on("connection", (socket: Duplex) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a TCP port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
