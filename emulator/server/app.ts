import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono, type Context } from "hono";
import { handleCall } from "./pipeline";
import { readBytes } from "./read-bytes";
import type { Outcome, Reply } from "./reply";
import type { ApiRequest } from "./request";
import { operationFor, routesOf, type NamedOperation } from "./routes";
import type { Service } from "./service";

export interface AppEnv {
  Bindings: HttpBindings;
}

/** The API as an HTTP application, routed by the operation table. */
export function createApp(service: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const route of routesOf(service.operations, service.names)) {
    app.all(route.pattern, async (context, next) => {
      const target = operationFor(route, context.req.method);
      if (target === undefined) return next();
      const { name, operation } = target;
      return respond(service, context, { name, operation: service.operations[name] ?? operation });
    });
  }
  app.notFound((context) => respond(service, context, undefined));
  return app;
}

async function respond(
  service: Service,
  context: Context<AppEnv>,
  target: NamedOperation | undefined,
): Promise<Response> {
  const outcome = await handleCall(service, requestOf(context, target));
  if (outcome.kind === "complete") {
    const { reply } = outcome;
    return new Response(context.req.method === "HEAD" ? null : reply.body, reply);
  }
  await abortResponse(context.env, outcome);
  return RESPONSE_ALREADY_SENT;
}

function requestOf(context: Context<AppEnv>, target: NamedOperation | undefined): ApiRequest {
  const { req, env } = context;
  return {
    method: req.method,
    path: req.path,
    target,
    params: req.param(),
    query: new URL(req.url).searchParams,
    clientAddress: env.incoming.socket.remoteAddress ?? "unknown",
    header: (name) => req.header(name),
    readBody: () => readBytes(env),
  };
}

/** Ends a call as a fault wants it, without a whole answer. */
async function abortResponse({ incoming, outgoing }: HttpBindings, outcome: Outcome): Promise<void> {
  const { socket } = incoming;
  if (outcome.kind === "held") {
    await new Promise<void>((resolve) => {
      if (socket.destroyed) resolve();
      else socket.once("close", () => resolve());
    });
    return;
  }
  if (outcome.kind === "half" && incoming.method !== "HEAD") await sendHalf(outgoing, outcome.reply);
  socket.destroy();
}

/** The head, which announces the whole body, and half of it; where there is no body, nothing. */
async function sendHalf(outgoing: HttpBindings["outgoing"], { status, headers, body }: Reply): Promise<void> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  if (bytes === null || bytes.byteLength === 0) return;
  outgoing.writeHead(status, { ...headers, "content-length": String(bytes.byteLength) });
  const half = bytes.subarray(0, Math.floor(bytes.byteLength / 2));
  // A failed write means that the caller has gone, which is all the same here.
  await new Promise<void>((resolve) => outgoing.write(half, () => resolve()));
}
