import type { Database } from "./databases";

export interface Query {
  readonly sql: string;
  readonly parameters: readonly unknown[] | undefined;
}

/** The rows of the last statement that gives rows. */
export async function runQuery(
  database: Database,
  { sql, parameters }: Query,
): Promise<Record<string, unknown>[]> {
  // Only a single statement can be given parameters: Postgres itself refuses several.
  if (parameters !== undefined && parameters.length > 0) return (await database.query(sql, parameters)).rows;
  const results = await database.exec(sql);
  return results.findLast(({ fields }) => fields.length > 0)?.rows ?? [];
}

/**
 * Turns the session into one of the role that only reads. Whoever sets role and session back by SQL of his own gets out
 * of it, as there are no real logins here.
 */
export async function becomeReadOnly(database: Database): Promise<void> {
  await database.logInAs(database.names("roles", "svc_read_only_user"));
  await database.exec("set default_transaction_read_only = on");
}

/** From now on only qualified names are found. */
export async function forgetSearchPath(database: Database): Promise<void> {
  await database.exec("set search_path = ''");
}
