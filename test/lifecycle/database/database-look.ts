import type { Scenario } from "../scenario";

/** The rows of a query on a project's database, past the provider. */
export function queried(
  { emulator }: Pick<Scenario, "emulator">,
  ref: string,
  query: string,
): Promise<Record<string, unknown>[]> {
  return emulator.control.call("runQuery", { ref, body: { query } });
}

/** What is in the tables of the samples' migrations: nothing where there is no history. */
export async function migrated(scenario: Scenario, ref: string): Promise<unknown[]> {
  const history = await scenario.emulator.control.call("listMigrations", { ref });
  if (history.length === 0) return [];
  const notes = await queried(scenario, ref, "select body from notes");
  return [{ history: history.map(({ name }) => name), notes: notes.map(({ body }) => body) }];
}

/** Removes what the samples' migrations made, and the history. */
export async function forgetMigrations(scenario: Scenario, ref: string): Promise<void> {
  await queried(scenario, ref, "drop schema if exists svc_migrations cascade; drop table if exists notes");
}

/** All rows of a table; undefined where there is none. */
export async function tableRows(
  scenario: Scenario,
  ref: string,
  table: string,
): Promise<Record<string, unknown>[] | undefined> {
  const [answer] = await queried(scenario, ref, `select to_regclass('${table}') is not null as made`);
  return answer?.["made"] === true ? queried(scenario, ref, `select * from ${table}`) : undefined;
}
