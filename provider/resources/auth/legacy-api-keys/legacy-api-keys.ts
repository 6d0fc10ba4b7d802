import { z } from "zod";
import { legacyApiKeysResponse } from "../../../../spec/operations/api-keys";
import { defineProblem } from "../../../client/errors/problem";
import { defineSettings } from "../../../settings/settings";
import { startingCalls } from "../../../waiting/starting-calls";
import { explainWithdrawal } from "../shared/withdrawn-operations";

const problems = {
  withdrawn: defineProblem({
    says: "The service has no switch for the legacy API keys of {ref} any more{answer}: it offers such keys no longer, and nothing that belongs to it is taken to be gone. {remedy}.",
    means: "404: the service has withdrawn the operations of the legacy API keys.",
    remedy:
      "Use the resource `ApiKey`, with a publishable key in place of `anon` and a secret one in place of `service_role`, and take this resource out of the state and the program: `pulumi state delete <urn>`",
  }),
};

const withdrawn =
  (ref: string) =>
  (answer: string): string =>
    problems.withdrawn.message({ ref, answer });

/** Whether a project accepts its JWT-based API keys. */
export const legacyApiKeys = defineSettings({
  type: "LegacyApiKeys",
  description:
    "Whether the JWT-based API keys `anon` and `service_role` of a project are accepted. Disable them once every client uses a publishable or secret `ApiKey`. Deleting the resource restores what it found.",
  settings: {
    enabled: z.boolean().describe("Whether the keys `anon` and `service_role` are accepted."),
  },
  options: {},
  outputs: {},
  wireNames: {},
  body: legacyApiKeysResponse,
  timeouts: { create: 300, update: 300, delete: 300 },
  problems,
  conditionalCalls: [
    ...startingCalls("create", "update", "delete"),
    ["updateLegacyApiKeys", ["delete"], "when `enabled` is not what was found"],
  ],
  // The write takes a parameter of the query and no body.
  isClosed: true,
  mode: "replace",
  services: ["db"],
  opens: (_, to) => to === true,
  get: (ctx, ref) => explainWithdrawal(ctx, ref, withdrawn(ref), () => ctx.api.getLegacyApiKeys({ ref })),
  put: (ctx, ref, { enabled }) =>
    explainWithdrawal(ctx, ref, withdrawn(ref), () => ctx.api.updateLegacyApiKeys({ ref, enabled })),
});
