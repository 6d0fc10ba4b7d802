import { z } from "zod";
import { signingKeyStatus } from "../../../spec/operations/signing-keys";
import { InvalidInputError } from "../../client/errors/errors";
import { defineProblem } from "../../client/errors/problem";
import { defineFunction } from "../../define/function";
import { listSigningKeysOnce, type SigningKeyRecord } from "../../resources/auth/shared/signing-keys";
import { createNotFoundError, ofProject, explainMissingProject } from "../../lookup/missing-errors";
import { requireExactlyOne, formatNames, requireOnly, formatIdentity } from "../one-of-several";
import { projectRef } from "../../define/shared-arguments";
import { signingKey, toKey } from "./get-signing-keys";

const inputs = z
  .strictObject({
    projectRef,
    signingKeyId: z
      .string()
      .min(1)
      .describe("Identifier of the key, a UUID. Declare it or `status`.")
      .optional(),
    status: signingKeyStatus
      .describe(
        "State of the key: `in_use` for the current key, `standby` for the next one. Declare it or `signingKeyId`.",
      )
      .optional(),
  })
  .superRefine((given, check) => {
    requireExactlyOne(given, ["signingKeyId", "status"], check);
  });

const outputs = z.object(signingKey.shape);

const problems = {
  ...ofProject,
  noKey: defineProblem({
    says: "The project {ref} has no signing key with the {wanted}; it has {present}. {remedy}.",
    means: "The project has no such signing key.",
    remedy: "Check the value, and that the key has not been deleted",
  }),
  severalKeys: defineProblem({
    says: "The project {ref} has {count} signing keys with the {wanted}: {candidates}. {remedy}.",
    means: "Several keys are in this state; the message lists them.",
    remedy: "Give `signingKeyId` to choose one of them",
  }),
};

function formatKey({ id, algorithm, status }: SigningKeyRecord): string {
  return `${id} (${algorithm ?? "unknown algorithm"}, ${status ?? "no status"})`;
}

/** A key that signs the JWTs of a project. */
export const getSigningKey = defineFunction({
  name: "getSigningKey",
  description:
    "Reads a signing key for the JWTs of a project's users by its identifier or state, with its public half.",
  inputs,
  outputs,
  problems,
  async run(ctx, { projectRef: ref, signingKeyId, status }) {
    const keys = await explainMissingProject(ref, listSigningKeysOnce(ctx, ref));
    const found = keys.filter((key) =>
      signingKeyId === undefined ? key.status === status : key.id === signingKeyId,
    );
    const wanted = formatIdentity({ signingKeyId, status });
    const only = requireOnly(
      found,
      () =>
        createNotFoundError(
          "listSigningKeys",
          problems.noKey.message({ ref, wanted, present: formatNames(keys, formatKey) }),
        ),
      () => {
        const candidates = formatNames(found, formatKey);
        const message = problems.severalKeys.message({ ref, count: found.length, wanted, candidates });
        return new InvalidInputError("status", message);
      },
    );
    return toKey(only);
  },
});
