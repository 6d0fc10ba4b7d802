import { InvalidInputError } from "../../../client/errors/errors";
import { notFound } from "../../../lookup/missing-errors";
import { poll } from "../../../waiting/poll";
import { whenReady } from "../../../waiting/project-health";
import type { Api, Context } from "../../../define/context";
import { problems } from "./problems";

type Answer = Awaited<ReturnType<Api["getVanitySubdomain"]>>;

/** A project's vanity subdomain as the service shows it. */
export interface Subdomain {
  /** Undefined where there is none, or where the service shows a custom hostname in its place. */
  readonly name: string | undefined;
  readonly status: string | undefined;
  readonly domain: string | undefined;
}

const listKey = (ref: string): string => `vanity-subdomain:${ref}`;

export const isUnused = ({ status }: Subdomain): boolean => status === "not-used";
export const isHidden = ({ status }: Subdomain): boolean => status === "custom-domain-used";

function fromAnswer({ status, custom_domain }: Answer): Subdomain {
  const domain = custom_domain ?? undefined;
  const subdomain = { status: status ?? undefined, domain, name: undefined };
  return isHidden(subdomain) || isUnused(subdomain)
    ? subdomain
    : { ...subdomain, name: domain?.split(".")[0] };
}

/** Read once in a run, and again after a write: of all its calls ten a minute are allowed (service, Limits). */
export async function subdomainOf(ctx: Context, ref: string): Promise<Subdomain> {
  const load = (): Promise<Answer> => ctx.api.getVanitySubdomain({ ref });
  return ctx.shared.list(listKey(ref), async () => fromAnswer(await ctx.api.ofEveryProject(ref, load)));
}

function lookAgain(ctx: Context, ref: string): Promise<Subdomain> {
  ctx.shared.forget(listKey(ref));
  return subdomainOf(ctx, ref);
}

/** Gives the project the name, in place of one that it has, after asking whether it can have it. */
export async function claim(ctx: Context, ref: string, name: string): Promise<true> {
  const now = await subdomainOf(ctx, ref);
  if (now.name === name) return true;
  if (isHidden(now)) {
    const hostname = now.domain ?? "of another name";
    throw new InvalidInputError("vanitySubdomain", problems.servedElsewhere.message({ ref, hostname }));
  }
  const body = { vanity_subdomain: name };
  const { available } = await whenReady(ctx, ref, ["db"], () => ctx.api.checkVanitySubdomain({ ref, body }));
  if (available === false)
    throw new InvalidInputError("vanitySubdomain", problems.taken.message({ name, ref }));
  const activating = whenReady(ctx, ref, ["db"], () => ctx.api.activateVanitySubdomain({ ref, body }));
  await activating.finally(() => ctx.shared.forget(listKey(ref)));
  return true;
}

/** Whether the project has the name, as far as the service shows it. */
export async function isClaimed(ctx: Context, ref: string, name: string): Promise<true | undefined> {
  return (await lookAgain(ctx, ref)).name === name ? true : undefined;
}

export async function untilActive(ctx: Context, ref: string, name: string): Promise<Subdomain> {
  return poll<Subdomain, Subdomain>(ctx, {
    what: `the vanity subdomain ${name} to be active`,
    firstDelayMs: 7_000,
    look: () => lookAgain(ctx, ref),
    absent: (seen) =>
      isUnused(seen)
        ? notFound("getVanitySubdomain", `until the deadline the project ${ref} had no vanity subdomain.`)
        : undefined,
    judge: (seen) =>
      seen.name === name || isHidden(seen)
        ? { kind: "done", value: seen }
        : { kind: "waiting", reason: `${seen.domain ?? "none"} is ${seen.status ?? "without a status"}` },
  });
}

/** Gives back one of the `known` names; one that somebody else chose stays. */
export async function release(ctx: Context, ref: string, known: readonly unknown[]): Promise<void> {
  const now = await subdomainOf(ctx, ref);
  if (isUnused(now)) return;
  if (now.name !== undefined && !known.includes(now.name)) {
    const [name] = known;
    const found = { name: String(name), ref, present: now.name };
    throw new InvalidInputError("vanitySubdomain", problems.isDifferentObject.message(found));
  }
  await whenReady(ctx, ref, ["db"], () => ctx.api.deleteVanitySubdomain({ ref }));
  await poll<Subdomain, undefined>(ctx, {
    what: "the vanity subdomain to be removed",
    firstDelayMs: 7_000,
    look: () => lookAgain(ctx, ref),
    judge: (seen) =>
      isUnused(seen) || isHidden(seen)
        ? { kind: "done", value: undefined }
        : { kind: "waiting", reason: `it is ${seen.status ?? "still there"}` },
  });
}
