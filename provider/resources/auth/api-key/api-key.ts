import { z } from "zod";
import { defineProblem } from "../../../client/errors/problem";
import type { Context } from "../../../define/context";
import { inProject } from "../../../define/import-id";
import { listInProject, UUID } from "../../../define/list";
import {
  autonamed,
  formed,
  local,
  readOption,
  replaces,
  resets,
  secret,
  stable,
  stays,
} from "../../../define/markers";
import { requireProjectRef } from "../../../define/require-project-ref";
import { defineResource, type CheckFailure, type ObservedResource } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import {
  findApiKeyOnce,
  listApiKeysOnce,
  createKey,
  deleteKey,
  revealProblems,
  updateKey,
  type ApiKeyAnswer,
} from "./calls";

const inputs = z.strictObject({
  projectRef,
  type: replaces(
    z
      .enum(["publishable", "secret"])
      .meta({ id: "ApiKeyType", description: "Kind of an API key." })
      .describe("`publishable` for clients, `secret` for servers. A change replaces the key."),
    "delete-first",
  ),
  name: autonamed(
    formed(
      z
        .string()
        .min(4)
        .max(64)
        .regex(/^[a-z_][a-z0-9_]+$/),
      "4 to 64 lowercase letters, digits and `_`, not beginning with a digit",
      "mobile_app",
    ).describe(
      "Name of the key, unique among the keys of its type: 4 to 64 lowercase letters, digits and `_`, not starting with a digit.",
    ),
    { separator: "_", maxLength: 64 },
  ),
  description: resets(z.string().describe("Purpose of the key.")).optional(),
  // Without a template, a key may do more than with one.
  secretJwtTemplate: stays(
    z
      .record(z.string(), z.unknown())
      .describe(
        "Claims of the JWT that represents the key inside the project, such as `role`. Only for `secret` keys. If you remove the input, the key keeps its claims.",
      ),
    "For other claims, declare them.",
  ).optional(),
  wasCompromised: local(
    z.boolean().describe("Whether the key was compromised. Reported to the service on deletion."),
  ).optional(),
  reason: local(
    z.string().describe("Reason for the deletion. Reported to the service on deletion."),
  ).optional(),
  reveal: readOption(
    z
      .boolean()
      .describe(
        "Whether the value of the key is read. With `false`, no call asks for it, `apiKey` stays as it is in the state, and a new key of type `secret` has none. Default: `true`.",
      ),
  ).optional(),
  ...everyResource,
});

type Inputs = z.output<typeof inputs>;

const outputs = z.object({
  apiKey: stable(
    secret(
      z
        .string()
        .describe("The key in plain text. Missing if it was never read, because `reveal` is `false`."),
    ),
  ),
  prefix: stable(z.string().describe("First characters of the key, which identify it.")),
  hash: stable(z.string().describe("The service's hash of the key.")),
  createdAt: stable(z.string().describe("Creation time, ISO 8601.")),
  updatedAt: z.string().describe("Time of the last change, ISO 8601."),
});

type Outputs = z.output<typeof outputs>;
type Body = Omit<Parameters<typeof createKey>[2], "type">;

function toBody(declared: Inputs): Body {
  const { name, description, secretJwtTemplate } = declared;
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(secretJwtTemplate === undefined ? {} : { secret_jwt_template: secretJwtTemplate }),
  };
}

/** Hidden, it is the prefix with dots (service, API keys); `known` is what the state has. */
export function fromWire(record: ApiKeyAnswer, known?: string): ObservedResource<Inputs, Outputs> {
  const shown = record.api_key ?? undefined;
  return {
    inputs: {
      // A type of a later version of the service differs from the declared one, whatever it is.
      type: record.type as Inputs["type"] | null | undefined,
      name: record.name,
      description: record.description,
      secretJwtTemplate: record.secret_jwt_template,
    },
    outputs: {
      apiKey: shown === undefined || shown.includes(HIDDEN) ? known : shown,
      prefix: record.prefix ?? undefined,
      hash: record.hash ?? undefined,
      createdAt: record.inserted_at ?? undefined,
      updatedAt: record.updated_at ?? undefined,
    },
  };
}

const HIDDEN = "·";

