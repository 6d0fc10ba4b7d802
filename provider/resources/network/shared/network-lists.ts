import { z } from "zod";
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
  awaitsReview: defineProblem({
    says: "The change of the network restrictions of the project {ref} waits for approval since {time}. Until then the lists stay as they are. {remedy}.",
    means:
      "Warning. The service has the change reviewed by somebody before it takes effect. The state has the lists that are enforced, so the change shows as a difference until it is approved; it is not sent again.",
    remedy: "Have it approved, then run `pulumi up --refresh`",
  }),
  stillPending: defineProblem({
    says: "a change of the network restrictions of the project {ref} still waits for approval since {time}. The lists were left as they are. {remedy}.",
    means: "Warning. A resource was deleted while a change of the lists waits for somebody's approval.",
    remedy: "Have the change rejected if the program asked for it",
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

/** What a message says of a request whose time the service does not tell. */
export const UNKNOWN_TIME = "an unknown time";

/** The lists that wait for somebody's approval; one that is absent stays as it is. */
export const pendingChange = z
  .object({
    allowedCidrs: z.array(z.string()).describe("Ranges of IPv4 addresses, once approved.").optional(),
    allowedCidrsV6: z.array(z.string()).describe("Ranges of IPv6 addresses, once approved.").optional(),
    requestedAt: z.string().describe("Time of the request, ISO 8601.").optional(),
  })
  .meta({ id: "PendingNetworkRestrictions", description: "A change that waits for somebody's approval." });

/** The change that waits, if one does. */
export function readPending({ pending_config: lists, pending_requested_at: requestedAt }: Answer): {
  readonly pending?: z.output<typeof pendingChange>;
} {
  if (lists == null) return {};
  const { dbAllowedCidrs: allowedCidrs, dbAllowedCidrsV6: allowedCidrsV6 } = lists;
  return {
    pending: {
      ...(allowedCidrs == null ? {} : { allowedCidrs }),
      ...(allowedCidrsV6 == null ? {} : { allowedCidrsV6 }),
      ...(requestedAt == null ? {} : { requestedAt }),
    },
  };
}
