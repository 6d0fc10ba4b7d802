import { getConnInfo } from "@hono/node-server/conninfo";
import { Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { HTTPException } from "hono/http-exception";
import { ipRestriction } from "hono/ip-restriction";
import { z } from "zod";
import type { AppEnv } from "../../service/server/app";
import { InvalidRequest, checkAgainst, type RequestIssue } from "../../service/answers/invalid-request";
import { readBytes } from "../../service/server/read-bytes";
import { refusalReply } from "../../service/server/reply";
import type { ServerWire } from "../../service/server/wire";
import type { Clock } from "../../service/world/clock";
import type { Control } from "./control";
import { type ControlRoute, controlRoutes, HEALTH } from "./control-routes";
import { toPlain } from "./snapshot";
import { Refusal } from "../../service/answers/refusal";

/**
 * The control API, on a prefix of its own and in JSON throughout; `GET /_control` lists what `control-routes.ts` offers:
 *
 * | path            | methods           | what it reaches                                     |
 * |-----------------|-------------------|-----------------------------------------------------|
 * | calls           | GET, DELETE       | the log of the calls to the API                     |
 * | calls/count     | GET               | how many of them there are                          |
 * | calls/exchange  | GET               | what was sent and answered in one of them           |
 * | faults          | GET, POST, DELETE | calls that are going to break                       |
 * | call            | POST              | an operation run by an operator from outside        |
 * | edit            | POST              | one value of the state, past every rule             |
 * | health          | GET               | whether the emulator answers                        |
 * | overview        | GET               | what the page at `/` shows                          |
 * | contents        | GET               | what is in a project, by name                       |
 * | snapshot        | GET               | the whole state                                     |
 * | export          | GET               | the whole world as one file                         |
 * | failed-logins   | POST              | logins with a wrong password, which lead to a ban   |
 * | user-tokens     | POST              | tokens that a project's auth service signs          |
 * | invocations     | POST              | invocations of edge functions, which count          |
 * | snippets        | POST              | queries that users keep                             |
 * | clock           | GET               | the emulator's time                                 |
 * | advance         | POST              | moves it forward                                    |
 * | pace            | POST              | the factor on settling durations                    |
 * | reset           | POST              | back to the seed                                    |
 * | tokens          | POST, DELETE      | personal access tokens                              |
 * | oauth-apps      | POST              | OAuth applications                                  |
 * | authorizations  | GET, POST         | what OAuth applications ask users for               |
 * | openapi.json    | GET               | the API as an OpenAPI document                      |
 * | internal-errors | GET               | faults of the emulator itself                       |
 */
export function createControlApp(
  control: Control,
  clock: Clock,
  wire: ServerWire,
  /** What every call must bear; without one the control API asks for none. */
  token?: string,
): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const routes = controlRoutes(control, clock, wire);

  // Who reaches the control API owns the emulator: it answers this machine only, whatever the server listens on.
  app.use(
    ipRestriction(getConnInfo, { allowList: ["127.0.0.0/8", "::1"] }, (_remote, context) =>
      context.json({ message: "The control API answers on loopback only" }, 403),
    ),
  );
  app.use(async (context, next) => {
    // A page of another site that is open in this machine's browser reaches loopback, too.
    const origin = context.req.header("origin");
    if (
      origin !== undefined &&
      !(URL.canParse(origin) && new URL(origin).host === context.req.header("host"))
    ) {
      return context.json({ message: `The control API does not answer pages of ${origin}` }, 403);
    }
    // A browser names no origin where a page loads what it may not read, and says whose page it is.
    const site = context.req.header("sec-fetch-site") ?? "none";
    if (site !== "same-origin" && site !== "none") {
      return context.json({ message: "The control API does not answer pages of other sites" }, 403);
    }
    await next();
    return undefined;
  });
  const serve = (route: ControlRoute): void => {
    app.on(route.method, `/${route.path}`, async (context) => {
      const sent = route.method === "GET" ? context.req.query() : parseBody(await readBytes(context.env));
      const answer = await route.run(parse(route.input, sent));
      if (answer instanceof Uint8Array) return context.body(Uint8Array.from(answer));
      return context.json(toPlain(answer) ?? {});
    });
  };
  // Who waits for the start need not know the token, and learns nothing else.
  for (const route of routes) if (route.path === HEALTH) serve(route);
  if (token !== undefined) {
    const message = {
      message:
        "The control API of this emulator needs its control token, as Authorization: Bearer <token>. " +
        "For the page, open the link that the emulator printed at its start",
    };
    app.use(
      bearerAuth({
        token,
        noAuthenticationHeader: { message },
        invalidAuthenticationHeader: { message },
        invalidToken: { message },
      }),
    );
  }
  app.get("/", (context) =>
    context.json(routes.map(({ method, path, summary }) => ({ method, path: `/_control/${path}`, summary }))),
  );
  for (const route of routes) if (route.path !== HEALTH) serve(route);
  // Not `notFound`: mounted below a prefix, it would hand the call to the API.
  app.all("*", (context) =>
    context.json({ message: "Nothing here: GET /_control lists what there is" }, 404),
  );
  app.onError((error) => {
    if (error instanceof HTTPException) return error.getResponse();
    const refusal = error instanceof Refusal ? error : new Refusal(400, error.message);
    const reply = refusalReply(refusal);
    return new Response(reply.body, reply);
  });
  return app;
}

function parseBody(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) return {};
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Refusal(400, "Malformed JSON");
  }
}

function parse(schema: z.ZodType, value: unknown): unknown {
  const issues: RequestIssue[] = [];
  const parsed = checkAgainst(schema, value, "body", issues);
  if (issues.length > 0) throw new InvalidRequest(issues);
  return parsed;
}
