import { z } from "zod";
import { checkNames, functionSecretProblems, secretName, secretValue } from "../shared/function-secret-names";
import {
  addToListing,
  formatOutsideChange,
  forgetSecrets,
  isHeld,
  removeSecret,
  listSecretsOnce,
  writeSecret,
} from "../shared/function-secrets";
import { waitForHandOver, mayTakeOver, recordedAs } from "../shared/named-set";
import { inProject } from "../../../define/import-id";
import { listInProject } from "../../../define/list";
import { replaces, secret as secretField } from "../../../define/markers";
import { requireProjectRef } from "../../../define/require-project-ref";
import { defineResource } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { sha256 } from "../../../core/sha256";

const inputs = z.strictObject({
  projectRef,
  name: replaces(
    secretName.describe(
      "Name of the environment variable: at most 256 characters, not starting with `SVC_`. A change replaces the secret.",
    ),
    "delete-first",
  ),
  value: secretField(
    secretValue.describe(
      "Value of the secret, at most 24576 characters. The service returns only its SHA-256, with which the provider detects drift.",
    ),
  ),
  ...everyResource,
});

const outputs = z.object({
  // The only visible sign of drift: the values themselves are hidden, before and after (decision 0005).
  inSync: z
    .boolean()
    .describe("Whether the SHA-256 on the service equaled that of the declared value at the last read."),
});

/** A secret that the edge functions of a project read as an environment variable. */
export const secret = defineResource({
  type: "Secret",
  description:
    "A secret that a project's edge functions read as an environment variable. A run creates, updates and deletes secrets in bulk, and one listing detects the drift of all.",
  inputs,
  outputs,
  timeouts: { create: 300, update: 300, delete: 300 },
  isRepeatable: true,
  uniqueBy: ["name"],
  importId: inProject("name", "its name"),
  list: listInProject(
    async (ctx, ref) => Array.from((await listSecretsOnce(ctx, ref)).keys(), (name) => ({ id: name, name })),
    /^[^]+$/,
  ),
  manages: {
    collection: "function secrets",
    extent: "part",
    names: ({ name }) => (name === undefined ? [] : [name]),
    recordedAs: recordedAs("Secret", "SecretSet"),
  },
  problems: functionSecretProblems,

  check: ({ name = "", value }, _, before, installation) =>
    checkNames(
      [{ name, path: "name", isUnchanged: before?.["name"] === name && before["value"] === value }],
      installation,
    ),

  async find(ctx, { projectRef: ref, name, value, ...declared }) {
    const record = (await listSecretsOnce(ctx, ref)).get(name);
    if (record === undefined) return [];
    const { hash, updatedAt } = record;
    const isAsDeclared = hash === sha256(value);
    const going = mayTakeOver(declared) ? [] : await waitForHandOver(ctx, [name], () => isAsDeclared);
    return [
      {
        collides: going.length === 0,
        id: name,
        label: `${hash === sha256(value) ? "the same" : "another"} value, written ${updatedAt ?? "at an unknown time"}`,
        createdAt: updatedAt,
      },
    ];
  },

  async read(ctx, { id, state }) {
    const ref = requireProjectRef(state);
    const record = (await listSecretsOnce(ctx, ref)).get(id);
    if (record === undefined) return undefined;
    const inSync = isHeld(record, state.value === undefined ? undefined : sha256(state.value));
    return {
      inputs: { projectRef: ref, name: id, value: inSync ? state.value : formatOutsideChange(record) },
      outputs: { inSync },
    };
  },

  async create(ctx, { projectRef: ref, name, value }) {
    await writeSecret(ctx, ref, { name, value });
    await addToListing(ctx, ref, { name, value });
    ctx.program.takeNames([name]);
    return { id: name, outputs: { inSync: true } };
  },

  async update(ctx, { state, inputs: { projectRef: ref, name, value } }) {
    // Of what was imported the state has no value to compare, the service has the hash.
    const isFirst = state.value === undefined;
    if (isFirst && (await listSecretsOnce(ctx, ref)).get(name)?.hash === sha256(value)) {
      return { outputs: { inSync: true } };
    }
    await writeSecret(ctx, ref, { name, value });
    forgetSecrets(ctx, ref);
    return { outputs: { inSync: true } };
  },

  delete: (ctx, { id, state }) => removeSecret(ctx, requireProjectRef(state), id),
});
