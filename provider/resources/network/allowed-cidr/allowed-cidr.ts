import { z } from "zod";
import { InvalidInputError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import type { Context } from "../../../define/context";
import { inProject } from "../../../define/import-id";
import { listInProject } from "../../../define/list";
import { comparedBy, replaces } from "../../../define/markers";
import { requireProjectRef } from "../../../define/require-project-ref";
import { defineResource, type ImportId } from "../../../define/resource";
import type { BulkItem } from "../../../define/shared-calls";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { poll } from "../../../waiting/poll";
import { callWhenReady } from "../../../waiting/project-health";
import { toCanonicalCidr, cidrProblems, toCanonicalCidrs, parseCidr } from "../shared/cidrs";
import { getNetworkLists, isApplied, isInPlan, networkProblems } from "../shared/network-lists";

const problems = {
  ...networkProblems,
  noCidr: cidrProblems.noCidr,
  removedElsewhere: defineProblem({
    says: "{cidr} was added to the project {ref} twice, and another program removed it both times. {remedy}.",
    means: "Warning. Another program manages the whole list, for example with `NetworkRestrictions`.",
    remedy: "Declare the entry in that program, or remove the list from it, then run `pulumi up --refresh`",
  }),
  openToAll: defineProblem({
    says: "the project {ref} also allows {everyone}, so {cidr} has no effect: {remedy}.",
    means: "Warning. The list has the entry for all addresses, as in a new project.",
    remedy:
      "Remove that entry in the service's console, or declare the whole list with `NetworkRestrictions` instead",
  }),
  nobodyAllowed: defineProblem({
    says: "{cidr} was the last entry of the project {ref}. No address can connect to its database now. {remedy}.",
    means: "Warning. After a delete, both lists are empty.",
    remedy: "Allow addresses with `AllowedCidr` or `NetworkRestrictions`",
  }),
};

const inputs = z.strictObject({
  projectRef,
  cidr: replaces(
    comparedBy(
      z
        .string()
        .refine((text) => parseCidr(text) !== undefined, { error: problems.noCidr.message() })
        .describe(
          "Range of IPv4 or IPv6 addresses that may connect, in CIDR notation. A single address ends in `/32` or `/128`. A change replaces the resource.",
        ),
      toCanonicalCidrs,
    ),
  ),
  ...everyResource,
});

const outputs = z.object({});

const byParts = inProject("cidr", "`getNetworkRestrictions`");

const importId: ImportId<z.output<typeof inputs>> = {
  ...byParts,
  parse(text) {
    const parts = byParts.parse(text);
    return parts && { ...parts, id: toCanonicalCidr(parts.id) };
  },
};

/** The entry that lets all addresses of a family in, as a new project has it. */
function listEveryone(cidr: string): string {
  return parseCidr(cidr)?.family === "v6" ? "::/0" : "0.0.0.0/0";
}

/** One range of addresses that may connect to a project's database, beside those of others. */
export const allowedCidr = defineResource({
  type: "AllowedCidr",
  description:
    "A range of IP addresses that may connect to a project's database. Several programs can share the list, each with its own entries. A run adds and removes entries in bulk and waits until they are applied. A new project allows all addresses, so entries have no effect until `0.0.0.0/0` and `::/0` are removed. To manage the whole list, use `NetworkRestrictions` instead.",
  inputs,
  outputs,
  timeouts: { create: 600, update: 600, delete: 600 },
  isRepeatable: true,
  uniqueBy: ["cidr"],
  manages: { collection: "network restrictions", extent: "part" },
  importId,
  list: listInProject(
    async (ctx, ref) =>
      Array.from((await listAllowedOnce(ctx, ref)).spellings.keys(), (cidr) => ({ id: cidr, name: cidr })),
    /^[\da-f.:]+\/\d+$/i,
  ),
  problems,

  async find(ctx, { projectRef: ref, cidr }) {
    const id = toCanonicalCidr(cidr);
    const { spellings } = await listAllowedOnce(ctx, ref);
    return spellings.has(id) ? [{ id, label: `an entry of the project ${ref}` }] : [];
  },

  async read(ctx, { id, state }) {
    const ref = requireProjectRef(state);
    const { spellings, isWhole } = await listAllowedOnce(ctx, ref);
    if (!spellings.has(id) && isWhole(id)) return undefined;
    return { inputs: { projectRef: ref, cidr: id }, outputs: {} };
  },

  async create(ctx, { projectRef: ref, cidr }) {
    const { isInPlan } = await listAllowedOnce(ctx, ref);
    if (!isInPlan) throw new InvalidInputError("projectRef", problems.notInPlan.message({ ref }));
    const id = toCanonicalCidr(cidr);
    await allowCidr(ctx, ref, id);
    return { id };
  },

  async settle(ctx, { id, inputs: { projectRef: ref } }) {
    let seen = await waitUntilApplied(ctx, ref);
    if (!seen.spellings.has(id) && seen.isWhole(id)) {
      // Another program may have written the whole list meanwhile.
      await allowCidr(ctx, ref, id);
      seen = await waitUntilApplied(ctx, ref);
      if (!seen.spellings.has(id)) ctx.warn(problems.removedElsewhere.message({ ref, cidr: id }));
    }
    const everyone = listEveryone(id);
    if (id !== everyone && seen.spellings.has(everyone)) {
      ctx.warn(problems.openToAll.message({ ref, everyone, cidr: id }));
    }
    return { inputs: { projectRef: ref, cidr: id }, outputs: {} };
  },

  async delete(ctx, { id, state }) {
    const ref = requireProjectRef(state);
    const { spellings, isInPlan, isWhole } = await listAllowedOnce(ctx, ref);
    const spelled = spellings.get(id) ?? (isWhole(id) ? undefined : [id]);
    if (spelled === undefined) return;
    if (!isInPlan) {
      ctx.warn(problems.notInPlan.message({ ref }));
      return;
    }
    await disallowCidrs(ctx, ref, spelled);
    const left = await waitUntilApplied(ctx, ref);
    if (left.spellings.size === 0 && left.isWhole(id))
      ctx.warn(problems.nobodyAllowed.message({ ref, cidr: id }));
  },
});

/** The addresses that may connect to a project's database. */
export interface AllowedAddresses {
  /** As the service spells them, by their one spelling. */
  readonly spellings: ReadonlyMap<string, readonly string[]>;
  /** Whether the answer had the list of this range's family: what it leaves out is not known to be absent. */
  readonly isWhole: (cidr: string) => boolean;
  readonly isApplied: boolean;
  readonly isInPlan: boolean;
}

const listKey = (ref: string): string => `network-lists:${ref}`;

/** A project's entries: read once in a run, and again after a write. */
async function listAllowedOnce(ctx: Context, ref: string): Promise<AllowedAddresses> {
  return ctx.shared.list(listKey(ref), async () => {
    const answer = await ctx.api.ofEveryProject(ref, () => getNetworkLists(ctx, ref));
    const { dbAllowedCidrs, dbAllowedCidrsV6 } = answer.config;
    const spellings = new Map<string, string[]>();
    for (const text of [...(dbAllowedCidrs ?? []), ...(dbAllowedCidrsV6 ?? [])]) {
      const cidr = toCanonicalCidr(text);
      spellings.set(cidr, [...(spellings.get(cidr) ?? []), text]);
    }
    const isWhole = (cidr: string): boolean =>
      (parseCidr(cidr)?.family === "v6" ? dbAllowedCidrsV6 : dbAllowedCidrs) != null;
    return { spellings, isWhole, isApplied: isApplied(answer), isInPlan: isInPlan(answer) };
  });
}

/** Reads the entries until they are in force; all who wait at a time share the looks. */
async function waitUntilApplied(ctx: Context, ref: string): Promise<AllowedAddresses> {
  const key = `network-lists:applied:${ref}`;
  const pollApplied = (): Promise<AllowedAddresses> =>
    poll<AllowedAddresses, AllowedAddresses>(ctx, {
      what: `the network restrictions of ${ref} to be applied`,
      look: () => {
        ctx.shared.forget(listKey(ref));
        return listAllowedOnce(ctx, ref);
      },
      judge: (seen) =>
        seen.isApplied
          ? { kind: "done", value: seen }
          : { kind: "waiting", reason: "they are stored but not applied" },
    });
  return ctx.shared.list(key, () => pollApplied().finally(() => ctx.shared.forget(key)));
}

/** Adds an entry in one call with all others that are added now; adding one twice is adding it once. */
async function allowCidr(ctx: Context, ref: string, cidr: string): Promise<void> {
  const send: BulkItem<string>["send"] = async (cidrs, limits) => {
    const together = ctx.within(limits);
    const body = { add: splitByFamily(cidrs) };
    await callWhenReady(together, ref, ["db"], () => together.api.patchNetworkRestrictions({ ref, body }));
  };
  const adding = ctx.shared.inBulk(`network-lists:add:${ref}`, { item: cidr, limits: ctx, send });
  await adding.finally(() => ctx.shared.forget(listKey(ref)));
}

/** Removes an entry, in every spelling that the service has of it, in one call with all others that are removed now. */
async function disallowCidrs(ctx: Context, ref: string, spellings: readonly string[]): Promise<void> {
  const send: BulkItem<readonly string[]>["send"] = async (items, limits) => {
    const together = ctx.within(limits);
    const body = { remove: splitByFamily(items.flat()) };
    await callWhenReady(together, ref, ["db"], () => together.api.patchNetworkRestrictions({ ref, body }));
  };
  const removing = ctx.shared.inBulk(`network-lists:remove:${ref}`, { item: spellings, limits: ctx, send });
  await removing.finally(() => ctx.shared.forget(listKey(ref)));
}

interface CidrLists {
  readonly dbAllowedCidrs?: string[];
  readonly dbAllowedCidrsV6?: string[];
}

function splitByFamily(texts: readonly string[]): CidrLists {
  const isV6 = (text: string): boolean => parseCidr(text)?.family === "v6";
  const [v4, v6] = [texts.filter((text) => !isV6(text)), texts.filter(isV6)];
  return {
    ...(v4.length === 0 ? {} : { dbAllowedCidrs: v4 }),
    ...(v6.length === 0 ? {} : { dbAllowedCidrsV6: v6 }),
  };
}
