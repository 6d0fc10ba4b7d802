import { z } from "zod";
import { InvalidInputError } from "../../client/errors/errors";
import { defineProblem } from "../../client/errors/problem";
import { defineFunction } from "../../define/function";
import { listAllApiKeysOnce, type ListedApiKey } from "../../resources/auth/api-key/calls";
import { createNotFoundError, ofProject, explainMissingProject } from "../../lookup/missing-errors";
import { requireExactlyOne, formatNames, requireOnly, formatIdentity } from "../one-of-several";
import { projectRef } from "../../define/shared-arguments";
import { apiKey, toKey } from "./get-api-keys";

const inputs = z
  .strictObject({
    projectRef,
    apiKeyId: z
      .string()
      .min(1)
      .describe("Identifier of the key. Declare it or `name`. `legacy` keys have none.")
      .optional(),
    name: z.string().min(1).describe("Exact name of the key. Declare it or `apiKeyId`.").optional(),
    type: z
      .enum(["publishable", "secret", "legacy"])
      .meta({ id: "GetApiKeyType", description: "Type of an API key." })
      .describe(
        "Type of the key. Use it with `name`, because keys of different types can have the same name.",
      )
      .optional(),
  })
  .superRefine((given, check) => {
    requireExactlyOne(given, ["apiKeyId", "name"], check);
    if (given.type === undefined || given.apiKeyId === undefined) return;
    check.addIssue({ code: "custom", path: ["type"], message: "the identifier alone names the key" });
  });

const outputs = z.object(apiKey.shape);

const problems = {
  ...ofProject,
  noKey: defineProblem({
    says: "The project {ref} has no API key with the {wanted}; it has {present}. {remedy}.",
    means: "The project has no such API key.",
    remedy: "Check the value, and that the key has not been deleted",
  }),
  severalKeys: defineProblem({
    says: "The project {ref} has {count} API keys with the {wanted}: {candidates}. {remedy}.",
    means: "Keys of different types have this name; the message lists them.",
    remedy: "Give `type` to choose one of them",
  }),
};

function formatKey({ name, type, id }: ListedApiKey): string {
  return [type ?? "", name, id == null ? "" : `(${id})`].filter((part) => part !== "").join(" ");
}

/** An API key of a project. */
export const getApiKey = defineFunction({
  name: "getApiKey",
  description:
    "Reads an API key of a project by its identifier, or by its name and type. The value is a Pulumi secret.",
  inputs,
  outputs,
  problems,
  async run(ctx, { projectRef: ref, apiKeyId, name, type }) {
    const keys = await explainMissingProject(ref, listAllApiKeysOnce(ctx, ref));
    const found = keys.filter((key) =>
      apiKeyId === undefined
        ? key.name === name && (type === undefined || key.type === type)
        : key.id === apiKeyId,
    );
    const wanted = formatIdentity({ apiKeyId, name, type });
    const only = requireOnly(
      found,
      () =>
        createNotFoundError(
          "listApiKeys",
          problems.noKey.message({ ref, wanted, present: formatNames(keys, formatKey) }),
        ),
      () => {
        const candidates = formatNames(found, formatKey);
        const message = problems.severalKeys.message({ ref, count: found.length, wanted, candidates });
        return new InvalidInputError("name", message);
      },
    );
    return toKey(only);
  },
});
