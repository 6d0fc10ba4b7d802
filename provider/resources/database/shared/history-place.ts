import { isRefusal, ResponseSchemaError } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { migrationProblems as problems } from "./migration-problems";
import { quoteLiteral, quoteName } from "./sql";

/** The service's own history of migrations, as its tool, branches and merges use it (service, Migrations). */
export const HISTORY = "schema_migrations";
export const HISTORY_COLUMNS = "version text primary key, statements text[], name text";

/** The scripts that ran, with the transaction of each. */
export const SCRIPTS = "management_scripts";

/** Tables of ours beside it, so that merges leave them alone and a reset or a restore takes them along with the data. */
const OURS = ["management_migrations", SCRIPTS];

/** Where the history of a database is. */
export interface HistoryPlace {
  /** The schema that has it, or that is to have it. */
  readonly schema: string;
  /** The tables that are there, the history's and ours, each with its schema. */
  readonly tables: ReadonlyMap<string, string>;
}

/** Nothing says which table of a database is its history. */
export class UnclearHistoryError extends Error {}

type HistoryReader = (query: string) => Promise<Record<string, unknown>[]>;

/** The history is known by its columns: its schema has a product's word in its name. */
const IS_HISTORY =
  `c.relname = '${HISTORY}' and (select count(*) from pg_catalog.pg_attribute a where a.attrelid = c.oid and not a.attisdropped and ` +
  "(a.attname, a.atttypid::pg_catalog.regtype::text) in (('version', 'text'), ('statements', 'text[]'), ('name', 'text'))) = 3";
const TABLES =
  "from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p') and n.nspname !~ '^pg_'";
const ALL = `select n.nspname as schema, c.relname as name ${TABLES} and (${IS_HISTORY} or c.relname in (${OURS.map(quoteLiteral).join(", ")}))`;
// A row that is always there tells an answer from none.
const QUERY = `${ALL} union all select '', '' order by 1, 2`;

/** SQL that is true where another schema than this has a history. */
export function formatElsewhereTest(schema: string): string {
  return `exists (select ${TABLES} and ${IS_HISTORY} and n.nspname <> ${quoteLiteral(schema)})`;
}

function placeKey(ref: string): string {
  return `history-place:${ref}`;
}

/** What a run keeps the rows of a history by: both endpoints read one table, each in its own form. */
export function historyListKey(ref: string, via: "migrations" | "query"): string {
  return `${via}-history:${ref}`;
}

function usersKeyOf(ref: string): string {
  return `tables-of-users:${ref}`;
}

export function forgetPlace(ctx: Context, ref: string): void {
  ctx.shared.forget(placeKey(ref));
  ctx.shared.forget(usersKeyOf(ref));
}

/** Makes the next look ask again, whichever endpoint it is by. */
export function forgetHistory(ctx: Context, ref: string): void {
  forgetPlace(ctx, ref);
  for (const via of ["migrations", "query"] as const) ctx.shared.forget(historyListKey(ref, via));
}

/** Finds the history, or where it is to be made; two of them are refused. */
export function findHistoryPlace(ctx: Context, ref: string, look: HistoryReader): Promise<HistoryPlace> {
  return ctx.shared.list(placeKey(ref), async () => {
    const rows = (await look(QUERY)).map(({ schema, name }) => [schema, name] as const);
    if (!rows.some(([schema, name]) => schema === "" && name === ""))
      throw new ResponseSchemaError(
        "runReadOnlyQuery failed: the answer has unexpected rows. All records are treated as still present. Run again.",
        "runReadOnlyQuery",
        "schema",
      );
    const schemasOf = (table: string): string[] =>
      rows.flatMap(([schema, name]) => (name === table && typeof schema === "string" ? [schema] : []));
    const schema = chooseSchema(ctx, ref, schemasOf(HISTORY));
    const ours = OURS.flatMap((table): [string, string][] => {
      const chosen = chooseOnly(ctx, ref, table, schemasOf(table));
      return chosen === undefined ? [] : [[table, chosen]];
    });
    const history: [string, string][] = schemasOf(HISTORY).includes(schema) ? [[HISTORY, schema]] : [];
    return { schema, tables: new Map([...history, ...ours]) };
  });
}

