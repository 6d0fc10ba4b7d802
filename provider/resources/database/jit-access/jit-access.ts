import { z } from "zod";
import { jitAccessRequestRequest } from "../../../../spec/operations/jit-access";
import { InvalidInputError, ResponseSchemaError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import { defineSettings } from "../../../settings/settings";

const problems = {
  notTaken: defineProblem({
    says: "just-in-time access of the project {ref} was set to {wanted}, but the service returns {state}{reason}. {remedy}.",
    means: "The service accepted the request but returns another state.",
    remedy:
      "If the state is `unavailable`, the project cannot grant such access; the service's console says why. Otherwise, run again",
  }),
};

/** Whether a project grants just-in-time access to its database. */
export const jitAccess = defineSettings({
  type: "JitAccess",
  description:
    "Just-in-time access to a project's database, enabled or disabled. `JitUser` declares who may assume which role. Deleting the resource restores the earlier state. Some versions of the service do not return the state. In that case, the provider cannot detect drift or import it, and a delete leaves the state as it is, with a warning.",
  settings: {
    state: z
      .enum(["enabled", "disabled", "unavailable"])
      .meta({ id: "JitAccessStatus", description: "Whether just-in-time access is granted." })
      .describe(
        "State of just-in-time access: `enabled` or `disabled`. The API also accepts `unavailable`, the state of projects that cannot grant it.",
      ),
  },
  options: {},
  outputs: {},
  wireNames: {},
  body: jitAccessRequestRequest,
  timeouts: { create: 300, update: 300, delete: 300 },
  problems,
  mode: "merge",
  services: ["db"],
  opens: (_, to) => to === "enabled",
  async get(ctx, ref) {
    const answer = await ctx.api.getJitAccess({ ref });
    // Neither form of the answer: written now, what is there would be lost.
    if (answer.state == null && answer.user_id == null) throw createMissingStateError(ref);
    return answer;
  },
  async put(ctx, ref, body) {
    const answer = await ctx.api.updateJitAccess({ ref, body });
    const { state, unavailableReason } = answer;
    if (state != null && state !== body.state) {
      const reason = unavailableReason == null ? "" : ` (${unavailableReason})`;
      const said = problems.notTaken.message({ ref, wanted: body.state, state, reason });
      throw new InvalidInputError("state", said);
    }
    return answer;
  },
});

function createMissingStateError(ref: string): ResponseSchemaError {
  return new ResponseSchemaError(
    `getJitAccess failed: the answer has no state of just-in-time access for ${ref}. Run again.`,
    "getJitAccess",
    "state",
  );
}
