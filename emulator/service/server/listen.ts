import { once } from "node:events";
import { createServer, ServerResponse, type IncomingMessage } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import ipaddr from "ipaddr.js";
import type { Clock } from "../world/clock";
import type { AppEnv } from "./app";

/** Where a server listens, and by which names callers may call it. */
export interface ListenOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** `127.0.0.1` when absent. */
  readonly host?: string;
  /** Names, beside loopback and the address listened on, by which callers may name it in `Host`; none when absent. */
  readonly allowedHosts?: readonly string[];
}

export interface Listening {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves the application; port 0 takes any free one. */
export async function listen(
  app: Hono<AppEnv>,
  clock: Clock,
  { host = "127.0.0.1", port = 0, allowedHosts = [] }: ListenOptions,
): Promise<Listening> {
  const listener = getRequestListener(app.fetch, {
    // Overriding would replace the caller's own `Request` and `Response`, as the emulator runs inside test processes.
    overrideGlobalObjects: false,
    // It closes the connection on a client that still sends, which would lose an early answer; Node.js ends those in time.
    autoCleanupIncoming: false,
  });
  const isKnownHost = hostCheck([host, ...allowedHosts]);
  const serve = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    // Before anything else, so that no part of the emulator can forget it.
    if (isKnownHost(incoming)) void listener(incoming, outgoing);
    else refuseHost(incoming, outgoing);
  };
  const server = createServer({ ServerResponse: responsesDatedBy(clock) }, serve);
  // A client that sends `Expect: 100-continue` is answered when its body is read.
  server.on("checkContinue", serve);
  // The running service keeps idle connections far longer than a test run lasts.
  server.keepAliveTimeout = 60_000;
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw listenError(error, host, port);
  }
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no network address");
  const shownHost = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return {
    url: `http://${shownHost}:${address.port}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Responses whose `date` is the emulator's time, which may not be the machine's. */
function responsesDatedBy(clock: Clock): typeof ServerResponse {
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(...head: [number, ...never[]]): this {
      this.setHeader("date", new Date(clock.now()).toUTCString());
      return super.writeHead(...head);
    }
  };
}

/**
 * Whether a request names this emulator by a name that a page of another site cannot point here.
 * A page can let its own name resolve to this machine and is then of the emulator's origin for the browser. So only names
 * count that nobody else can give away: loopback, the address that the call came in at, and what the operator allows.
 */
function hostCheck(allowed: readonly (string | undefined)[]): (incoming: IncomingMessage) => boolean {
  const names = new Set(allowed.flatMap((name) => (name === undefined ? [] : [canonicalName(name)])));
  return ({ headers, socket }) => {
    const name = canonicalName(headers.host?.replace(/:\d*$/, "") ?? "");
    if (name === "") return false;
    return names.has(name) || isLoopback(name) || name === canonicalName(socket.localAddress ?? "");
  };
}

/** Addresses in one spelling, without brackets; names in lower case, without the root's dot. */
function canonicalName(text: string): string {
  const name = text.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return ipaddr.isValid(name) ? ipaddr.process(name).toString() : name.replace(/\.$/, "");
}

function isLoopback(name: string): boolean {
  if (ipaddr.isValid(name)) return ipaddr.process(name).range() === "loopback";
  // No resolver hands these names to anybody else (RFC 6761, 6.3).
  return name === "localhost" || name.endsWith(".localhost");
}

/** 421 says that this server does not speak for the name that was asked (RFC 9110, 15.5.20). */
function refuseHost({ headers }: IncomingMessage, outgoing: ServerResponse): void {
  const message =
    `The emulator does not answer as "${headers.host ?? ""}": another site's page could have given it that name. ` +
    "Call it by localhost or by its address, or allow the name: --allowed-host, in code `allowedHosts`";
  outgoing.writeHead(421, { "content-type": "application/json; charset=utf-8", connection: "close" });
  outgoing.end(JSON.stringify({ message }));
}

/** Why an address cannot be listened on, and what to do, by Node's code. */
const listenFailures: Readonly<Record<string, string>> = {
  EADDRINUSE:
    "another program listens there. Stop it, or choose another port: 0, the default, takes any free one",
  EACCES: "this user may not. Choose a port from 1024 up, or 0 for any free one",
  EADDRNOTAVAIL:
    "this machine has no such address. Choose one of its own, or leave the host out for 127.0.0.1",
  ENOTFOUND: "no such name is known. Choose an address of this machine, or leave the host out for 127.0.0.1",
};

/** The error of a server that could not begin to listen. */
function listenError(error: unknown, host: string, port: number): Error {
  // Read by its fields: Node.js throws an `Error` of its own realm, and test runners have several.
  const { code = "", message = String(error) } = error as { code?: string; message?: string };
  const reason = listenFailures[code];
  const place = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const why = reason === undefined ? message : `${reason} (${code})`;
  return new Error(`The emulator cannot listen on ${place}: ${why}`, { cause: error });
}
