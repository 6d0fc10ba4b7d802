import { z } from "zod";
import type { Known, MigrationEntry } from "../shared/migration-entries";
import { sha256 } from "../../../define/sha256";

/** The lifecycle's own, as its names begin with `__`. */
export const bookkeeping = z.object({
  /** The hash of what was declared last. */
  __folder: z.string().optional(),
  /** Versions of the folder's migrations that others applied. */
  __ofOthers: z.array(z.string()).optional(),
  /** Versions that the database had before it had a history: to be recorded before anything is applied. */
  __baseline: z.array(z.string()).optional(),
});

type Bookkeeping = z.output<typeof bookkeeping>;

/** The bookkeeping within a state. */
export function bookkeepingIn(state: object): Bookkeeping {
  return bookkeeping.catch({}).parse(state);
}

/** What a state knows of what was applied. */
export function knownIn(state: { readonly migrations?: readonly MigrationEntry[] | undefined }): Known {
  return { migrations: state.migrations ?? [], ofOthers: bookkeepingIn(state).__ofOthers ?? [] };
}

/** The hash of what is declared. */
export function folderHash(declared: {
  readonly migrations?: readonly MigrationEntry[] | undefined;
  readonly rollbackTo?: string | undefined;
}): { readonly __folder: string } {
  const { migrations = [], rollbackTo } = declared;
  const listed = migrations.map(({ version, name, sha256 }) => [version, name, sha256]);
  return { __folder: sha256(JSON.stringify([listed, rollbackTo])) };
}
