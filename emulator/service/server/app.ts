import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono, type Context } from "hono";
import type { Method, Operation } from "../../../spec/operation";
import type { OperationName } from "../../../spec/table";
import { handleCall } from "./pipeline";
import { readBytes } from "./read-bytes";
import type { CallEnding, Reply } from "./reply";
import type { ApiRequest, NamedOperation } from "./request";
import type { Service } from "./service";
import type { ServerWire } from "./wire";

export interface AppEnv {
  Bindings: HttpBindings;
}

/** The API as an HTTP application, routed by the operation table. */
export function createApp(service: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const route of listRoutes(service.operations, service.wire)) {
    app.all(route.pattern, async (context, next) => {
      const target = findOperation(route, context.req.method);
      if (target === undefined) return next();
      const { name, operation } = target;
      return respond(service, context, { name, operation: service.operations[name] ?? operation });
    });
  }
  app.notFound((context) => respond(service, context, undefined));
  return app;
}

/** One path of the API and what each method does there. */
interface ApiRoute {
  /** In the router's spelling: `/v1/projects/:ref`. */
  readonly pattern: string;
  readonly byMethod: ReadonlyMap<Method, NamedOperation>;
}

/** The routes of an operation table, in the order in which they must be tried: fixed segments before placeholders. */
function listRoutes(
  table: Readonly<Partial<Record<OperationName, Operation>>>,
  wire: Pick<ServerWire, "path">,
): readonly ApiRoute[] {
  const routes = new Map<string, { pattern: string; byMethod: Map<Method, NamedOperation> }>();
  // The keys of the table are its operation names, which `Object.entries` widens to string.
  for (const [name, operation] of Object.entries(table) as [OperationName, Operation][]) {
    const pattern = wire.path(operation.path).replaceAll(/\{(\w+)\}/g, ":$1");
    const route = routes.get(pattern) ?? { pattern, byMethod: new Map<Method, NamedOperation>() };
    route.byMethod.set(operation.method, { name, operation });
    routes.set(pattern, route);
  }
  return [...routes.values()].sort((left, right) => (rank(left.pattern) < rank(right.pattern) ? -1 : 1));
}

/** The operation behind a method; HEAD of what can be read answers the headers of the reading. */
function findOperation(route: ApiRoute, method: string): NamedOperation | undefined {
  // An unknown method is simply not a key.
  const found = route.byMethod.get(method as Method);
  return found ?? (method === "HEAD" ? route.byMethod.get("GET") : undefined);
}

function rank(pattern: string): string {
  return pattern
    .split("/")
    .map((segment) => (segment.startsWith(":") ? "1" : "0"))
    .join("");
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
    headers: req.header(),
    header: (name) => req.header(name),
    readBody: () => readBytes(env),
  };
}

/** Ends a call as a fault wants it, without a whole answer. */
async function abortResponse({ incoming, outgoing }: HttpBindings, outcome: CallEnding): Promise<void> {
  const { socket } = incoming;
  if (outcome.kind === "held") {
    await new Promise<void>((resolve) => {
      if (socket.destroyed) resolve();
      else socket.once("close", () => resolve());
    });
    return;
  }
  if (outcome.kind === "endless" && incoming.method !== "HEAD") await sendEndless(outgoing, outcome.reply);
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

const BLANKS = new TextEncoder().encode(" ".repeat(16 * 1024));

/** The answer, and blanks behind it as fast as they are read, until the caller has gone; nothing where no body can follow. */
async function sendEndless(
  outgoing: HttpBindings["outgoing"],
  { status, headers, body }: Reply,
): Promise<void> {
  // Node takes what is written there at once and drops it, so that the loop would never let the caller go.
  if (status === 204 || status === 304) return;
  outgoing.writeHead(status, { ...headers });
  if (body !== null) outgoing.write(body);
  const goesOn = (): Promise<boolean> =>
    new Promise((resolve) =>
      outgoing.write(BLANKS, (error) => resolve(error == null && !outgoing.destroyed)),
    );
  while (await goesOn());
}
