import { createHash } from "node:crypto";
import { ApiError } from "../../../client/errors";
import type { Context } from "../../../define/context";

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
    const listed = await ctx.shared.list(listKey(ref), () => ctx.api.listSecrets({ ref }));
    const hashes = new Map(listed.map(({ name, value }) => [name, value]));
    return Object.fromEntries(
      Object.entries(declared)
        .filter(([name]) => hashes.has(name))
        .map(([name, value]) => [name, asDeclared(value, hashes.get(name))]),
    );
  } catch (error) {
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
    ctx.shared.forget(listKey(ref));
    // The same collection, as secrets that are resources of their own read it.
    ctx.shared.forget(`secrets:${ref}`);
  }
}

function asDeclared(value: string, hash: string | null | undefined): string {
  const isSame = hash == null || hash.toLowerCase() === createHash("sha256").update(value).digest("hex");
  return isSame ? value : `changed outside (sha256 ${hash.slice(0, 12)}…)`;
}

function listKey(ref: string): string {
  return `branch-secrets:${ref}`;
}
