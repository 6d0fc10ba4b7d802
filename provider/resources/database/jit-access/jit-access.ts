import { z } from "zod";
import { jitAccessRequestRequest } from "../../../../spec/operations/jit-access";
import { InvalidInputError, ResponseSchemaError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import { defineSettings } from "../../../settings/settings";
import { startingCalls } from "../../../waiting/starting-calls";

const problems = {
  notTaken: defineProblem({
    says: "the just-in-time access of the project {ref} was to be {wanted}, and the service answers that it is {state}. {remedy}.",
    means:
      "The service accepted the request and did not apply it: it returns another state than the declared one.",
    remedy:
      "If it is `unavailable`, the project cannot grant such access as it is now: the service's own console says why. Otherwise run again",
  }),
};

/** Whether a project grants just-in-time access to its database. */
export const jitAccess = defineSettings({
  type: "JitAccess",
  description:
    "Whether a project grants just-in-time access to its database. Who may assume which role is declared by `JitUser`. Deleting the resource restores the state that it found. Older versions of the service take the state but do not return it: there the provider sets it on create and on a change, finds no drift, cannot import it, and a delete leaves it as it is, with a warning.",
  settings: {
    state: z
      .enum(["enabled", "disabled", "unavailable"])
      .meta({ id: "JitAccessStatus", description: "Whether just-in-time access is granted." })
      .describe(
        "Whether just-in-time access is granted: `enabled` or `disabled`. The API also takes `unavailable`, the state of a project that cannot grant such access.",
      ),
  },
  options: {},
  outputs: {},
  wireNames: {},
  body: jitAccessRequestRequest,
  timeouts: { create: 300, update: 300, delete: 300 },
  problems,
  conditionalCalls: [
    ...startingCalls("create", "update", "delete"),
    ["updateJitAccess", ["delete"], "when `state` is not what was found"],
  ],
  mode: "merge",
  services: ["db"],
  opens: (_, to) => to === "enabled",
  // The documented answer has the caller's roles in place of the state (service, Just-in-time access).
  showsAll: true,
  async get(ctx, ref) {
    const answer = await ctx.api.getJitAccess({ ref });
    // Neither form of the answer: written now, what is there would be lost.
    if (answer.state == null && answer.user_id == null) throw withoutState(ref);
    return answer;
  },
  async put(ctx, ref, body) {
    const answer = await ctx.api.updateJitAccess({ ref, body });
    const { state } = answer;
    if (state != null && state !== body.state) {
      throw new InvalidInputError("state", problems.notTaken.message({ ref, wanted: body.state, state }));
    }
    return answer;
  },
});

function withoutState(ref: string): ResponseSchemaError {
  return new ResponseSchemaError(
    `getJitAccess: the service answered without the state of just-in-time access of ${ref}; run again.`,
    "getJitAccess",
    "state",
  );
}
