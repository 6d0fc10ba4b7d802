import { z } from "zod";
import { defineFunction } from "../../define/function";
import { secret } from "../../define/markers";
import { fromWire } from "../../resources/auth/api-key/api-key";
import { listAllApiKeysOnce, type ListedApiKey } from "../../resources/auth/api-key/calls";
import { ofProject, explainMissingProject } from "../../lookup/missing-errors";
import { projectRef } from "../../define/shared-arguments";
import { pickPresentFields } from "../answers";

const inputs = z.strictObject({ projectRef });

/** A key as both functions return it. */
export const apiKey = z
  .object({
    apiKeyId: z.string().describe("Identifier of the key. Absent for `legacy` keys.").optional(),
    type: z
      .string()
      .describe("`publishable`, `secret`, or `legacy` for the JWT-based keys that every project has.")
      .optional(),
    name: z.string().describe("Name of the key."),
    description: z.string().describe("Purpose of the key.").optional(),
    apiKey: secret(z.string().describe("The key in plain text.")).optional(),
    prefix: z.string().describe("First characters of the key, which identify it.").optional(),
    hash: z.string().describe("The service's hash of the key.").optional(),
    secretJwtTemplate: z
      .record(z.string(), z.unknown())
      .describe("Claims of the JWT that represents a secret key inside the project, such as `role`.")
      .optional(),
    createdAt: z.string().describe("Creation time, ISO 8601.").optional(),
    updatedAt: z.string().describe("Time of the last change, ISO 8601.").optional(),
  })
  .describe("An API key of a project.");

const outputs = z.object({ apiKeys: z.array(apiKey).describe("All keys of the project.") });

export function toKey(record: ListedApiKey): z.output<typeof apiKey> {
  const { inputs: seen, outputs: others } = fromWire(record);
  const { description, secretJwtTemplate } = seen;
  return {
    name: record.name,
    ...pickPresentFields({ apiKeyId: record.id, type: record.type, description, secretJwtTemplate }),
    ...pickPresentFields(others),
  };
}

/** The API keys of a project. */
export const getApiKeys = defineFunction({
  name: "getApiKeys",
  description: "Lists the API keys of a project. The values are Pulumi secrets.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref }) {
    const keys = await explainMissingProject(ref, listAllApiKeysOnce(ctx, ref));
    return { apiKeys: keys.map(toKey) };
  },
});
