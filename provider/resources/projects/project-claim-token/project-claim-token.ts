import { z } from "zod";
import { isNotFound } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import type { Api, Context } from "../../../define/context";
import { notImportable } from "../../../define/import-id";
import { local, secret } from "../../../define/markers";
import { defineResource, NotListedError, type ResourceState } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { OwnerExistsError } from "../../../lookup/owner";
import { callWhenReady } from "../../../waiting/project-health";
import { writeOnce } from "../../../waiting/write-once";

type ShownClaimToken = Awaited<ReturnType<Api["getClaimToken"]>>;

const DEFAULT_ROTATE_BEFORE = 3_600;

const inputs = z.strictObject({
  projectRef,
  rotateBefore: local(
    z
      .int()
      .min(0)
      .max(86_400)
      .describe(
        `Time in seconds before expiry at which \`pulumi up\` creates a new token. Default: ${DEFAULT_ROTATE_BEFORE}. A token that was taken over is only replaced after its expiry unless you set this.`,
      ),
  ).optional(),
  ...everyResource,
});

const outputs = z.object({
  token: secret(
    z
      .string()
      .describe(
        "The token. Whoever has it can claim the project. The service returns it only once, so a token that was taken over has none.",
      ),
  ).optional(),
  tokenAlias: z.string().describe("A shortened form of the token, which the service shows.").optional(),
  expiresAt: z.string().describe("Time until which the project can be claimed, ISO 8601."),
  createdAt: z.string().describe("Time at which the token was created, ISO 8601.").optional(),
  createdBy: z.string().describe("Identifier of the user who created it, a UUID.").optional(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

const problems = {
  untold: defineProblem({
    says: "the service does not say how long the claim token of {ref} can be used, so it is treated as expired. {remedy}.",
    means: "Warning. The lifetime of the token is unknown. `expiresAt` is its time of creation.",
    remedy: "Use it in this run. The next `pulumi up` creates another one",
  }),
};

/** What another organization claims a project with. */
export const projectClaimToken = defineResource({
  type: "ProjectClaimToken",
  description:
    "A token with which another organization can claim a project, as `ProjectClaim` does. A project has at most one. If it has expired or is about to, `pulumi up` creates a new one; a refresh does not. A claimed project leaves the organization: remove it from the program then. Some installations do not have this operation.",
  inputs,
  outputs,
  timeouts: { create: 300, update: 300, delete: 300 },
  uniqueBy: [],
  importId: notImportable("the service returns a claim token only once."),
  adoption:
    "Taking over a token that already exists changes nothing: it stays valid, and the output `token` is absent because the service does not show it again. After its expiry, `pulumi up` creates a new one. To create one earlier, remove `adopt` and `adoptId`, set the resource option `deleteBeforeReplace: true` and run `pulumi up --replace <urn>`: the earlier token then stops working.",
  problems,

  diff({ token, expiresAt = "" }, { rotateBefore }, nowMs) {
    const expiresMs = Date.parse(expiresAt);
    // Somebody may have a token that was taken over, and nothing proves that one without a time is void.
    const isTakenOver = token === undefined;
    const marginMs = (rotateBefore ?? (isTakenOver ? 0 : DEFAULT_ROTATE_BEFORE)) * 1_000;
    const isValid = Number.isNaN(expiresMs) ? isTakenOver : expiresMs - marginMs > nowMs;
    return isValid ? {} : { renewed: ["token", "tokenAlias", "expiresAt", "createdAt"] };
  },

  async find(ctx, { projectRef: ref }) {
    const shown = await lookUpToken(ctx, ref);
    if (shown === undefined) return [];
    const label = `${shown.token_alias ?? "a token"}, valid until ${shown.expires_at ?? "an unknown time"}`;
    return [{ id: ref, label, createdAt: shown.created_at ?? undefined }];
  },

  // Another token in its place is not the one that this resource has.
  async read(ctx, { id: ref, state }) {
    const shown = await lookUpToken(ctx, ref);
    if (shown === undefined || !isOwn(shown, state)) return undefined;
    return {
      inputs: { projectRef: ref },
      outputs: {
        token: state.token,
        tokenAlias: shown.token_alias ?? undefined,
        expiresAt: shown.expires_at ?? state.expiresAt,
        createdAt: shown.created_at ?? undefined,
        createdBy: shown.created_by ?? undefined,
      },
    };
  },

  async create(ctx, { projectRef: ref }) {
    return { id: ref, outputs: await requestToken(ctx, ref) };
  },

  // After an interrupted run nobody knows the token any more; one that was taken over may have been handed out.
  async settle(ctx, { id: ref, state }) {
    const { token, tokenAlias, expiresAt, createdAt, createdBy } = state;
    if (!ctx.ledger.isAdopted && (token === undefined || expiresAt === undefined)) {
      return { inputs: {}, outputs: await makeToken(ctx, ref) };
    }
    return { inputs: {}, outputs: { token, tokenAlias, expiresAt, createdAt, createdBy } };
  },

  async update(ctx, { id: ref }) {
    return { outputs: await makeToken(ctx, ref) };
  },

  async delete(ctx, { id: ref, state }) {
    const shown = await lookUpToken(ctx, ref);
    if (shown === undefined) throw new NotListedError(`no claim token of ${ref} is shown`);
    if (isOwn(shown, state)) await removeToken(ctx, ref);
  },
});

/** The token of the project as the service shows it; undefined where it has none. */
async function lookUpToken(ctx: Context, ref: string): Promise<ShownClaimToken | undefined> {
  try {
    return await ctx.api.ofEveryProject(ref, () => ctx.api.getClaimToken({ ref }));
  } catch (error) {
    if (error instanceof OwnerExistsError || isNotFound(error)) return undefined;
    throw error;
  }
}

function isOwn(shown: ShownClaimToken, { createdAt, tokenAlias }: ResourceState<Inputs, Outputs>): boolean {
  const isSame = (now: string | null | undefined, before: string | undefined): boolean =>
    now == null || before === undefined || now === before;
  return isSame(shown.created_at, createdAt) && isSame(shown.token_alias, tokenAlias);
}

/** A token whose answer got lost is of no use to anybody: another one takes its place. */
function makeToken(ctx: Context, ref: string): Promise<Outputs> {
  return writeOnce(ctx, {
    send: async () => {
      await removeToken(ctx, ref);
      return requestToken(ctx, ref);
    },
    findResult: () => Promise.resolve(undefined),
  });
}

async function removeToken(ctx: Context, ref: string): Promise<void> {
  try {
    await callWhenReady(ctx, ref, [], () => ctx.api.deleteClaimToken({ ref }));
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function requestToken(ctx: Context, ref: string): Promise<Outputs> {
  const made = await callWhenReady(ctx, ref, [], () => ctx.api.createClaimToken({ ref }));
  if (made.expires_at == null) ctx.warn(problems.untold.message({ ref }));
  return {
    token: made.token,
    tokenAlias: made.token_alias ?? undefined,
    expiresAt: made.expires_at ?? new Date(ctx.clock.now()).toISOString(),
    createdAt: made.created_at ?? undefined,
    createdBy: made.created_by ?? undefined,
  };
}
