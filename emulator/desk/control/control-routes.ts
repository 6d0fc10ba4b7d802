import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { OAuthScope, OperationParameters } from "../../../spec/operation";
import { snippetVisibility } from "../../../spec/operations/snippets";
import { createOpenApiDocument } from "../../../spec/openapi";
import { operations, type OperationName, type Operations } from "../../../spec/table";
import type { Clock } from "../../service/world/clock";
import type { ServerWire } from "../../service/server/wire";
import type { Control } from "./control";
import { requireFound } from "../../service/answers/refusal";

/** One thing that the control API does. */
export interface ControlRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below `/_control/`. */
  readonly path: string;
  readonly summary: string;
  readonly input: z.ZodType;
  /** Takes what `input` parsed. */
  run(input: unknown): unknown;
}

/** Answered without the control token. */
export const HEALTH = "health";

/** Answered with the bytes of a file. */
export const EXPORT = "export";

const nothing = z.object({});
// The keys of the table are its operation names, which `Object.keys` widens to string.
const operationName = z.enum(Object.keys(operations) as [OperationName, ...OperationName[]]);
const filter = z.strictObject({
  operation: operationName.exactOptional(),
  status: z.coerce.number().exactOptional(),
  method: z.string().exactOptional(),
  pathContains: z.string().exactOptional(),
  identity: z.string().exactOptional(),
  scopeKey: z.string().exactOptional(),
});
export const fault = z.strictObject({
  operation: operationName.exactOptional(),
  method: z.string().exactOptional(),
  pathContains: z.string().exactOptional(),
  status: z.int().min(200).max(599).exactOptional(),
  after: z.boolean().exactOptional(),
  message: z.string().exactOptional(),
  body: z.unknown().optional(),
  headers: z.record(z.string(), z.string().nullable()).exactOptional(),
  delayMs: z.number().min(0).exactOptional(),
  takesMs: z.number().min(0).exactOptional(),
  gateway: z
    .strictObject({
      afterMs: z.number().min(0),
      status: z.union([z.literal(0), z.int().min(500).max(599)]).exactOptional(),
    })
    .exactOptional(),
  drop: z.enum(["before", "after", "midway"]).exactOptional(),
  hold: z.enum(["before", "after", "endless"]).exactOptional(),
  times: z.int().min(1).exactOptional(),
  skip: z.int().min(0).exactOptional(),
});
const since = z.strictObject({ since: z.coerce.number().min(0).exactOptional() });
const statePath = z.union([z.string(), z.array(z.union([z.string(), z.number()]))]);
const edit = z.union([
  z.strictObject({ path: statePath, delete: z.literal(true) }),
  z.strictObject({ path: statePath, value: z.json(), create: z.boolean().exactOptional() }),
]);
const tokenSeed = z.strictObject({
  token: z.string().min(1).exactOptional(),
  kind: z.enum(["full", "fine-grained"]).exactOptional(),
  permissions: z.array(z.string()).exactOptional(),
  user: z.string().exactOptional(),
  organizationSlug: z.string().exactOptional(),
});
// Any text is taken, so that a scope which no endpoint uses can be tried as well.
const scopes = z.array(z.string().transform((scope) => scope as OAuthScope));
const oauthApp = z.strictObject({
  scopes,
  accessTokenLifetimeMs: z.number().min(0).exactOptional(),
  name: z.string().exactOptional(),
  redirectUris: z.array(z.string()).exactOptional(),
  isPublic: z.boolean().exactOptional(),
  user: z.string().exactOptional(),
});
const requestChoice = z.strictObject({ id: z.string().exactOptional(), state: z.string().exactOptional() });
const approval = requestChoice.extend({
  organizationSlug: z.string().exactOptional(),
  scopes: scopes.exactOptional(),
  user: z.string().exactOptional(),
});
const failedLogins = z.strictObject({
  ref: z.string(),
  address: z.string(),
  times: z.int().min(1).max(1_000).exactOptional(),
  databaseIdentifier: z.string().exactOptional(),
});
const userToken = z.strictObject({
  ref: z.string(),
  claims: z.record(z.string(), z.json()).default({}),
});
const invocations = z.strictObject({
  ref: z.string(),
  slug: z.string(),
  times: z.int().min(1).max(10_000).exactOptional(),
  statusCode: z.int().min(100).max(599).exactOptional(),
  executionMs: z.number().min(0).exactOptional(),
});
const snippet = z.strictObject({
  projectRef: z.string(),
  name: z.string(),
  sql: z.string(),
  description: z.string().exactOptional(),
  visibility: snippetVisibility.exactOptional(),
  favorite: z.boolean().exactOptional(),
  owner: z.string().exactOptional(),
});
const call = z.strictObject({
  operation: operationName,
  parameters: z.record(z.string(), z.json()).default({}),
});

