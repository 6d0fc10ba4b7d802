import { z } from "zod";
import { InvalidInputError } from "../../../client/errors/errors";
import { canonicalCidr, inCanonicalCidrs, parseCidr } from "../shared/cidrs";
import { startingCalls } from "../../../waiting/starting-calls";
import { inProject } from "../../../define/import-id";
import { listInProject } from "../../../define/list";
import { comparedBy, replaces } from "../../../define/markers";
import { projectOf } from "../../../define/project-of";
import { defineResource, type ImportId } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { allow, allowedIn, disallow, untilApplied } from "./calls";
import { problems } from "./problems";

const inputs = z.strictObject({
  projectRef,
  cidr: replaces(
    comparedBy(
      z
        .string()
        .refine((text) => parseCidr(text) !== undefined, { error: problems.noCidr.message() })
        .describe(
          "Range of IPv4 or IPv6 addresses that may connect, in CIDR notation; a single address ends in `/32` or `/128`.",
        ),
      inCanonicalCidrs,
    ),
  ),
  ...everyResource,
});

const outputs = z.object({});

const byParts = inProject("cidr", "the network restrictions of the project, in the service's console");

const importId: ImportId<z.output<typeof inputs>> = {
  ...byParts,
  parse(text) {
    const parts = byParts.parse(text);
    return parts && { ...parts, id: canonicalCidr(parts.id) };
  },
};

/** The entry that lets all addresses of a family in, as a new project has it. */
function everyoneLike(cidr: string): string {
  return parseCidr(cidr)?.family === "v6" ? "::/0" : "0.0.0.0/0";
}

/** One range of addresses that may connect to a project's database, beside those of others. */
export const allowedCidr = defineResource({
  type: "AllowedCidr",
  description:
    "A range of IP addresses that may connect to the database of a project, beside entries of others: several programs can share the list. A run adds and removes entries in bulk calls and waits until they are applied. A new project allows all addresses, so an entry restricts nothing until `0.0.0.0/0` and `::/0` are removed; to manage the whole list, use NetworkRestrictions instead.",
  inputs,
  outputs,
  timeouts: { create: 600, update: 600, delete: 600 },
  isRepeatable: true,
  uniqueBy: ["cidr"],
  manages: { collection: "network restrictions", extent: "part" },
  importId,
  list: listInProject(async (ctx, ref) =>
    Array.from((await allowedIn(ctx, ref)).spellings.keys(), (cidr) => ({ id: cidr, name: cidr })),
  ),
  problems,
  conditionalCalls: startingCalls("create", "delete"),

  async find(ctx, { projectRef: ref, cidr }) {
    const id = canonicalCidr(cidr);
    const { spellings } = await allowedIn(ctx, ref);
    return spellings.has(id) ? [{ id, label: `an entry of the project ${ref}` }] : [];
  },

  async read(ctx, { id, state }) {
    const ref = projectOf(state);
    const { spellings } = await allowedIn(ctx, ref);
    if (!spellings.has(id)) return undefined;
    return { inputs: { projectRef: ref, cidr: id }, outputs: {} };
  },

  async create(ctx, { projectRef: ref, cidr }) {
    const { isInPlan } = await allowedIn(ctx, ref);
    if (!isInPlan) throw new InvalidInputError("projectRef", problems.notInPlan.message({ ref }));
    const id = canonicalCidr(cidr);
    await allow(ctx, ref, id);
    return { id };
  },

  async settle(ctx, { id, inputs: { projectRef: ref } }) {
    let seen = await untilApplied(ctx, ref);
    if (!seen.spellings.has(id)) {
      // Another program may have written the whole list meanwhile.
      await allow(ctx, ref, id);
      seen = await untilApplied(ctx, ref);
      if (!seen.spellings.has(id)) ctx.warn(problems.removedElsewhere.message({ ref, cidr: id }));
    }
    const everyone = everyoneLike(id);
    if (id !== everyone && seen.spellings.has(everyone)) {
      ctx.warn(problems.openToAll.message({ ref, everyone, cidr: id }));
    }
    return { inputs: { projectRef: ref, cidr: id }, outputs: {} };
  },

  async delete(ctx, { id, state }) {
    const ref = projectOf(state);
    const { spellings, isInPlan } = await allowedIn(ctx, ref);
    const spelled = spellings.get(id);
    if (spelled === undefined) return;
    if (!isInPlan) {
      ctx.warn(problems.notInPlan.message({ ref }));
      return;
    }
    await disallow(ctx, ref, spelled);
    const left = await untilApplied(ctx, ref);
    if (left.spellings.size === 0) ctx.warn(problems.nobodyAllowed.message({ ref, cidr: id }));
  },
});
