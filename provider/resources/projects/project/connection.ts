import { z } from "zod";
import type { Api, Context } from "../../../define/context";
import { composed, readOption, secret } from "../../../define/markers";
import { ACTIVE_HEALTHY } from "../../../define/project-status";
import { listAllApiKeysOnce } from "../../auth/api-key/calls";

/** The name of the two keys with which every project begins (service, API keys). */
const DEFAULT_KEY = "default";

/** The database that every project has; no answer names it but the pooler's. */
const DATABASE = "postgres";

export const connectionInputs = {
  withKeys: readOption(
    z
      .boolean()
      .describe(
        "Whether to read the outputs `publishableKey` and `secretKey`. It costs one call per project and run, shared with `ApiKey` resources. Default: `false`.",
      ),
  ).optional(),
  withPooler: readOption(
    z
      .boolean()
      .describe(
        "Whether to read the outputs `pooledConnectionString` and `sessionConnectionString`, which costs one call. Default: `false`.",
      ),
  ).optional(),
};

/** The direct connection to a database. */
export const DIRECT_CONNECTION =
  "URL of the direct connection to the database, with percent-encoded user and password";

/** The connection for a network that has no IPv6. */
export const SESSION_CONNECTION =
  "URL of the connection through the pooler in session mode, at port 5432: for migrations and tools on a network without IPv6";

/** The port at which the pooler is in session mode, whatever its configuration says (service, Poolers). */
const SESSION_PORT = 5_432;

/** The outputs that follow from the database's host. */
export const apiOutputs = {
  apiUrl: z
    .string()
    .describe("URL of the API, derived from the database's host name. Absent if it cannot be derived.")
    .optional(),
};

/** The URL of a project's or branch's API: the host of its database is `db.` and its own. */
export function formatApiUrl(ref: string, databaseHost: Optional<string>): string | undefined {
  const [database, own, ...domain] = databaseHost?.split(".") ?? [];
  return database === "db" && own === ref && domain.length > 0 && isHost(databaseHost)
    ? `https://${[own, ...domain].join(".")}`
    : undefined;
}

/** The outputs that cost a call. */
export const askedOutputs = {
  pooledConnectionString: secret(
    composed(
      z
        .string()
        .describe(
          "URL of the connection through the pooler, only with `withPooler: true`. While the project is inactive, the output keeps its last value.",
        ),
    ),
  ).optional(),
  sessionConnectionString: secret(
    composed(
      z
        .string()
        .describe(
          `${SESSION_CONNECTION}, only with \`withPooler: true\`. While the project is inactive, the output keeps its last value.`,
        ),
    ),
  ).optional(),
  publishableKey: secret(
    z
      .string()
      .describe(
        "The publishable API key named `default`, only with `withKeys: true`. While the project is inactive, the output keeps its last value.",
      ),
  ).optional(),
  secretKey: secret(
    z
      .string()
      .describe(
        "The secret API key named `default`, only with `withKeys: true`. While the project is inactive, the output keeps its last value.",
      ),
  ).optional(),
};

type ConnectionInputs = z.output<z.ZodObject<typeof connectionInputs>>;
type ConnectionOutputs = z.output<z.ZodObject<typeof askedOutputs>>;

type Optional<T> = T | null | undefined;

/** How a database is reached; what the service leaves out is absent. */
export interface DatabaseEndpoint {
  readonly user: Optional<string>;
  readonly password: Optional<string>;
  readonly host: Optional<string>;
  readonly port: Optional<number>;
  readonly database?: Optional<string>;
}

/** A name or an address, of which every reader of a URL makes the same host, and no line-based file another line. */
function isHost(host: Optional<string>): host is string {
  return /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/i.test(host ?? "");
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port > 0 && port < 65_536;
}

/** No control character, which no role of the service has and a log or a line-based file could take for more. */
function isUser(user: Optional<string>): user is string {
  return user != null && /^\P{Cc}+$/u.test(user);
}

/** The URL of a connection; undefined while a part of it is not known, or is none. */
export function formatConnectionUrl({
  user,
  password,
  host,
  port,
  database,
}: DatabaseEndpoint): string | undefined {
  if (!isUser(user) || !password || !isHost(host) || port == null || !isPort(port)) return undefined;
  return `postgresql://${encodePart(user)}:${encodePart(password)}@${host}:${port}/${encodePart(database ?? DATABASE)}`;
}

function encodePart(text: string): string {
  // Half a character, which no encoding has, would throw an error that repeats it.
  return encodeURIComponent(text.toWellFormed());
}

interface ConnectionSubject {
  readonly ref: string;
  readonly status: Optional<string>;
  readonly password: Optional<string>;
}

/** Reads what the program asks for. A project that is not active, or lists nothing and is not healthy, keeps what was last seen of it. */
export async function readRequested(
  ctx: Context,
  { ref, status, password }: ConnectionSubject,
  state: ConnectionInputs & ConnectionOutputs,
): Promise<ConnectionOutputs> {
  const { withKeys, withPooler, pooledConnectionString, sessionConnectionString, publishableKey, secretKey } =
    state;
  const isActive = status == null || status.startsWith("ACTIVE");
  const [keys, poolers] = await Promise.all([
    withKeys === true && isActive ? listAllApiKeysOnce(ctx, ref) : [],
    withPooler === true && isActive ? ctx.api.listPoolerConfigs({ ref }) : [],
  ]);
  const counts = (list: readonly unknown[]): boolean => list.length > 0 || status === ACTIVE_HEALTHY;
  return {
    ...(withKeys === true && (counts(keys) ? pickKeys(keys) : { publishableKey, secretKey })),
    ...(withPooler === true &&
      (counts(poolers)
        ? pickPooled(poolers, password)
        : { pooledConnectionString, sessionConnectionString })),
  };
}

function pickKeys(
  keys: Awaited<ReturnType<typeof listAllApiKeysOnce>>,
): Pick<ConnectionOutputs, "publishableKey" | "secretKey"> {
  const named = keys.filter(({ name }) => name === DEFAULT_KEY);
  const valueOf = (type: string): string | undefined =>
    named.find((key) => key.type === type)?.api_key ?? undefined;
  return { publishableKey: valueOf("publishable"), secretKey: valueOf("secret") };
}

function pickPooled(
  poolers: Awaited<ReturnType<Api["listPoolerConfigs"]>>,
  password: Optional<string>,
): Pick<ConnectionOutputs, "pooledConnectionString" | "sessionConnectionString"> {
  const primary = poolers.find(({ database_type: type }) => type === "PRIMARY");
  if (primary === undefined) return {};
  // Built of its parts: the configuration's own text has a placeholder for the password.
  const { db_user: user, db_host: host, db_port: port, db_name: database } = primary;
  const urlAt = (at: Optional<number>): string | undefined =>
    formatConnectionUrl({ user, password, host, port: at, database });
  return { pooledConnectionString: urlAt(port), sessionConnectionString: urlAt(SESSION_PORT) };
}
