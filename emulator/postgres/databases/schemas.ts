import type { Database } from "./databases";

/** Names that are separated by commas, each once. */
export function schemasIn(text: string): string[] {
  return [...new Set(text.split(",").flatMap((name) => name.trim() || []))];
}

/** The schemas of a database, without Postgres' own. */
export async function listSchemas(database: Database): Promise<string[]> {
  const { rows } = await database.query<{ nspname: string }>(
    `select nspname from pg_namespace
      where nspname !~ '^pg_' and nspname <> 'information_schema' order by nspname`,
  );
  return rows.map(({ nspname }) => nspname);
}
