import { canonicalCidr, parseCidr } from "../shared/cidrs";
import { getNetworkLists, isApplied, isInPlan } from "../shared/network-lists";
import { poll } from "../../../waiting/poll";
import { whenReady } from "../../../waiting/project-health";
import type { Context } from "../../../define/context";
import type { BulkItem } from "../../../define/shared-calls";

/** The addresses that may connect to a project's database. */
export interface Allowed {
  /** As the service spells them, by their one spelling. */
  readonly spellings: ReadonlyMap<string, readonly string[]>;
  readonly isApplied: boolean;
  readonly isInPlan: boolean;
}

const listKey = (ref: string): string => `network-lists:${ref}`;

/** A project's entries: read once in a run, and again after a write. */
export async function allowedIn(ctx: Context, ref: string): Promise<Allowed> {
  return ctx.shared.list(listKey(ref), async () => {
    const answer = await ctx.api.ofEveryProject(ref, () => getNetworkLists(ctx, ref));
    const { dbAllowedCidrs, dbAllowedCidrsV6 } = answer.config;
    const spellings = new Map<string, string[]>();
    for (const text of [...(dbAllowedCidrs ?? []), ...(dbAllowedCidrsV6 ?? [])]) {
      const cidr = canonicalCidr(text);
      spellings.set(cidr, [...(spellings.get(cidr) ?? []), text]);
    }
    return { spellings, isApplied: isApplied(answer), isInPlan: isInPlan(answer) };
  });
}

/** Reads the entries until they are in force; all who wait at a time share the looks. */
export async function untilApplied(ctx: Context, ref: string): Promise<Allowed> {
  const key = `network-lists:applied:${ref}`;
  const looking = (): Promise<Allowed> =>
    poll<Allowed, Allowed>(ctx, {
      what: `the network restrictions of ${ref} to be applied`,
      look: () => {
        ctx.shared.forget(listKey(ref));
        return allowedIn(ctx, ref);
      },
      judge: (seen) =>
        seen.isApplied ? { kind: "done", value: seen } : { kind: "waiting", reason: "they are stored" },
    });
  return ctx.shared.list(key, () => looking().finally(() => ctx.shared.forget(key)));
}

/** Adds an entry in one call with all others that are added now; adding one twice is adding it once. */
export async function allow(ctx: Context, ref: string, cidr: string): Promise<void> {
  const send: BulkItem<string>["send"] = async (cidrs, limits) => {
    const together = ctx.within(limits);
    const body = { add: byFamily(cidrs) };
    await whenReady(together, ref, ["db"], () => together.api.patchNetworkRestrictions({ ref, body }));
  };
  const adding = ctx.shared.inBulk(`network-lists:add:${ref}`, { item: cidr, limits: ctx, send });
  await adding.finally(() => ctx.shared.forget(listKey(ref)));
}

/** Removes an entry, in every spelling that the service has of it, in one call with all others that are removed now. */
export async function disallow(ctx: Context, ref: string, spellings: readonly string[]): Promise<void> {
  const send: BulkItem<readonly string[]>["send"] = async (items, limits) => {
    const together = ctx.within(limits);
    const body = { remove: byFamily(items.flat()) };
    await whenReady(together, ref, ["db"], () => together.api.patchNetworkRestrictions({ ref, body }));
  };
  const removing = ctx.shared.inBulk(`network-lists:remove:${ref}`, { item: spellings, limits: ctx, send });
  await removing.finally(() => ctx.shared.forget(listKey(ref)));
}

interface Lists {
  readonly dbAllowedCidrs?: string[];
  readonly dbAllowedCidrsV6?: string[];
}

function byFamily(texts: readonly string[]): Lists {
  const isV6 = (text: string): boolean => parseCidr(text)?.family === "v6";
  const [v4, v6] = [texts.filter((text) => !isV6(text)), texts.filter(isV6)];
  return {
    ...(v4.length === 0 ? {} : { dbAllowedCidrs: v4 }),
    ...(v6.length === 0 ? {} : { dbAllowedCidrsV6: v6 }),
  };
}
