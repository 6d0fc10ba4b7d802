import { ApiError, isRefusal } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { UnclearHistoryError } from "../../../resources/database/shared/history-place";
import { hashStatements } from "../../../resources/database/shared/migration-history";
import {
  findTablesOfUsers,
  readStatements,
} from "../../../resources/database/shared/migration-history-by-query";

/** What migrations are brought by, and what of it the program consents to. */
export interface TransferInputs {
  readonly projectRef: string;
  readonly branchRef: string;
  readonly migrationVersion?: string | undefined;
  readonly confirm?: string | undefined;
}

/** Migrations on their way from one database to another. */
export interface MigrationTransfer {
  readonly from: { readonly ref: string; readonly word: "branch" | "project" };
  readonly to: { readonly ref: string; readonly word: "branch" | "project" };
  readonly by: "merge" | "push";
  /** Version of the last one. */
  readonly upTo: string | undefined;
}

export type MigrationRow = readonly [version: string, statements: readonly string[]];

/** What a merge or a push brings to the history of its target. */
export interface TransferContents {
  readonly migrations: readonly MigrationRow[];
  /** What speaks against it by itself. */
  readonly reasons: readonly string[];
  /** Lines that are shown with what is consented to, and belong to it. */
  readonly shown: readonly string[];
}

/** Undefined where a history cannot be read. */
export async function readBrought(
  ctx: Context,
  bringing: MigrationTransfer,
): Promise<TransferContents | undefined> {
  const { from, to, by, upTo } = bringing;
  try {
    const there = await readStatements(ctx, to.ref);
    const own = await readStatements(ctx, from.ref);
    const migrations = [...own].filter(([version]) => !there.has(version) && isUpTo(version, upTo));
    const isFirst = there.size === 0 && migrations.length > 0;
    const built = isFirst ? await findTablesOfUsers(ctx, to.ref) : [];
    if (built.length > 0)
      return {
        migrations,
        reasons: [
          `the ${to.word} has tables (${built.join(", ")}) but no migration history, so the ${by} may apply changes twice`,
        ],
        shown: migrations.map(([version]) => `-- migration ${version}`),
      };
    const twice = pairApplied(
      migrations,
      [...there].filter(([version]) => !own.has(version)),
    );
    return {
      migrations,
      reasons: twice.map(
        ([version, as]) =>
          `the ${to.word} already has the statements of the ${from.word}'s migration ${version}, as ${as}, so the ${by} may apply them again`,
      ),
      shown: twice.map(([version, as]) => `-- migration ${version}, which the ${to.word} has as ${as}`),
    };
  } catch (error) {
    const isClosed = error instanceof ApiError && error.status === 403;
    if (!isClosed && !isRefusal(error) && !(error instanceof UnclearHistoryError)) throw error;
    return undefined;
  }
}

/**
 * Which of these migrations the target has under another version, as where one program applied a file by the query
 * endpoint and another by that of migrations.
 */
function pairApplied(added: readonly MigrationRow[], onlyThere: readonly MigrationRow[]): [string, string][] {
  const known = new Map(onlyThere.map(([version, statements]) => [hashStatements(statements), version]));
  return added.flatMap(([version, statements]) => {
    const as = known.get(hashStatements(statements));
    return as === undefined ? [] : [[version, as]];
  });
}

/** By whichever order the service takes versions. */
function isUpTo(version: string, last: string | undefined): boolean {
  if (last === undefined || version === last) return true;
  const areNumbers = [version, last].every((each) => /^\d+$/.test(each));
  return version < last && areNumbers && BigInt(version) < BigInt(last);
}
