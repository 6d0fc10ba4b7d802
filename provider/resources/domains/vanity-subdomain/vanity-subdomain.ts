import { z } from "zod";
import { InvalidInputError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import type { Api, Context } from "../../../define/context";
import { onePerProject } from "../../../define/import-id";
import { formed, identifies } from "../../../define/markers";
import { defineResource, NotListedError, type ObservedResource } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { createNotFoundError } from "../../../lookup/missing-errors";
import { poll } from "../../../waiting/poll";
import { callWhenReady } from "../../../waiting/project-health";
import { writeOnce } from "../../../waiting/write-once";

const inputs = z.strictObject({
  projectRef,
  vanitySubdomain: identifies(
    formed(
      z
        .string()
        .min(1)
        .max(63)
        .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/),
      "at most 63 lowercase letters, digits and hyphens, none of them at an end",
      "my-shop",
    ).describe(
      "Name below the service's domain: at most 63 lowercase letters, digits and hyphens, without a hyphen at either end. A project has at most one.",
    ),
  ),
  ...everyResource,
});

const outputs = z.object({
  customDomain: z
    .string()
    .describe("Full domain of the project: that of the subdomain or of a custom hostname."),
  status: z.string().describe("`active`, or `custom-domain-used` while a custom hostname replaces it."),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/** A project's vanity subdomain as the service shows it. */
interface SubdomainRecord {
  /** Undefined where there is none, or where the service shows a custom hostname in its place. */
  readonly name: string | undefined;
  readonly status: string | undefined;
  readonly domain: string | undefined;
}

function fromWire(ref: string, { name, domain, status }: SubdomainRecord): ObservedResource<Inputs, Outputs> {
  return {
    inputs: { projectRef: ref, vanitySubdomain: name },
    outputs: { customDomain: domain, status },
  };
}

const problems = {
  taken: defineProblem({
    says: "The vanity subdomain {name} is not available to the project {ref}: another project has it, or the service reserves it. Nothing was changed. {remedy}.",
    means: "The name is not available.",
    remedy: "Declare another `vanitySubdomain`",
  }),
  servedElsewhere: defineProblem({
    says: "The project {ref} has the custom hostname {hostname}, so it cannot have a vanity subdomain. Nothing was changed. {remedy}.",
    means: "An active custom hostname excludes a vanity subdomain.",
    remedy: "Remove the `CustomHostname` first, or remove the `VanitySubdomain` from the program",
  }),
  isDifferentObject: defineProblem({
    says: "The vanity subdomain {name} was not removed: someone has changed the vanity subdomain of the project {ref} to {present}. {remedy}.",
    means: "The subdomain was changed outside Pulumi since the last refresh.",
    remedy:
      "To remove the new one, run `pulumi refresh` first. To keep it, remove the resource from the state with `pulumi state delete '{urn}'`",
  }),
};

const isUnused = ({ status }: SubdomainRecord): boolean => status === "not-used";
const isHidden = ({ status }: SubdomainRecord): boolean => status === "custom-domain-used";

/** The name of a project below the service's own domain. */
export const vanitySubdomain = defineResource({
  type: "VanitySubdomain",
  description:
    "The vanity subdomain of a project: a name below the service's domain instead of the project's reference. The provider first checks that the name is available. Deleting the resource releases the name for others. Requires a plan with vanity subdomains and no active custom hostname.",
  inputs,
  outputs,
  timeouts: { create: 600, update: 600, delete: 600 },
  isRepeatable: true,
  uniqueBy: [],
  labelledBy: "vanitySubdomain",
  importId: onePerProject("at most"),
  problems,

  async find(ctx, { projectRef: ref, vanitySubdomain: declared }) {
    const now = await readSubdomainOnce(ctx, ref);
    if (isUnused(now) || isHidden(now)) return [];
    const label = `${now.domain ?? "unnamed"}, ${now.status ?? "no status"}`;
    return [{ id: ref, label, isDifferentObject: now.name !== undefined && now.name !== declared }];
  },

  async read(ctx, { id, state }) {
    const now = await readSubdomainOnce(ctx, id);
    // Behind a custom hostname it is not shown: what is known of it stays.
    const isKnown = !isHidden(now) || state.vanitySubdomain !== undefined;
    return isUnused(now) || !isKnown ? undefined : fromWire(id, now);
  },

  async create(ctx, { projectRef: ref, vanitySubdomain: name }) {
    await activateSubdomain(ctx, ref, name);
    return { id: ref };
  },

  async settle(ctx, { id, inputs: { vanitySubdomain: name } }) {
    return fromWire(id, await waitUntilActive(ctx, id, name));
  },

  async update(ctx, { id, inputs: { vanitySubdomain: name } }) {
    // A delete after a run that died here must know both names as this program's.
    ctx.ledger.keep(id, { vanitySubdomain: name });
    await writeOnce(ctx, {
      send: () => activateSubdomain(ctx, id, name),
      findResult: () => findActivation(ctx, id, name),
    });
    return {};
  },

  delete: (ctx, { id, state }) =>
    releaseSubdomain(ctx, id, [state.vanitySubdomain, ctx.ledger.kept["vanitySubdomain"]]),
});

type Answer = Awaited<ReturnType<Api["getVanitySubdomain"]>>;

function fromAnswer({ status, custom_domain }: Answer): SubdomainRecord {
  const domain = custom_domain ?? undefined;
  const subdomain = { status: status ?? undefined, domain, name: undefined };
  return isHidden(subdomain) || isUnused(subdomain)
    ? subdomain
    : { ...subdomain, name: domain?.split(".")[0] };
}

const listKey = (ref: string): string => `vanity-subdomain:${ref}`;

/** Read once in a run, and again after a write: of all its calls ten a minute are allowed (service, Limits). */
async function readSubdomainOnce(ctx: Context, ref: string): Promise<SubdomainRecord> {
  const load = (): Promise<Answer> => ctx.api.getVanitySubdomain({ ref });
  return ctx.shared.list(listKey(ref), async () => fromAnswer(await ctx.api.ofEveryProject(ref, load)));
}

function lookAgain(ctx: Context, ref: string): Promise<SubdomainRecord> {
  ctx.shared.forget(listKey(ref));
  return readSubdomainOnce(ctx, ref);
}

/** Gives the project the name, in place of one that it has, after asking whether it can have it. */
async function activateSubdomain(ctx: Context, ref: string, name: string): Promise<true> {
  const now = await readSubdomainOnce(ctx, ref);
  if (now.name === name) return true;
  if (isHidden(now)) {
    const hostname = now.domain ?? "with another name";
    throw new InvalidInputError("vanitySubdomain", problems.servedElsewhere.message({ ref, hostname }));
  }
  const body = { vanity_subdomain: name };
  const { available } = await callWhenReady(ctx, ref, ["db"], () =>
    ctx.api.checkVanitySubdomain({ ref, body }),
  );
  if (available === false)
    throw new InvalidInputError("vanitySubdomain", problems.taken.message({ name, ref }));
  const activating = callWhenReady(ctx, ref, ["db"], () => ctx.api.activateVanitySubdomain({ ref, body }));
  await activating.finally(() => ctx.shared.forget(listKey(ref)));
  return true;
}

/** Whether the project has the name, as far as the service shows it. */
async function findActivation(ctx: Context, ref: string, name: string): Promise<true | undefined> {
  return (await lookAgain(ctx, ref)).name === name ? true : undefined;
}

async function waitUntilActive(ctx: Context, ref: string, name: string): Promise<SubdomainRecord> {
  return poll<SubdomainRecord, SubdomainRecord>(ctx, {
    what: `the vanity subdomain ${name} to become active`,
    firstDelayMs: 7_000,
    look: () => lookAgain(ctx, ref),
    absent: (seen) =>
      isUnused(seen)
        ? createNotFoundError("getVanitySubdomain", `timed out: the project ${ref} has no vanity subdomain.`)
        : undefined,
    judge: (seen) =>
      seen.name === name || isHidden(seen) || (seen.status === "active" && seen.domain === undefined)
        ? { kind: "done", value: seen }
        : { kind: "waiting", reason: `${seen.domain ?? "none"} is ${seen.status ?? "without a status"}` },
  });
}

/** Gives back one of the `known` names; one that somebody else chose stays. */
async function releaseSubdomain(ctx: Context, ref: string, known: readonly unknown[]): Promise<void> {
  const now = await readSubdomainOnce(ctx, ref);
  if (isUnused(now)) throw new NotListedError(`the project ${ref} has no vanity subdomain`);
  if (now.name !== undefined && !known.includes(now.name)) {
    const [name] = known;
    const found = { name: String(name), ref, present: now.name, urn: ctx.urn };
    throw new InvalidInputError("vanitySubdomain", problems.isDifferentObject.message(found));
  }
  await callWhenReady(ctx, ref, ["db"], () => ctx.api.deleteVanitySubdomain({ ref }));
  await poll<SubdomainRecord, undefined>(ctx, {
    what: "the removal of the vanity subdomain",
    firstDelayMs: 7_000,
    look: () => lookAgain(ctx, ref),
    judge: (seen) =>
      isUnused(seen) || isHidden(seen)
        ? { kind: "done", value: undefined }
        : { kind: "waiting", reason: `it is ${seen.status ?? "still present"}` },
  });
}
