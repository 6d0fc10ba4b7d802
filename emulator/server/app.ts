import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono, type Context } from "hono";
import type { Arrival } from "./arrival";
import { abortResponse } from "./abort-response";
import { handleCall } from "./pipeline";
import { readBytes } from "./read-bytes";
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
  const ending = await handleCall(service, arrivalOf(context, target));
  if (ending.kind === "whole") {
    const { reply } = ending;
    return new Response(context.req.method === "HEAD" ? null : reply.body, reply);
  }
  await abortResponse(context.env, ending);
  return RESPONSE_ALREADY_SENT;
}

function arrivalOf(context: Context<AppEnv>, target: NamedOperation | undefined): Arrival {
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
