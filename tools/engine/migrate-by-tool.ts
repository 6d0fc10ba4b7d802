import type { Emulator } from "../../emulator";

/**
 * Applies migrations as the platform's own tool does: it splits its files in a way of its own, and its table may have
 * columns that others lack.
 */
export async function migrateByTool(
  { emulator }: { readonly emulator: Pick<Emulator, "control"> },
  ref: string,
  files: Readonly<Record<string, string>>,
  { schema = "svc_migrations", more = "" }: { readonly schema?: string; readonly more?: string } = {},
): Promise<void> {
  const query = (sql: string): Promise<unknown> =>
    emulator.control.call("runQuery", { ref, body: { query: sql } });
  await query(
    `create schema if not exists ${schema};
     create table if not exists ${schema}.schema_migrations (version text primary key, statements text[], name text${more})`,
  );
  for (const [file, sql] of Object.entries(files)) {
    const [, version = "", name = ""] = /^(\d+)_(.*)\.sql$/.exec(file) ?? [];
    const statements = sql.split(";").flatMap((part) => part.trim() || []);
    await query(sql);
    await query(
      `insert into ${schema}.schema_migrations (version, statements, name)
       values (${[version, `{${statements.map(element).join()}}`, name].map(quoted).join(", ")})`,
    );
  }
}

/** An element of an array's literal, in which a backslash stands before a character that is meant. */
function element(text: string): string {
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
