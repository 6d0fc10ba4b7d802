import { z } from "zod";
import { isOwnerGone } from "../../../lookup/owner";
import { callWhenReady } from "../../../waiting/project-health";
import { writeOnce } from "../../../waiting/write-once";
import { defineProblem } from "../../../client/errors/problem";
import type { Context } from "../../../define/context";
import { notImportable } from "../../../define/import-id";
import { local, secret } from "../../../define/markers";
import { requireProjectRef } from "../../../define/require-project-ref";
import { defineResource, type ResourceState } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";

const DEFAULT_ROTATE_BEFORE = 60;

const inputs = z.strictObject({
  projectRef,
  readOnly: z.boolean().describe("Whether the role can only read. A change creates a new role."),
  rotateBefore: local(
    z
      .int()
      .min(0)
      .max(86_400)
      .describe(
        `Time in seconds before expiry at which \`pulumi up\` creates a new role. If it exceeds the lifetime of a role, every run creates one. Default: ${DEFAULT_ROTATE_BEFORE}.`,
      ),
  ).optional(),
  ...everyResource,
});

const outputs = z.object({
  role: z.string().describe("Name of the database user."),
  password: secret(z.string().describe("Password of the user. The service returns it only once.")),
  expiresAt: z.string().describe("Time until which the user can log in, ISO 8601."),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

const problems = {
  outlives: defineProblem({
    says: "{role} can log in until it expires at {expiresAt}: the API can only delete all login roles of a project at once.",
    means: "Deleting or replacing the role leaves the old role until it expires.",
    remedy: "Nothing",
  }),
  untold: defineProblem({
    says: "the service does not say how long {role} can log in, so it is treated as expired. {remedy}.",
    means: "Warning. The lifetime of the role is unknown. `expiresAt` is its time of creation.",
    remedy: "Use it in this run. The next `pulumi up` creates another one",
  }),
};

/** A database user whose password lasts for a short while. */
export const loginRole = defineResource({
  type: "LoginRole",
  description:
    "A database user with a short-lived password. If the user has expired or is about to, `pulumi up` creates a new user with a new password; a refresh does not. Objects of the old user stay. The `id` is the name of the first user.",
  inputs,
  outputs,
  timeouts: { create: 300, update: 300, delete: 300 },
  isRepeatable: true,
  importId: notImportable("the service returns the password of a login role only once."),
  adoption: "There is nothing to adopt: every create makes a new user.",
  problems,

  diff({ expiresAt = "" }, { rotateBefore = DEFAULT_ROTATE_BEFORE }, nowMs) {
    const isValid = Date.parse(expiresAt) - rotateBefore * 1_000 > nowMs;
    return isValid ? {} : { renewed: ["role", "password", "expiresAt"] };
  },

  // The service shows no login role: what is known of it stays, unless its project is gone.
  async read(ctx, { id, state }) {
    const ref = requireProjectRef(state);
    if (await isOwnerGone(ctx, ref)) return undefined;
    return { inputs: { projectRef: ref }, outputs: pickCompleteRole(state) ?? createLostOutputs(id) };
  },

  async create(ctx, declared) {
    const made = await requestRole(ctx, declared);
    return { id: made.role, outputs: made };
  },

  // After an interrupted run nobody knows the password any more.
  async settle(ctx, { state, inputs: declared }) {
    return { inputs: {}, outputs: pickCompleteRole(state) ?? (await makeRole(ctx, declared)) };
  },

  async update(ctx, { inputs: declared }) {
    return { outputs: await makeRole(ctx, declared) };
  },

  delete(ctx, { state: { role, expiresAt = "" } }) {
    const isValid = Date.parse(expiresAt) > ctx.clock.now();
    if (role !== undefined && isValid) ctx.info(problems.outlives.message({ role, expiresAt }));
    return Promise.resolve();
  },
});

/** A role whose answer got lost is of no use to anybody and expires by itself: another one is made. */
async function makeRole(ctx: Context, declared: Inputs): Promise<Outputs> {
  return writeOnce(ctx, {
    send: () => requestRole(ctx, declared),
    findResult: () => Promise.resolve(undefined),
  });
}

async function requestRole(ctx: Context, { projectRef: ref, readOnly }: Inputs): Promise<Outputs> {
  return callWhenReady(ctx, ref, ["db"], async () => {
    // Counted from before the call, it is over for us before it is for the service.
    const sentMs = ctx.clock.now();
    const body = { read_only: readOnly };
    const { role, password, ttl_seconds: told } = await ctx.api.createLoginRole({ ref, body });
    const seconds = told ?? 0;
    // To take it for valid longer than it may be would leave the next run with a password that no longer works.
    if (seconds <= 0) ctx.warn(problems.untold.message({ role }));
    return { role, password, expiresAt: new Date(sentMs + seconds * 1_000).toISOString() };
  });
}

function pickCompleteRole({
  role,
  password = "",
  expiresAt,
}: ResourceState<Inputs, Outputs>): Outputs | undefined {
  const isKnown = role !== undefined && password !== "" && expiresAt !== undefined;
  return isKnown ? { role, password, expiresAt } : undefined;
}

/** A role of which nobody has the password: it is over, and the next step makes another. */
function createLostOutputs(id: string): Outputs {
  return { role: id, password: "", expiresAt: new Date(0).toISOString() };
}
