import { whenReady } from "../../../waiting/project-health";
import type { Api, Context } from "../../../define/context";

/** An integration as the service shows it. */
export type Integration = Awaited<ReturnType<Api["listThirdPartyAuth"]>>[number];
type CreateBody = Parameters<Api["createThirdPartyAuth"]>[0]["body"];

const listKey = (ref: string): string => `third-party-auth:${ref}`;

/** A project's integrations by id: listed once in a run; what is made since is added, so that a create lists nothing again. */
export async function integrationsOf(ctx: Context, ref: string): Promise<Map<string, Integration>> {
  return ctx.shared.list(listKey(ref), async () => {
    const listed = await ctx.api.listThirdPartyAuth({ ref });
    return new Map(listed.map((each) => [each.id, each]));
  });
}

export async function createIntegration(ctx: Context, ref: string, body: CreateBody): Promise<Integration> {
  try {
    const made = await whenReady(ctx, ref, ["auth"], () => ctx.api.createThirdPartyAuth({ ref, body }));
    // A listing that fails now is asked for again by whoever needs it.
    await integrationsOf(ctx, ref).then(
      (integrations) => integrations.set(made.id, made),
      () => undefined,
    );
    return made;
  } catch (error) {
    forgetIntegrations(ctx, ref);
    throw error;
  }
}

export function forgetIntegrations(ctx: Context, ref: string): void {
  ctx.shared.forget(listKey(ref));
}
