import { statementAlone } from "../converge/sql-transaction";
import type { CheckFailure } from "../define/resource";
import { scriptProblems as problems } from "./script-problems";

/** What is declared of a script; unknown fields are absent. */
export interface DeclaredScript {
  readonly name?: string | undefined;
  readonly query?: string | undefined;
  readonly onDelete?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly transaction?: boolean | undefined;
  readonly adoptId?: string | undefined;
}

export function faultsOf(declared: DeclaredScript): CheckFailure[] {
  const own = declared.readOnly === true ? unrecorded(declared) : standingAlone(declared);
  return [...own, ...misnamed(declared)];
}

function unrecorded({ onDelete, transaction }: DeclaredScript): CheckFailure[] {
  const reason = problems.nothingToRecord.message();
  return Object.entries({ onDelete, transaction }).flatMap(([path, given]) =>
    given === undefined ? [] : [{ path, reason }],
  );
}

function standingAlone({ query, onDelete, transaction }: DeclaredScript): CheckFailure[] {
  const [script, undoing] = [transaction === false ? "" : query, onDelete].map((sql = "") =>
    statementAlone(sql),
  );
  return [
    ...(script === undefined
      ? []
      : [{ path: "query", reason: problems.standsAlone.message({ statement: script }) }]),
    ...(undoing === undefined
      ? []
      : [{ path: "onDelete", reason: problems.undoStandsAlone.message({ statement: undoing }) }]),
  ];
}

function misnamed({ name, adoptId }: DeclaredScript): CheckFailure[] {
  if (name === undefined || adoptId === undefined || adoptId === name) return [];
  return [{ path: "adoptId", reason: problems.otherName.message({ name }) }];
}
