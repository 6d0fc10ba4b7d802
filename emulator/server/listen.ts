import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { Clock } from "../world/clock";
import type { EmulatorOptions } from "../emulator";
import type { AppEnv } from "./app";
import { responsesDatedBy } from "./dated-response";
import { hostCheck } from "./host-names";
import { listenError } from "./listen-error";

export interface Listening {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves the application; port 0 takes any free one. */
export async function listen(
  app: Hono<AppEnv>,
  clock: Clock,
  {
    host = "127.0.0.1",
    port = 0,
    allowedHosts = [],
  }: Pick<EmulatorOptions, "host" | "port" | "allowedHosts">,
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

/** 421 says that this server does not speak for the name that was asked (RFC 9110, 15.5.20). */
function refuseHost({ headers }: IncomingMessage, outgoing: ServerResponse): void {
  const message =
    `The emulator does not answer as "${headers.host ?? ""}": another site's page could have given it that name. ` +
    "Call it by localhost or by its address, or allow the name: --allowed-host, in code `allowedHosts`";
  outgoing.writeHead(421, { "content-type": "application/json; charset=utf-8", connection: "close" });
  outgoing.end(JSON.stringify({ message }));
}
