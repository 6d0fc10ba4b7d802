import { projectAt } from "../../service/rules/shared/project-at";
import { inProjectDatabase } from "../../service/rules/shared/database/project-database";
import { readHistory } from "../../postgres/migrations/history";
import { platformSchemas } from "../../postgres/sql/platform/new-database";
import type { Database } from "../../postgres/databases/databases";
import type { World } from "../../service/world/world";

/** What is in a project, by name: no value of a secret or key. */
export interface ProjectContents {
  readonly functions: readonly { readonly name: string; readonly status: string; readonly version: number }[];
  readonly secrets: readonly string[];
  readonly apiKeys: readonly { readonly name: string; readonly type: string }[];
  readonly signingKeys: readonly { readonly algorithm: string; readonly status: string }[];
  readonly migrations: readonly { readonly version: string; readonly name: string | null }[];
  /** With their schemas. */
  readonly tables: readonly string[];
  /** Why neither migrations nor tables could be read. */
  readonly databaseError?: string;
}

export async function readProjectContents(world: World, ref: string): Promise<ProjectContents> {
  const project = projectAt(world, ref);
  const byText = (left: string, right: string): number => left.localeCompare(right);
  return {
    functions: [...project.functions.values()]
      .map(({ slug, status, version }) => ({ name: slug, status, version }))
      .sort((left, right) => byText(left.name, right.name)),
    secrets: [...project.secrets.keys()].sort(byText),
    apiKeys: [...project.apiKeys.values()].map(({ name, type }) => ({ name, type })),
    signingKeys: [...project.signingKeys.values()].map(({ algorithm, status }) => ({ algorithm, status })),
    ...(await readDatabaseContents(world, ref)),
  };
}

type DatabaseContents = Pick<ProjectContents, "migrations" | "tables" | "databaseError">;

async function readDatabaseContents(world: World, ref: string): Promise<DatabaseContents> {
  try {
    return await inProjectDatabase(world, ref, async (database) => ({
      migrations: (await readHistory(database)).map(({ version, name }) => ({ version, name })),
      tables: await readTables(database),
    }));
  } catch (error) {
    const databaseError = error instanceof Error ? error.message : String(error);
    return { migrations: [], tables: [], databaseError };
  }
}

async function readTables(database: Database): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select s.nspname || '.' || c.relname as name
       from pg_class c join pg_namespace s on s.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'f') and not c.relispartition
         and s.nspname !~ '^pg_' and s.nspname <> 'information_schema' and s.nspname <> all($1::text[])
       order by s.nspname collate "C", c.relname collate "C"`,
    [platformSchemas(database.names)],
  );
  return rows.map(({ name }) => name);
}
