import { z } from "zod";
import { ConflictError, isNotFound } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import type { Context } from "../../../define/context";
import { onePerProject } from "../../../define/import-id";
import { stable } from "../../../define/markers";
import { signingKeyProblems } from "../../../define/problems";
import { defineResource, type ObservedResource } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { explainWithdrawal } from "../shared/withdrawn-operations";
import { retryWhileTooSoon } from "../shared/signing-key-pace";
import { runKeyCreation, listSigningKeysOnce, writeKey, type SigningKeyRecord } from "../shared/signing-keys";

const inputs = z.strictObject({ projectRef, ...everyResource });

// The state is no output, as of every key whose state is not declared: others rotate keys.
const outputs = z.object({
  keyId: stable(z.string().describe("Identifier of the signing key, a UUID, as in `getSigningKeys`.")),
  algorithm: stable(z.string().describe("Algorithm of the signature, such as `HS256`.")),
  createdAt: stable(z.string().describe("Time of the setup, ISO 8601.")),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

function fromWire(
  ref: string,
  { id, algorithm, created_at }: SigningKeyRecord,
): ObservedResource<Inputs, Outputs> {
  return {
    inputs: { projectRef: ref },
    outputs: { keyId: id, algorithm: algorithm ?? undefined, createdAt: created_at ?? undefined },
  };
}

const problems = {
  ...signingKeyProblems,
  withdrawn: defineProblem({
    says: "The service no longer accepts the JWT secret of {ref} as a signing key{answer}. Nothing was changed. {remedy}.",
    means:
      "The service answered 404: it has withdrawn the operation that makes the JWT secret a signing key.",
    remedy: "Use `SigningKey`, which creates a new key, and remove this resource from the program",
  }),
  stays: defineProblem({
    says: "the legacy signing key of {ref} was not deleted, because the API cannot delete it. It was only removed from Pulumi's state. {remedy}.",
    means: "Warning. The resource was deleted, and the key still exists in its current state.",
    remedy:
      "To stop signing with it, set a `SigningKey` to `in_use`. To stop accepting it, disable the legacy API keys with `LegacyApiKeys` and revoke it in the service's console",
  }),
};

const key = (ref: string): string => `legacy-signing-key:${ref}`;

/** The JWT secret of a project as one of its signing keys. */
export const legacySigningKey = defineResource({
  type: "LegacySigningKey",
  description:
    "The JWT secret of a project as one of its signing keys: the first step of a move to `SigningKey`. If the key does not exist yet, the resource creates it, and it replaces the key in use. An existing key is taken over in its current state. The API cannot delete it, so deleting the resource leaves the key.",
  inputs,
  outputs,
  timeouts: { create: 1_200, update: 300, delete: 300 },
  isRepeatable: true,
  uniqueBy: [],
  importId: onePerProject("at most"),
  adoption: "An existing key is taken over in its current state, without `adopt` or `adoptId`.",
  problems,

  async read(ctx, { id, state }) {
    const key = await findListedKey(ctx, id, state.keyId);
    return key && fromWire(id, key);
  },

  async create(ctx, { projectRef: ref }) {
    const key = (await readLegacyKeyOnce(ctx, ref)) ?? (await setUpKey(ctx, ref));
    return { id: ref, ...fromWire(ref, key) };
  },

  delete(ctx, { id }) {
    ctx.warn(problems.stays.message({ ref: id }));
    return Promise.resolve();
  },
});

/** The legacy key as the service shows it; undefined where it is not set up, or the service shows it no longer. */
async function readLegacyKeyOnce(ctx: Context, ref: string): Promise<SigningKeyRecord | undefined> {
  return ctx.shared.list(key(ref), () => findLegacyKey(ctx, ref));
}

/** The same by the listing, which serves all keys of a run and outlives the operations of the legacy key. */
async function findListedKey(
  ctx: Context,
  ref: string,
  id: string | undefined,
): Promise<SigningKeyRecord | undefined> {
  if (id === undefined) return readLegacyKeyOnce(ctx, ref);
  const listed = await listSigningKeysOnce(ctx, ref);
  return listed.find((each) => each.id === id) ?? readLegacyKeyOnce(ctx, ref);
}

/** Takes the JWT secret as the key in use. */
async function setUpKey(ctx: Context, ref: string): Promise<SigningKeyRecord> {
  const what = "the JWT secret as a signing key";
  const formatWithdrawn = (answer: string): string => problems.withdrawn.message({ ref, answer });
  const send = (): Promise<SigningKeyRecord> =>
    writeKey(ctx, ref, what, () => ctx.api.createLegacySigningKey({ ref }));
  return runKeyCreation(ctx, ref, async () => {
    try {
      return await retryWhileTooSoon(ctx, what, [], () => explainWithdrawal(ctx, ref, formatWithdrawn, send));
    } catch (error) {
      // Somebody else was faster, or a project that was starting has it from the start.
      const present = error instanceof ConflictError ? await findLegacyKey(ctx, ref) : undefined;
      if (present === undefined) throw error;
      return present;
    }
  }).finally(() => ctx.shared.forget(key(ref)));
}

/** A 404 says either that the key is not set up or that the service has withdrawn the operation: its set-up knows which. */
async function findLegacyKey(ctx: Context, ref: string): Promise<SigningKeyRecord | undefined> {
  try {
    return await ctx.api.getLegacySigningKey({ ref });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return undefined;
  }
}
