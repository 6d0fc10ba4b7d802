import { z } from "zod";
import type { MigrationEntry } from "../../../converge/migration-entries";
import { sha256 } from "../../../converge/sha256";

/** The hash of what was declared last: the lifecycle's own, as its name begins with `__`. */
export const bookkeeping = z.object({ __folder: z.string().optional() });

type Bookkeeping = z.output<typeof bookkeeping>;

/** The bookkeeping within a state. */
export function bookkeepingIn(state: object): Bookkeeping {
  return bookkeeping.catch({}).parse(state);
}

export function bookkeepingOf(declared: {
  readonly migrations?: readonly MigrationEntry[] | undefined;
  readonly rollbackTo?: string | undefined;
}): Bookkeeping {
  const { migrations = [], rollbackTo } = declared;
  const listed = migrations.map(({ version, name, sha256 }) => [version, name, sha256]);
  return { __folder: sha256(JSON.stringify([listed, rollbackTo])) };
}
