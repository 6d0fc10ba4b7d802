import type { Context } from "../../define/context";

type SecretMap = Readonly<Record<string, string>>;

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
    // The same collection that secrets of their own read.
    ctx.shared.forget(`secrets:${ref}`);
  }
}
