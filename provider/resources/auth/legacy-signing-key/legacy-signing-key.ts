import { z } from "zod";
import { startingCalls } from "../../../waiting/starting-calls";
import type { SigningKeyRecord } from "../shared/signing-keys";
import { onePerProject } from "../../../define/import-id";
import { stable } from "../../../define/markers";
import { defineResource, type Observed } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { legacyKeyOf, listedKey, setUp } from "./calls";
import { problems } from "./problems";

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
