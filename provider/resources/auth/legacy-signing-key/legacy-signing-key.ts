import { z } from "zod";
import { ConflictError, isNotFound } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import type { Context } from "../../../define/context";
import { onePerProject } from "../../../define/import-id";
import { stable } from "../../../define/markers";
import { signingKeyProblems } from "../../../define/problems";
import { defineResource, type Observed } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { startingCalls } from "../../../waiting/starting-calls";
import { explainWithdrawal } from "../shared/withdrawn-operations";
import { unlessTooSoon } from "../shared/signing-key-pace";
import { makingKey, listSigningKeysOnce, writeKey, type SigningKeyRecord } from "../shared/signing-keys";

const inputs = z.strictObject({ projectRef, ...everyResource });

// The state is no output, as of every key whose state is not declared: others rotate keys.
const outputs = z.object({
  keyId: stable(z.string().describe("Identifier of the signing key, a UUID, as `getSigningKeys` lists it.")),
  algorithm: stable(z.string().describe("Algorithm of the signature, such as `HS256`.")),
  createdAt: stable(z.string().describe("Time of the set-up, ISO 8601.")),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

function fromWire(ref: string, { id, algorithm, created_at }: SigningKeyRecord): Observed<Inputs, Outputs> {
  return {
    inputs: { projectRef: ref },
    outputs: { keyId: id, algorithm: algorithm ?? undefined, createdAt: created_at ?? undefined },
  };
}

const problems = {
  ...signingKeyProblems,
  withdrawn: defineProblem({
    says: "The service no longer takes the JWT secret of {ref} as a signing key{answer}, and nothing was changed. {remedy}.",
    means: "404: the service has withdrawn the operation that takes the JWT secret as a signing key.",
    remedy: "Use the resource `SigningKey`, which makes a new key, and take this resource out of the program",
  }),
  stays: defineProblem({
    says: "the legacy signing key of {ref} stays as it is: the API cannot delete it, and it is only taken out of Pulumi's state. {remedy}.",
    means: "A warning: the resource was deleted, and the key is still there, in the state that it was in.",
    remedy:
      "To have it sign no longer, set a `SigningKey` to `in_use`; to have it accepted no longer, disable the legacy API keys with `LegacyApiKeys` and revoke it in the service's console",
  }),
};

const key = (ref: string): string => `legacy-signing-key:${ref}`;

/** The JWT secret of a project as one of its signing keys. */
export const legacySigningKey = defineResource({
  type: "LegacySigningKey",
  description:
    "The JWT secret of a project as one of its signing keys, with which a move to `SigningKey` begins. Where the key is not set up yet, it is, and comes into use in place of the key that was; a key that is set up is taken over in whatever state it is. The API cannot delete it: deleting the resource leaves the key.",
  inputs,
  outputs,
  timeouts: { create: 1_200, update: 300, delete: 300 },
  isRepeatable: true,
  uniqueBy: [],
  importId: onePerProject("at most"),
  adoption:
    "A key that is set up already is taken over in whatever state it is: it needs neither `adopt` nor `adoptId`.",
  problems,
  conditionalCalls: [
    ...startingCalls("create"),
    ["getLegacySigningKey", ["read"], "when the listing does not show the key"],
  ],

  async read(ctx, { id, state }) {
    const key = await listedKey(ctx, id, state.keyId);
    return key && fromWire(id, key);
  },

  async create(ctx, { projectRef: ref }) {
    const key = (await legacyKeyOf(ctx, ref)) ?? (await setUp(ctx, ref));
    return { id: ref, ...fromWire(ref, key) };
  },

  delete(ctx, { id }) {
    ctx.warn(problems.stays.message({ ref: id }));
    return Promise.resolve();
  },
});

/** The legacy key as the service shows it; undefined where it is not set up, or the service shows it no longer. */
async function legacyKeyOf(ctx: Context, ref: string): Promise<SigningKeyRecord | undefined> {
  return ctx.shared.list(key(ref), () => look(ctx, ref));
}

/** The same by the listing, which serves all keys of a run and outlives the operations of the legacy key. */
async function listedKey(
  ctx: Context,
  ref: string,
  id: string | undefined,
): Promise<SigningKeyRecord | undefined> {
  if (id === undefined) return legacyKeyOf(ctx, ref);
  const listed = await listSigningKeysOnce(ctx, ref);
  return listed.find((each) => each.id === id) ?? legacyKeyOf(ctx, ref);
}

/** Takes the JWT secret as the key in use. */
async function setUp(ctx: Context, ref: string): Promise<SigningKeyRecord> {
  const what = "the JWT secret as a signing key";
  const withdrawn = (answer: string): string => problems.withdrawn.message({ ref, answer });
  const send = (): Promise<SigningKeyRecord> =>
    writeKey(ctx, ref, what, () => ctx.api.createLegacySigningKey({ ref }));
  return makingKey(ctx, ref, async () => {
    try {
      return await unlessTooSoon(ctx, what, [], () => explainWithdrawal(ctx, ref, withdrawn, send));
    } catch (error) {
      // Somebody else was faster, or a project that was starting has it from the start.
      const present = error instanceof ConflictError ? await look(ctx, ref) : undefined;
      if (present === undefined) throw error;
      return present;
    }
  }).finally(() => ctx.shared.forget(key(ref)));
}

/** A 404 says either that the key is not set up or that the service has withdrawn the operation: its set-up knows which. */
async function look(ctx: Context, ref: string): Promise<SigningKeyRecord | undefined> {
  try {
    return await ctx.api.getLegacySigningKey({ ref });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return undefined;
  }
}
