import { z } from "zod";
import {
  compareVersions,
  isSame,
  type Migration,
  type MigrationHistory,
  type Recorded,
} from "./migration-history";

/** What a program's state has of a migration. */
export const migrationEntry = z
  .object({
    version: z.string().describe("Version: digits, by which migrations are ordered."),
    name: z.string().describe("Name, if it was recorded with one.").optional(),
    sha256: z
      .string()
      .describe("SHA-256 of the SQL, with `\\n` at the end of every line; absent for what others applied.")
      .optional(),
  })
  .meta({ id: "MigrationEntry", description: "A migration of a database." });

export type MigrationEntry = z.infer<typeof migrationEntry>;

export function entryOf({ version, name, sha256 }: Migration): MigrationEntry {
  return { version, name, sha256 };
}

/** The entries of a history, the program's own first. `known` are the ones in state, whose hashes need no look. */
export function entriesOf(recorded: readonly Recorded[], known: readonly MigrationEntry[]): MigrationEntry[] {
  const entries = recorded.map(({ version, name, sha256 }): MigrationEntry => {
    const same = known.find((entry) => isSame(entry, { version }));
    const hash = sha256 ?? same?.sha256;
    return {
      version: same?.version ?? version,
      ...(name === undefined ? {} : { name }),
      ...(hash === undefined || same === undefined ? {} : { sha256: hash }),
    };
  });
  const isTheirs = ({ sha256 }: MigrationEntry): number => (sha256 === undefined ? 1 : 0);
  return entries.sort(
    (left, right) => isTheirs(left) - isTheirs(right) || compareVersions(left.version, right.version),
  );
}

/**
 * What a history says of the program's migrations that the state does not know: with the hash of what was applied, or, where
 * no history tells it, as the program has them.
 */
export async function lookedUp(
  history: MigrationHistory,
  recorded: readonly Recorded[],
  all: readonly Migration[],
  known: readonly MigrationEntry[],
): Promise<MigrationEntry[]> {
  const found: MigrationEntry[] = [...known];
  for (const each of recorded) {
    const isKnown = known.some((entry) => entry.sha256 !== undefined && isSame(entry, each));
    const migration = all.find((one) => isSame(one, each));
    if (isKnown || migration === undefined) continue;
    const sha256 = each.sha256 ?? (await history.detailsOf(each)).sha256 ?? migration.sha256;
    found.unshift({ version: migration.version, name: each.name, sha256 });
  }
  return entriesOf(recorded, found);
}
