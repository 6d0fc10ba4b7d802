import { ApiError } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { changedOutside, forgetSecrets, isHeld, secretsOf } from "../../functions/shared/function-secrets";
import { sha256 } from "../../../define/sha256";

type SecretMap = Readonly<Record<string, string>>;

/**
 * The declared secrets as the branch has them: the service tells hashes only (service, Values that come back changed), so one that differs
 * tells its hash, and one that is missing is absent. Undefined while the branch cannot tell.
 */
export async function readSecrets(
  ctx: Context,
  ref: string,
  declared: SecretMap,
): Promise<Record<string, string> | undefined> {
  try {
    const present = await secretsOf(ctx, ref);
    return Object.fromEntries(
      Object.entries(declared).flatMap(([name, value]) => {
        const record = present.get(name);
        if (record === undefined) return [];
        return [[name, isHeld(record, sha256(value)) ? value : changedOutside(record)]];
      }),
    );
  } catch (error) {
    // Its project is not there yet. A 403 is the token's here, which must be told.
    if (error instanceof ApiError && [400, 404].includes(error.status)) return undefined;
    throw error;
  }
}

/** Brings the branch's own secrets from one map to another, in at most one call for each kind of change. */
export async function changeSecrets(
  ctx: Context,
  ref: string,
  before: SecretMap,
  declared: SecretMap,
): Promise<void> {
  const set = Object.entries(declared)
    .filter(([name, value]) => before[name] !== value)
    .map(([name, value]) => ({ name, value }));
  const removed = Object.keys(before).filter((name) => declared[name] === undefined);
  try {
    if (set.length > 0) await ctx.api.createSecrets({ ref, body: set });
    if (removed.length > 0) await ctx.api.deleteSecrets({ ref, body: removed });
  } finally {
    forgetSecrets(ctx, ref);
  }
}
