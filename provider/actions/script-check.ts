import { faultIn, statementAlone } from "../resources/database/shared/sql-statements";
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
  return [...own, ...ofPsql(declared), ...misnamed(declared)];
}

function unrecorded({ onDelete, transaction }: DeclaredScript): CheckFailure[] {
  const reason = problems.nothingToRecord.message();
  return Object.entries({ onDelete, transaction }).flatMap(([path, given]) =>
    given === undefined ? [] : [{ path, reason }],
  );
}

/** What only psql understands, no endpoint takes. */
function ofPsql({ query, onDelete }: DeclaredScript): CheckFailure[] {
  return Object.entries({ query, onDelete }).flatMap(([path, script = ""]) => {
    const fault = faultIn(script);
    if (fault?.kind !== "rows" && fault?.kind !== "command") return [];
    const told = { line: String(fault.line), statement: fault.words };
    return [{ path, reason: problems.forPsql.message(told) }];
  });
}

function standingAlone({ query, onDelete, transaction }: DeclaredScript): CheckFailure[] {
  const alone = statementAlone((transaction === false ? undefined : query) ?? "");
  const undoAlone = statementAlone(onDelete ?? "");
  const failures = {
    query: alone && problems.standsAlone.message({ statement: alone }),
    onDelete: undoAlone && problems.undoStandsAlone.message({ statement: undoAlone }),
  };
  return Object.entries(failures).flatMap(([path, reason]) =>
    reason === undefined ? [] : [{ path, reason }],
  );
}

function misnamed({ name, adoptId }: DeclaredScript): CheckFailure[] {
  if (name === undefined || adoptId === undefined || adoptId === name) return [];
  return [{ path: "adoptId", reason: problems.otherName.message({ name }) }];
}
