import { createDatabases } from "../../../emulator/sql/create-databases";
import type { Database } from "../../../emulator/sql/databases";

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
      await use((database) => database.exec(`${empty}; create schema public; ${script}`));
    },
    close: () => databases.close(),
  };
}

const empty = `
  do $$
  declare found text;
  begin
    for found in select extname from pg_extension where extname <> 'plpgsql' loop
      execute format('drop extension %I cascade', found);
    end loop;
    for found in select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' loop
      execute format('drop schema %I cascade', found);
    end loop;
    for found in select rolname from pg_roles where not rolsuper and rolname !~ '^pg_' loop
      execute format('drop owned by %I', found);
      execute format('drop role %I', found);
    end loop;
  end $$`;