/** The control API as a table, so that its listing cannot disagree with it. */
export function controlRoutes(control: Control, clock: Clock, wire: ServerWire): readonly ControlRoute[] {
  const { internalErrors } = control;
  return [
    route("GET", "calls", "Calls to the API; query: fields of a call to filter by", filter, (wanted) =>
      control.calls(wanted),
    ),
    route("GET", "calls/count", "How many calls; query as for calls", filter, (wanted) => ({
      count: control.countCalls(wanted),
    })),
    route(
      "GET",
      "calls/exchange",
      "What was sent and answered in a call, without its secrets; query: sequence",
      z.strictObject({ sequence: z.coerce.number() }),
      ({ sequence }) => requireFound(control.exchange(sequence), `Nothing is kept of the call ${sequence}`),
    ),
    route("DELETE", "calls", "Empties the log of calls", nothing, () => control.clearCalls()),
    route("GET", "faults", "Faults that still wait for their calls", nothing, () => control.pendingFaults()),
    route(
      "POST",
      "faults",
      "Breaks later calls: status, after, drop, hold, delayMs, takesMs, …",
      fault,
      (rule) => control.addFault(rule),
    ),
    route("DELETE", "faults", "Forgets all faults", nothing, () => control.clearFaults()),
    route("POST", "call", "Runs {operation, parameters} as an operator would from outside", call, (wanted) =>
      control.call(wanted.operation, parametersOf(wanted.operation, wanted.parameters)),
    ),
    route(
      "POST",
      "edit",
      "Sets {path, value, create?} or removes {path, delete: true} in the state",
      edit,
      (change) =>
        "delete" in change
          ? control.remove(change.path)
          : control.set(change.path, change.value, { create: change.create ?? false }),
    ),
    route("GET", HEALTH, "Whether the emulator answers; needs no token", nothing, () => ({ status: "ok" })),
    route("GET", "overview", "What the page shows; query: since, how many calls were seen", since, (asked) =>
      control.overview(asked.since),
    ),
    route(
      "GET",
      "contents",
      "What is in a project, by name: functions, secrets, keys, migrations, tables; query: ref",
      z.strictObject({ ref: z.string() }),
      ({ ref }) => control.projectContents(ref),
    ),
    route("GET", "snapshot", "The whole state", nothing, () => control.snapshot()),
    route("GET", EXPORT, "The whole world as one file, for import; it holds secrets", nothing, () =>
      exportedBytes(control),
    ),
    route(
      "POST",
      "failed-logins",
      "Lets an address fail to log in to a database: {ref, address, times, databaseIdentifier}",
      failedLogins,
      ({ ref, ...logins }) => control.failLogins(ref, logins),
    ),
    route("POST", "user-tokens", "Signs a user's token of a project: {ref, claims}", userToken, (wanted) => ({
      token: control.signToken(wanted.ref, wanted.claims),
    })),
    route("POST", "invocations", "Invokes an edge function: {ref, slug, times, …}", invocations, (wanted) =>
      control.invokeFunction(wanted.ref, wanted),
    ),
    route(
      "POST",
      "snippets",
      "Keeps a query: {projectRef, name, sql, visibility, owner, …}",
      snippet,
      (seed) => ({
        id: control.createSnippet(seed),
      }),
    ),
    route("GET", "clock", "The emulator's time in milliseconds since the epoch", nothing, () => ({
      now: clock.now(),
    })),
    route(
      "POST",
      "advance",
      "Moves the clock forward by {ms}",
      z.strictObject({ ms: z.number().min(0) }),
      ({ ms }) => {
        control.advance(ms);
        return { now: clock.now() };
      },
    ),
    route(
      "POST",
      "pace",
      "Sets the {pace} of settling",
      z.strictObject({ pace: z.number().min(0) }),
      ({ pace }) => control.setPace(pace),
    ),
    route("POST", "reset", "Back to the seed", nothing, () => control.reset()),
    route("POST", "tokens", "Issues an access token: {kind, permissions, user}", tokenSeed, (seed) => ({
      token: control.createToken(seed),
    })),
    route("DELETE", "tokens", "Revokes {token}", z.strictObject({ token: z.string() }), ({ token }) =>
      control.revokeToken(token),
    ),
    route(
      "POST",
      "oauth-apps",
      "Registers an OAuth application: {scopes, redirectUris, …}",
      oauthApp,
      (app) => control.createOAuthApp(app),
    ),
    route("GET", "authorizations", "What users were asked to approve and have not decided", nothing, () =>
      control.authorizationRequests(),
    ),
    route(
      "POST",
      "authorizations/approve",
      "Approves one of them: {id, state, organizationSlug, scopes, user}",
      approval,
      (given) => control.approveAuthorization(given),
    ),
    route("POST", "authorizations/deny", "Denies one of them: {id, state}", requestChoice, (choice) =>
      control.denyAuthorization(choice),
    ),
    route("GET", "openapi.json", "The API as an OpenAPI document", nothing, () => describeApi(wire)),
    route("GET", "internal-errors", "Faults of the emulator itself", nothing, () => internalErrors),
  ];
}

function route<S extends z.ZodType>(
  method: ControlRoute["method"],
  path: string,
  summary: string,
  input: S,
  run: (parsed: z.output<S>) => unknown,
): ControlRoute {
  // `run` is given only what this route's own `input` has parsed.
  return { method, path, summary, input, run: (parsed) => run(parsed as z.output<S>) };
}

/** Parameters from JSON, where the content of a file can only be text. */
function parametersOf<N extends OperationName>(
  name: N,
  parameters: Readonly<Record<string, unknown>>,
): OperationParameters<Operations[N]> {
  const isMultipart = operations[name].body?.contentType === "multipart/form-data";
  const body = isMultipart ? { body: withBytes(parameters["body"]) } : {};
  // The operation's own schemas check them before anything is done.
  return { ...parameters, ...body } as OperationParameters<Operations[N]>;
}

function withBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBytes);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      key === "content" && typeof child === "string" ? new TextEncoder().encode(child) : withBytes(child),
    ]),
  );
}

async function exportedBytes(control: Control): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "management-emulator-export-"));
  try {
    const file = join(folder, "world");
    await control.exportWorld(file);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The OpenAPI document in the callers' own words, so that other clients can be made from it. */
function describeApi(wire: ServerWire): unknown {
  return JSON.parse(wire.text(JSON.stringify(createOpenApiDocument(operations, "/"))));
}