function chooseSchema(ctx: Context, ref: string, found: readonly string[]): string {
  const { name, isGiven } = ctx.api.schemaNamed("svc_migrations");
  const only = chooseOnly(ctx, ref, HISTORY, found);
  if (isGiven && only !== undefined && only !== name)
    throw new UnclearHistoryError(problems.otherHistory.message({ ref, named: name, found: only }));
  return only ?? name;
}

/** The schema of the only table of a name, or of several the one that the names file says. */
function chooseOnly(ctx: Context, ref: string, table: string, found: readonly string[]): string | undefined {
  const { name, isGiven } = ctx.api.schemaNamed("svc_migrations");
  if (isGiven && found.includes(name)) return name;
  const [only, second] = found;
  if (second !== undefined)
    throw new UnclearHistoryError(problems.twoHistories.message({ ref, tables: formatTables(table, found) }));
  return only;
}

function formatTables(table: string, schemas: readonly string[]): string {
  return schemas.map((schema) => quoteName(schema, table)).join(" and ");
}

/**
 * SQL that is true where the transaction of a script made a table. The row of a system column is written with the table and
 * never again, so its `xmin` is that transaction, whoever altered the table since.
 */
const MADE_BY =
  "exists (select from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum = -1 and a.xmin::text::numeric = s.transaction_id::text::numeric % 4294967296)";

/** Schemas that a new project has or that come with extensions (service, SQL), by names that tell. */
const PLATFORM =
  "auth cron extensions graphql graphql_public information_schema net pgmq pgmq_public pgtle realtime repack storage tiger topology vault".split(
    " ",
  );

/**
 * Names of some tables that are neither the platform's nor an extension's nor ours, nor made by a recorded script: somebody
 * has built on the database.
 */
export function listUserTables(
  ctx: Context,
  ref: string,
  { schema, tables }: HistoryPlace,
  look: HistoryReader,
): Promise<string[]> {
  return ctx.shared.list(usersKeyOf(ref), async () => {
    const spelled = (["crypto_ext", "legacy_pooler", "svc_functions"] as const).map(
      (placeholder) => ctx.api.schemaNamed(placeholder).name,
    );
    const others = [...PLATFORM, ...spelled, schema];
    const ofExtension =
      "exists (select from pg_catalog.pg_depend d where d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.objid = c.oid and d.deptype = 'e')";
    // Webhooks have tables in a schema of the platform's that may have any name.
    const ofWebhooks =
      "n.nspname <> 'public' and exists (select from pg_catalog.pg_proc p where p.pronamespace = n.oid and p.proname = 'http_request' and p.pronargs = 0)";
    const scripts = tables.get(SCRIPTS);
    const ofScript =
      scripts === undefined
        ? "false"
        : `exists (select from ${quoteName(scripts, SCRIPTS)} s where ${MADE_BY})`;
    const rows = await look(
      `select n.nspname || '.' || c.relname as name ${TABLES} and n.nspname not in (${others.map(quoteLiteral).join(", ")}) ` +
        `and c.relname not in (${OURS.map(quoteLiteral).join(", ")}) and not (${IS_HISTORY}) and not ${ofExtension} and not (${ofWebhooks}) and not ${ofScript} order by 1 limit 4`,
    );
    return rows.map(({ name }) => String(name));
  });
}

/** Forgets where the history is when a look at its tables is refused, as it may have gone since; undefined where it has not. */
export async function forgetPlaceIfRefused<T>(ctx: Context, ref: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    forgetPlace(ctx, ref);
    return read();
  }
}
