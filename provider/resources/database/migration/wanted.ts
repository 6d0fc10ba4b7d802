import { z } from "zod";
import {
  DEFAULT_VIA,
  hashed,
  isSame,
  nameOf,
  type Migration,
  type MigrationVia,
} from "../shared/migration-history";
import { refusals, type WantedMigrations } from "../shared/migration-rules";
import { scriptFailures } from "../shared/migration-check";
import type { CheckFailure, CheckResult } from "../../../define/resource";
import { problems } from "./problems";

/** The versions, of which there is one at most, that others applied: the lifecycle's own, as its name begins with `__`. */
export const bookkeeping = z.object({ __ofOthers: z.array(z.string()).optional() });

export function isOfOthers(state: object): boolean {
  return (bookkeeping.catch({}).parse(state).__ofOthers ?? []).length > 0;
}

/** The inputs that make a migration. */
interface One {
  readonly version: string;
  readonly name: string;
  readonly query: string;
  readonly rollback?: string | undefined;
}

interface Declared extends One {
  readonly projectRef: string;
  readonly via?: MigrationVia | undefined;
  readonly rollbackOnDelete?: boolean | undefined;
}

export function oneOf({ version, name, query, rollback }: One): Migration {
  return hashed({ version, name, label: nameOf({ version, name }), query, rollback });
}

export function wantedOf({ projectRef: ref, ...one }: One & Pick<Declared, "projectRef">): WantedMigrations {
  return { ref, all: [oneOf(one)], until: undefined, isWhole: false };
}

export function checkMigration(
  { query, rollback, via = DEFAULT_VIA, rollbackOnDelete, version = "", name = "" }: Partial<Declared>,
  isUnknown: (name: "rollback") => boolean,
): CheckResult<{ sha256?: string | undefined }> {
  const label = nameOf({ version, name });
  const failuresAt = (
    path: string,
    scripts: { query: string; rollback: string | undefined },
  ): CheckFailure[] => scriptFailures({ label, ...scripts }, via).map((reason) => ({ path, reason }));
  const failures = [
    ...failuresAt("query", { query: query ?? "", rollback: undefined }),
    ...failuresAt("rollback", { query: "", rollback }),
  ];
  if (rollbackOnDelete === true && rollback === undefined && !isUnknown("rollback"))
    failures.push({ path: "rollbackOnDelete", reason: problems.nothingToRollBack.message() });
  if (query === undefined) return { failures };
  return { failures, computed: { sha256: oneOf({ version, name, query }).sha256 } };
}

/** What was applied keeps its version, name and query. */
export function refusalsByState(
  state: Partial<One> & { readonly sha256?: string | undefined },
  { projectRef: ref, version, name, query }: Partial<Declared>,
): CheckFailure[] {
  const { version: applied, name: appliedName, sha256 } = state;
  if (applied === undefined || ref === undefined || version === undefined) return [];
  if (!isSame({ version: applied }, { version })) {
    const file = nameOf({ version: applied, name: appliedName });
    return [{ path: "version", reason: problems.versionStays.message({ file, ref }) }];
  }
  if (name === undefined || query === undefined) return [];
  const wanted = wantedOf({ projectRef: ref, version, name, query });
  const entry = { version, name: appliedName, sha256 };
  const known = { migrations: [entry], ofOthers: isOfOthers(state) ? [version] : [] };
  return refusals(wanted, known).map((reason) => ({ path: "query", reason }));
}
