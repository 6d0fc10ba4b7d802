import type { Migration, MigrationVia } from "./migration-history";
import { migrationProblems as problems } from "./migration-problems";
import { faultIn, isRepeatable, lineAt, short, soleStatementAlone, type ScriptFault } from "./sql-statements";

type Checked = Pick<Migration, "label" | "query" | "rollback" | "rollbackLabel">;

const OF_KIND = {
  rows: problems.rowsForPsql,
  command: problems.psqlCommand,
  transaction: problems.ownTransaction,
  mixed: problems.standsAlone,
};

/** Why a migration and its rollback cannot be run as they are, each with its line. */
export function scriptFailures(
  { label, query, rollback, rollbackLabel = label }: Checked,
  via: MigrationVia,
): string[] {
  const messages = [messageOf(label, faultIn(query))];
  if (rollback !== undefined)
    messages.push(
      messageOf(rollbackLabel, faultIn(rollback)) ?? rollbackFailure(rollbackLabel, rollback, via),
    );
  return messages.flatMap((message) => message ?? []);
}

function messageOf(file: string, fault: ScriptFault | undefined): string | undefined {
  if (fault === undefined) return undefined;
  const { kind, line, words } = fault;
  return OF_KIND[kind].message({ file, line: String(line), statement: words });
}

function rollbackFailure(file: string, rollback: string, via: MigrationVia): string | undefined {
  const statement = soleStatementAlone(rollback);
  if (statement === undefined) return undefined;
  const told = { file, line: String(lineAt(rollback, statement.first)), statement: short(statement.words) };
  if (via === "migrations") return problems.rollbackByEndpoint.message(told);
  return isRepeatable(statement) ? undefined : problems.rollbackAlone.message(told);
}
