import { z } from "zod";
import { legacyApiKeysResponse } from "../../../../spec/operations/api-keys";
import { defineProblem } from "../../../client/errors/problem";
import type { Context } from "../../../define/context";
import { defineSettings } from "../../../settings/settings";
import { explainWithdrawal } from "../shared/withdrawn-operations";

const problems = {
  withdrawn: defineProblem({
    says: "The service no longer supports legacy API keys of {ref}{answer}. The resource is treated as still present. {remedy}.",
    means: "The service answered 404: it has withdrawn the operations for legacy API keys.",
    remedy:
      "Use `ApiKey`, with a publishable key instead of `anon` and a secret key instead of `service_role`. Then remove this resource from the program and from the state: `pulumi state delete '{urn}'`",
  }),
};

const explainWithdrawn =
  ({ urn }: Context, ref: string) =>
  (answer: string): string =>
    problems.withdrawn.message({ ref, answer, urn });

/** Whether a project accepts its JWT-based API keys. */
export const legacyApiKeys = defineSettings({
  type: "LegacyApiKeys",
  description:
    "The JWT-based API keys `anon` and `service_role` of a project, enabled or disabled. Disable them when every client uses a publishable or secret `ApiKey`. Deleting the resource restores the earlier value.",
  settings: {
    enabled: z.boolean().describe("Whether the keys `anon` and `service_role` are accepted."),
  },
  options: {},
  outputs: {},
  wireNames: {},
  body: legacyApiKeysResponse,
  timeouts: { create: 300, update: 300, delete: 300 },
  problems,
  // The write takes a parameter of the query and no body.
  isClosed: true,
  mode: "replace",
  services: ["db"],
  opens: (_, to) => to === true,
  get: (ctx, ref) =>
    explainWithdrawal(ctx, ref, explainWithdrawn(ctx, ref), () => ctx.api.getLegacyApiKeys({ ref })),
  put: (ctx, ref, { enabled }) =>
    explainWithdrawal(ctx, ref, explainWithdrawn(ctx, ref), () =>
      ctx.api.updateLegacyApiKeys({ ref, enabled }),
    ),
});