const problems = {
  ...revealProblems,
  templateOfPublishable: defineProblem({
    says: "only a key of type `secret` can have a template: {remedy}",
    means: "A publishable key declares `secretJwtTemplate`.",
    remedy: "Remove it, or set `type` to `secret`",
  }),
  descriptionChanged: defineProblem({
    says: "the description of the key {id} was changed elsewhere since this program set it, so it stays. {remedy}.",
    means:
      "Warning. The program no longer declares `description`, and the service has another one than the program had set.",
    remedy: "For another description, declare it",
  }),
};

/** An API key of a project, publishable or secret. */
export const apiKey = defineResource({
  type: "ApiKey",
  description: "An API key of a project, publishable or secret. Its value is always a Pulumi secret.",
  inputs,
  outputs,
  timeouts: { create: 300, update: 300, delete: 300 },
  importId: inProject("apiKeyId", "`getApiKeys`; the keys of type `legacy` cannot be managed"),
  list: listInProject((ctx, ref) => listApiKeysOnce(ctx, ref), UUID),
  problems,
  uniqueBy: ["type", "name"],

  check({ type, secretJwtTemplate }) {
    const failures: CheckFailure[] = [];
    if (type === "publishable" && secretJwtTemplate !== undefined) {
      failures.push({
        path: "secretJwtTemplate",
        reason: problems.templateOfPublishable.message(),
      });
    }
    return { failures };
  },

  async find(ctx, { projectRef: ref, type: wanted, name, reveal = true }) {
    // Each type has names of its own (service, API keys); a key whose type is not told may be the one.
    const candidates = await listApiKeysOnce(
      ctx,
      ref,
      reveal,
      (key) => key.name === name && (key.type == null || key.type === wanted),
    );
    return candidates.map(({ id, type, prefix, inserted_at }) => ({
      id,
      label: `${type ?? "unknown"} key ${prefix ?? name}, created ${inserted_at ?? "at an unknown time"}`,
      createdAt: inserted_at ?? undefined,
    }));
  },

  async read(ctx, { id, state }) {
    const ref = requireProjectRef(state);
    const record = await findApiKeyOnce(ctx, { ref, id, reveal: state.reveal ?? true });
    if (record === undefined) return undefined;
    const observed = fromWire(record, state.apiKey);
    return { ...observed, inputs: { ...observed.inputs, projectRef: ref } };
  },

  async create(ctx, declared) {
    const { projectRef: ref, type, reveal = true } = declared;
    const made = await createKey(ctx, ref, { type, ...toBody(declared) }, reveal);
    return { id: made.id, outputs: fromWire(made).outputs };
  },

  async update(ctx, { id, state, inputs: declared, changed }) {
    const { projectRef: ref, description, reveal = true } = declared;
    if ([...changed].every((name) => name === "reveal")) {
      // It says only what is read.
      const record = reveal ? await findApiKeyOnce(ctx, { ref, id, reveal }) : undefined;
      return record === undefined ? {} : { outputs: fromWire(record, state.apiKey).outputs };
    }
    const isTakenOut = changed.has("description") && description === undefined;
    const isForgotten = isTakenOut && (await hasDescription(ctx, { ref, id, reveal }, state.description));
    const body = { ...toBody(declared), ...(isForgotten ? { description: null } : {}) };
    return { outputs: fromWire(await updateKey(ctx, ref, id, body, reveal), state.apiKey).outputs };
  },

  async delete(ctx, { id, state }) {
    const { wasCompromised, reason } = state;
    await deleteKey(ctx, requireProjectRef(state), id, {
      ...(wasCompromised === undefined ? {} : { was_compromised: wasCompromised }),
      ...(reason === undefined ? {} : { reason }),
    });
  },
});

/** What somebody else wrote since is not this program's to remove. */
async function hasDescription(
  ctx: Context,
  key: { readonly ref: string; readonly id: string; readonly reveal: boolean },
  ours: string | undefined,
): Promise<boolean> {
  const there = (await findApiKeyOnce(ctx, key))?.description;
  if (there == null || there === ours) return true;
  ctx.warn(problems.descriptionChanged.message({ id: key.id }));
  return false;
}
