import { z } from "zod";
import { InvalidInputError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import type { Context } from "../../../define/context";
import { formatCodeList } from "../../../define/format-code-list";
import { inProject } from "../../../define/import-id";
import { listInProject } from "../../../define/list";
import { comparedBy, replaces } from "../../../define/markers";
import { requireProjectRef } from "../../../define/require-project-ref";
import { defineResource, NotListedError, type ImportId } from "../../../define/resource";
import type { BulkItem } from "../../../define/shared-calls";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { poll } from "../../../waiting/poll";
import { callWhenReady } from "../../../waiting/project-health";
import { toCanonicalCidr, cidrProblems, toCanonicalCidrs, parseCidr } from "../shared/cidrs";
import {
  getNetworkLists,
  isApplied,
  isInPlan,
  networkProblems,
  readPending,
  UNKNOWN_TIME,
} from "../shared/network-lists";

const problems = {
  ...networkProblems,
  noCidr: cidrProblems.noCidr,
  removalPending: defineProblem({
    says: "{cidr} is still allowed: the change of the network restrictions of the project {ref} that removes it waits for approval since {time}. {remedy}.",
    means: "The service has changes reviewed. The entry stays in Pulumi's state until it is removed.",
    remedy: "Have the change approved, then run again",
  }),
  otherPending: defineProblem({
    says: "another change of the network restrictions of the project {ref} waits for approval since {time}. It {changes}. A request for {cidrs} could take its place or bring it about. Nothing was changed. {remedy}.",
    means:
      "The service has changes reviewed, and one waits that this run has not asked for and the program does not declare. It may be somebody else's, or an earlier one of the program.",
    remedy: "Have that change approved or rejected, then run again",
  }),
  removedElsewhere: defineProblem({
    says: "{cidr} was added to the project {ref} twice, and another program removed it both times. {remedy}.",
    means: "Warning. Another program manages the whole list, for example with `NetworkRestrictions`.",
    remedy: "Declare the entry in that program, or remove the list from it, then run `pulumi up --refresh`",
  }),
  stillAllowed: defineProblem({
    says: "{cidr} is still allowed: the service accepted its removal from the project {ref} twice, and still lists it. {remedy}.",
    means:
      "The entry stays in Pulumi's state until it is removed. Another program may have added it again meanwhile.",
    remedy: "Run again. If it is listed once more, another program may add it: remove it there first",
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
  manages: {
    collection: "network restrictions",
    extent: "part",
    names: ({ cidr }) => (cidr === undefined ? [] : [toCanonicalCidr(cidr)]),
  },
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
    const seen = await listAllowedOnce(ctx, ref);
    const added = findPendingAddition(seen, id);
    if (!seen.spellings.has(id) && seen.isWhole(id) && added === undefined) return undefined;
    if (added !== undefined) ctx.warn(problems.awaitsReview.message({ ref, time: added.time }));
    return { inputs: { projectRef: ref, cidr: id }, outputs: {} };
  },

  async create(ctx, { projectRef: ref, cidr }) {
    const seen = await listAllowedOnce(ctx, ref);
    if (!seen.isInPlan) throw new InvalidInputError("projectRef", problems.notInPlan.message({ ref }));
    const id = toCanonicalCidr(cidr);
    if (findPendingAddition(seen, id) === undefined) await allowCidr(ctx, ref, id);
    return { id };
  },

  async settle(ctx, { id, inputs: { projectRef: ref } }) {
    let seen = await waitUntilApplied(ctx, ref);
    const added = findPendingAddition(seen, id);
    if (added !== undefined) ctx.warn(problems.awaitsReview.message({ ref, time: added.time }));
    else if (!seen.spellings.has(id) && seen.isWhole(id)) {
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
    const seen = await listAllowedOnce(ctx, ref);
    const added = findPendingAddition(seen, id);
    if (added !== undefined) ctx.warn(problems.stillPending.message({ ref, time: added.time }));
    const spelled = seen.spellings.get(id) ?? (seen.isWhole(id) ? undefined : [id]);
    if (spelled === undefined) throw new NotListedError(`no entry ${id} is listed`);
    if (!seen.isInPlan) {
      ctx.warn(problems.notInPlan.message({ ref }));
      return;
    }
    if (!isRemovalPending(seen, id)) await disallowCidrs(ctx, ref, spelled);
    let left = await waitUntilApplied(ctx, ref);
    const again = left.spellings.get(id);
    if (again !== undefined && !isRemovalPending(left, id)) {
      // Another program may have written the whole list meanwhile.
      await disallowCidrs(ctx, ref, again);
      left = await waitUntilApplied(ctx, ref);
    }
    if (isRemovalPending(left, id)) {
      const { time = UNKNOWN_TIME } = left.pending ?? {};
      throw new InvalidInputError("cidr", problems.removalPending.message({ ref, cidr: id, time }));
    }
    if (left.spellings.has(id))
      throw new InvalidInputError("cidr", problems.stillAllowed.message({ ref, cidr: id }));
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
  /** What will be allowed once somebody has approved the change that waits. */
  readonly pending: PendingEntries | undefined;
}

interface PendingEntries {
  readonly entries: ReadonlySet<string>;
  readonly time: string;
}

/** The change that waits for approval, where it adds the entry. */
function findPendingAddition(
  { spellings, pending }: AllowedAddresses,
  id: string,
): PendingEntries | undefined {
  return !spellings.has(id) && pending?.entries.has(id) === true ? pending : undefined;
}

function isRemovalPending({ spellings, pending }: AllowedAddresses, id: string): boolean {
  return spellings.has(id) && pending?.entries.has(id) === false;
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
    const states = { isApplied: isApplied(answer), isInPlan: isInPlan(answer) };
    return { spellings, isWhole, ...states, pending: listPendingEntries(answer) };
  });
}

function listPendingEntries(answer: Awaited<ReturnType<typeof getNetworkLists>>): PendingEntries | undefined {
  const { pending } = readPending(answer);
  if (pending === undefined) return undefined;
  const { allowedCidrs, allowedCidrsV6, requestedAt: time = UNKNOWN_TIME } = pending;
  // A list that the change leaves out stays.
  const v4 = allowedCidrs ?? answer.config.dbAllowedCidrs ?? [];
  const v6 = allowedCidrsV6 ?? answer.config.dbAllowedCidrsV6 ?? [];
  return { entries: new Set([...v4, ...v6].map(toCanonicalCidr)), time };
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

interface CidrChange {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

/**
 * Changes the lists: the request holds what is asked for now, and what of the change that waits for approval is this program's, as
 * a later request may take an earlier one's place. Anything else that waits refuses it.
 */
async function patchLists(ctx: Context, ref: string, { add = [], remove = [] }: CidrChange): Promise<void> {
  // Somebody may have asked for a change since the run began.
  ctx.shared.forget(listKey(ref));
  const seen = await listAllowedOnce(ctx, ref);
  for (const cidr of remove.map(toCanonicalCidr)) recordAsked(ctx, ref, { cidr, step: "remove" });
  for (const cidr of add) recordAsked(ctx, ref, { cidr, step: "add" });
  const { additions, removals } = listPendingChanges(seen);
  const ofProgram = ctx.program.listNamesElsewhere();
  const others = {
    adds: additions.filter((cidr) => !ofProgram.has(cidr) && !isAsked(ctx, ref, { cidr, step: "add" })),
    removes: removals.filter((cidr) => !isAsked(ctx, ref, { cidr, step: "remove" })),
  };
  if (others.adds.length + others.removes.length > 0) {
    const { time = UNKNOWN_TIME } = seen.pending ?? {};
    const values = { ref, time, changes: formatChanges(others), cidrs: formatCodeList([...add, ...remove]) };
    throw new InvalidInputError("cidr", problems.otherPending.message(values));
  }
  const added = [...new Set([...add, ...additions])];
  const gone = removals.filter((cidr) => !added.includes(cidr));
  const removed = [...new Set([...remove, ...gone.flatMap((cidr) => seen.spellings.get(cidr) ?? [])])];
  const body = {
    ...(added.length === 0 ? {} : { add: splitByFamily(added) }),
    ...(removed.length === 0 ? {} : { remove: splitByFamily(removed) }),
  };
  await callWhenReady(ctx, ref, ["db"], () => ctx.api.patchNetworkRestrictions({ ref, body }));
}

interface PendingChanges {
  readonly additions: readonly string[];
  readonly removals: readonly string[];
}

/** What a change that waits for approval adds to what is enforced, and what it removes. */
function listPendingChanges({ spellings, pending }: AllowedAddresses): PendingChanges {
  if (pending === undefined) return { additions: [], removals: [] };
  return {
    additions: [...pending.entries].filter((cidr) => !spellings.has(cidr)),
    removals: [...spellings.keys()].filter((cidr) => !pending.entries.has(cidr)),
  };
}

/** What a request asked for. */
interface AskedEntry {
  readonly cidr: string;
  readonly step: "add" | "remove";
}

const formatAskedKey = (ref: string, { step, cidr }: AskedEntry): string =>
  `network-lists:${step}:${ref}:${cidr}`;

/** Remembers for this run that the change is its own: it may wait for approval. */
function recordAsked(ctx: Context, ref: string, { cidr, step }: AskedEntry): void {
  ctx.shared.underWay.delete(formatAskedKey(ref, { cidr, step: step === "add" ? "remove" : "add" }));
  ctx.shared.underWay.add(formatAskedKey(ref, { cidr, step }));
}

function isAsked(ctx: Context, ref: string, entry: AskedEntry): boolean {
  return ctx.shared.underWay.has(formatAskedKey(ref, entry));
}

function formatChanges({ adds, removes }: { readonly adds: string[]; readonly removes: string[] }): string {
  const parts = [
    ...(adds.length === 0 ? [] : [`adds ${formatCodeList(adds, MOST_SHOWN)}`]),
    ...(removes.length === 0 ? [] : [`removes ${formatCodeList(removes, MOST_SHOWN)}`]),
  ];
  return parts.join(" and ");
}

const MOST_SHOWN = 5;

/** Adds an entry in one call with all others that are added now; adding one twice is adding it once. */
async function allowCidr(ctx: Context, ref: string, cidr: string): Promise<void> {
  const send: BulkItem<string>["send"] = (cidrs, limits) =>
    patchLists(ctx.within(limits), ref, { add: cidrs });
  const adding = ctx.shared.inBulk(`network-lists:add:${ref}`, { item: cidr, limits: ctx, send });
  await adding.finally(() => ctx.shared.forget(listKey(ref)));
}

/** Removes an entry, in every spelling that the service has of it, in one call with all others that are removed now. */
async function disallowCidrs(ctx: Context, ref: string, spellings: readonly string[]): Promise<void> {
  const send: BulkItem<readonly string[]>["send"] = (items, limits) =>
    patchLists(ctx.within(limits), ref, { remove: items.flat() });
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
