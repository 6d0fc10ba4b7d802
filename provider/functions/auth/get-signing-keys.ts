import { z } from "zod";
import { defineFunction } from "../../define/function";
import { listSigningKeysOnce, type SigningKeyRecord } from "../../resources/auth/shared/signing-keys";
import { fromWire } from "../../resources/auth/signing-key/signing-key";
import { ofProject, explainMissingProject } from "../../lookup/missing-errors";
import { projectRef } from "../../define/shared-arguments";
import { pickPresentFields } from "../answers";

const inputs = z.strictObject({ projectRef });

/** A key as both functions return it. */
export const signingKey = z
  .object({
    signingKeyId: z.string().describe("Identifier of the key, a UUID."),
    algorithm: z.string().describe("Signature algorithm, such as `ES256`.").optional(),
    status: z.string().describe("`in_use`, `standby`, `previously_used` or `revoked`.").optional(),
    publicJwk: z
      .record(z.string(), z.unknown())
      .describe("Public half of the key as a JWK. Absent for a shared secret (HS256).")
      .optional(),
    createdAt: z.string().describe("Creation time, ISO 8601.").optional(),
    updatedAt: z.string().describe("Time of the last change, ISO 8601.").optional(),
  })
  .describe("A key that signs the JWTs of a project.");

const outputs = z.object({
  signingKeys: z.array(signingKey).describe("All signing keys of the project, without their private halves."),
});

export function toKey(record: SigningKeyRecord): z.output<typeof signingKey> {
  const { inputs: seen, outputs: others } = fromWire(record);
  return {
    signingKeyId: record.id,
    ...pickPresentFields({ algorithm: seen.algorithm, status: seen.status, updatedAt: record.updated_at }),
    ...pickPresentFields(others),
  };
}

/** The keys that sign the JWTs of a project. */
export const getSigningKeys = defineFunction({
  name: "getSigningKeys",
  description: "Lists the signing keys for the JWTs of a project's users, with their public halves.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref }) {
    const keys = await explainMissingProject(ref, listSigningKeysOnce(ctx, ref));
    return { signingKeys: keys.map(toKey) };
  },
});
