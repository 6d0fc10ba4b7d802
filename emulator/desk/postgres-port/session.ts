import type { Database } from "../../postgres/databases/databases";
import { type Frame, int32, message } from "./messages";

/** What a client has set in its session, as far as another's use of the database must not take it away. */
export interface SessionState {
  readonly settings: readonly { readonly name: string; readonly setting: string }[];
  /** Statements that SQL has prepared. */
  readonly prepared: readonly string[];
  /** Statements that the client has prepared by messages, by their names. */
  readonly named: ReadonlySet<string>;
  readonly channels: readonly string[];
  readonly role: string;
}

const READ_ONLY = "default_transaction_read_only";

/** Makes a fresh session of `postgres` one of `role`, with the role's own settings. */
export async function beginSession(database: Database, role: string): Promise<void> {
  if (role === "postgres") return;
  const { rows } = await database.query<{ value: string }>(`select current_setting('${READ_ONLY}') as value`);
  await database.asPlatform(async () => {
    await database.exec("reset all");
    await database.query(
      `select set_config(split_part(setting, '=', 1), substr(setting, strpos(setting, '=') + 1), false)
         from pg_db_role_setting, unnest(setconfig) setting
         where setrole in (0, (select oid from pg_roles where rolname = $1))
           and setdatabase in (0, (select oid from pg_database where datname = current_database()))
           and split_part(setting, '=', 1) not in ('session_preload_libraries')
         order by setrole, setdatabase`,
      [role],
    );
  });
  await database.logInAs(role);
  if (rows[0]?.value === "on") await database.exec(`set ${READ_ONLY} = on`);
}

/** Settings that the client sends with its login. */
export async function setAtLogin(database: Database, settings: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, value] of settings) {
    await database.query("select set_config($1, $2, false)", [name, value]);
  }
}

/** In the middle of no transaction. */
export async function saveSession(database: Database): Promise<SessionState> {
  const { rows } = await database.query<SessionState & { named: string[] }>(
    `select
       coalesce((select json_agg(json_build_object('name', name, 'setting', setting))
         from pg_settings where source = 'session'), '[]') as settings,
       coalesce((select json_agg(statement) from pg_prepared_statements where from_sql), '[]') as prepared,
       coalesce((select json_agg(name) from pg_prepared_statements where not from_sql), '[]') as named,
       coalesce((select json_agg(channel) from pg_listening_channels() channel), '[]') as channels,
       current_setting('role') as role`,
  );
  const [found] = rows;
  if (found === undefined) throw new Error("The database says nothing of its session");
  return { ...found, named: new Set(found.named) };
}

/** After `beginSession`. What cannot be set again, such as what only a superuser's script could set, stays away. */
export async function resumeSession(
  database: Database,
  state: SessionState,
  prepared: readonly Frame[],
): Promise<void> {
  // Read-only mode is the project's; a client can only ask for more of it.
  const settings = state.settings.filter(({ name, setting }) => name !== READ_ONLY || setting === "on");
  const attempts = [
    ...settings.map(({ name, setting }) => ["select set_config($1, $2, false)", name, setting] as const),
    ["select set_config('role', $1, false)", state.role] as const,
  ];
  for (const [sql, ...parameters] of attempts) {
    await database.query(sql, parameters).catch(() => undefined);
  }
  const statements = [
    ...state.prepared,
    ...state.channels.map((channel) => `listen "${channel.replaceAll('"', '""')}"`),
  ];
  for (const sql of statements) await database.exec(sql).catch(() => undefined);
  for (const { bytes } of prepared) await database.converse(Buffer.concat([bytes, message("S")]), []);
}

/** What Postgres tells its clients at the beginning, in the names of its settings. */
const TOLD = [
  "application_name",
  "client_encoding",
  "DateStyle",
  READ_ONLY,
  "in_hot_standby",
  "integer_datetimes",
  "IntervalStyle",
  "is_superuser",
  "scram_iterations",
  "search_path",
  "server_encoding",
  "server_version",
  "session_authorization",
  "standard_conforming_strings",
  "TimeZone",
];

/** The messages that end a login. */
export async function greeting(
  database: Database,
  keyOf: { readonly pid: number; readonly key: number },
): Promise<Buffer> {
  const { rows } = await database.query<{ name: string; value: string }>(
    "select name, current_setting(name) as value from unnest($1::text[]) name",
    [TOLD],
  );
  return Buffer.concat([
    message("R", int32(0)),
    ...rows.map(({ name, value }) => message("S", name, value)),
    message("K", int32(keyOf.pid), int32(keyOf.key)),
    message("Z", Buffer.from("I")),
  ]);
}
