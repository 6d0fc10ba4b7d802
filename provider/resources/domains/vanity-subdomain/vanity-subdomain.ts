import { z } from "zod";
import { startingCalls } from "../../../waiting/starting-calls";
import { writeOnce } from "../../../waiting/write-once";
import { onePerProject } from "../../../define/import-id";
import { formed, identifies } from "../../../define/markers";
import { defineResource, type Observed } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import {
  claim,
  isClaimed,
  isHidden,
  isUnused,
  release,
  subdomainOf,
  untilActive,
  type Subdomain,
} from "./calls";
import { problems } from "./problems";

const inputs = z.strictObject({
  projectRef,
  vanitySubdomain: identifies(
    formed(
      z
        .string()
        .min(1)
        .max(63)
        .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/),
      "at most 63 lower-case letters, digits and hyphens, none of them at an end",
      "my-shop",
    ).describe(
      "Name below the service's own domain: at most 63 lower-case letters, digits and hyphens, with no hyphen at either end. A project has at most one.",
    ),
  ),
  ...everyResource,
});

const outputs = z.object({
  customDomain: z
    .string()
    .describe("Whole domain at which the project is served: the subdomain's, or that of a custom hostname."),
  status: z.string().describe("`active`, or `custom-domain-used` while a custom hostname is in its place."),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

function fromWire(ref: string, { name, domain, status }: Subdomain): Observed<Inputs, Outputs> {
  return {
    inputs: { projectRef: ref, vanitySubdomain: name },
    outputs: { customDomain: domain, status },
  };
}

/** The name of a project below the service's own domain. */
export const vanitySubdomain = defineResource({
  type: "VanitySubdomain",
  description:
    "The name of a project below the service's own domain, in place of its reference. Whether the name is available is checked first; a change takes the new name in place of the old one. Deleting the resource gives the name back, and others can take it. Requires a plan that includes vanity subdomains, and no active custom hostname.",
  inputs,
  outputs,
  timeouts: { create: 600, update: 600, delete: 600 },
  isRepeatable: true,
  uniqueBy: [],
  labelledBy: "vanitySubdomain",
  importId: onePerProject("at most"),
  problems,
  conditionalCalls: startingCalls("create", "update", "delete"),

  async find(ctx, { projectRef: ref, vanitySubdomain: declared }) {
    const now = await subdomainOf(ctx, ref);
    if (isUnused(now) || isHidden(now)) return [];
    const label = `${now.domain ?? "unnamed"}, ${now.status ?? "no status"}`;
    return [{ id: ref, label, isDifferentObject: now.name !== undefined && now.name !== declared }];
  },

  async read(ctx, { id, state }) {
    const now = await subdomainOf(ctx, id);
    // Behind a custom hostname it is not shown: what is known of it stays.
    const isKnown = !isHidden(now) || state.vanitySubdomain !== undefined;
    return isUnused(now) || !isKnown ? undefined : fromWire(id, now);
  },

  async create(ctx, { projectRef: ref, vanitySubdomain: name }) {
    await claim(ctx, ref, name);
    return { id: ref };
  },

  async settle(ctx, { id, inputs: { vanitySubdomain: name } }) {
    return fromWire(id, await untilActive(ctx, id, name));
  },

  async update(ctx, { id, inputs: { vanitySubdomain: name } }) {
    // A delete after a run that died here must know both names as this program's.
    ctx.keep(id, { vanitySubdomain: name });
    await writeOnce(ctx, {
      send: () => claim(ctx, id, name),
      landed: () => isClaimed(ctx, id, name),
    });
    return {};
  },

  delete: (ctx, { id, state }) => release(ctx, id, [state.vanitySubdomain, ctx.kept["vanitySubdomain"]]),
});
