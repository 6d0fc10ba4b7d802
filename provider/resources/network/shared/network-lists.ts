import { ResponseSchemaError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import type { Api, Context } from "../../../define/context";

type Answer = Awaited<ReturnType<Api["getNetworkRestrictions"]>>;

/** What can go wrong with everything that restricts a project's network. */
export const networkProblems = {
  notInPlan: defineProblem({
    says: "The plan of the project {ref} does not include network restrictions (`entitlement` is `disallowed`). Nothing was changed. {remedy}.",
    means:
      "The organization's plan lacks network restrictions. A create or update fails; a delete only warns.",
    remedy: "Choose a plan that includes them, or remove the resource from the program",
  }),
};

type RestrictionsWithLists = Answer & { readonly config: NonNullable<Answer["config"]> };

/** The lists of addresses that may connect to a project's database. */
export async function getNetworkLists(ctx: Context, ref: string): Promise<RestrictionsWithLists> {
  const answer = await ctx.api.getNetworkRestrictions({ ref });
  const { config } = answer;
  if (config !== undefined && config !== null) return { ...answer, config };
  // Without it, open lists could not be distinguished from closed ones.
  throw new ResponseSchemaError(
    "getNetworkRestrictions failed: the answer has no `config`. Run again.",
    "getNetworkRestrictions",
    "config",
  );
}

export function isInPlan({ entitlement }: { readonly entitlement?: unknown }): boolean {
  return entitlement !== "disallowed";
}

/** A change is in force as soon as it is not only stored (service, Network restrictions). */
export function isApplied({ status }: { readonly status?: unknown }): boolean {
  return status !== "stored";
}
