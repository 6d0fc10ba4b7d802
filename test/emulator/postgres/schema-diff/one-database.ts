import { createDatabases } from "../../../../emulator/postgres/databases/create-databases";
import type { Database } from "../../../../emulator/postgres/databases/databases";
import { platformRoles, platformSchemas } from "../../../../emulator/postgres/sql/platform/new-database";
import { literalDatabaseNames as names } from "../../../../emulator/postgres/sql/platform/spelling";

/** One Postgres that plays several databases one after the other: starting one for each takes too long. */
export interface OneDatabase {
  use<T>(work: (database: Database) => Promise<T>): Promise<T>;
  /** Empties it, and runs what makes it the wanted one. */
  become(script: string): Promise<void>;
  close(): Promise<void>;
}

export function openDatabase(): OneDatabase {
  const databases = createDatabases();
  const use: OneDatabase["use"] = (work) => databases.use("one", work);
  return {
    use,
    async become(script) {
      await use(async (database) => {
        await database.asPlatform(() => database.exec(empty));
        await database.exec(`create schema public; ${script}`);
      });
    },
    close: () => databases.close(),
  };
}

const listed = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(", ");

/** What the platform put into the database stays. */
const empty = `
  do $$
  declare found text;
  begin
    for found in select extname from pg_extension
      where extname not in ('plpgsql', 'pgcrypto', 'uuid-ossp', 'pg_stat_statements', 'svc_vault') loop
      execute format('drop extension %I cascade', found);
    end loop;
    for found in select nspname from pg_namespace where nspname !~ '^pg_'
      and nspname not in ('information_schema', ${listed(platformSchemas(names))}) loop
      execute format('drop schema %I cascade', found);
    end loop;
    for found in select rolname from pg_roles where rolname !~ '^pg_' and rolname not in (${listed(platformRoles(names))}) loop
      execute format('drop owned by %I', found);
      execute format('drop role %I', found);
    end loop;
  end $$`;
