import { createServer } from "node:http";
import { once } from "node:events";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { Clock } from "../clock";
import type { AppEnv } from "./app";
import { responsesDatedBy } from "./dated-response";

export interface Listening {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves the application; port 0 takes any free one. */
export async function listen(
  app: Hono<AppEnv>,
  clock: Clock,
  { host = "127.0.0.1", port = 0 }: { readonly host?: string; readonly port?: number },
): Promise<Listening> {
  // Overriding would replace the caller's own `Request` and `Response`, as the emulator runs inside test processes.
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer(
    { ServerResponse: responsesDatedBy(clock) },
    (incoming, outgoing) => void listener(incoming, outgoing),
  );
  // The running service keeps idle connections far longer than a test run lasts.
  server.keepAliveTimeout = 60_000;
  server.listen(port, host);
  await once(server, "listening");
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
