import { z } from "zod";
import type { Context } from "../../../define/context";
import { notImportable } from "../../../define/import-id";
import { computed, local, secret } from "../../../define/markers";
import { requireProjectRef } from "../../../define/require-project-ref";
import { formatName, formatPlanLine } from "../../../define/plan-words";
import { defineResource, type Installation } from "../../../define/resource";
import { sha256 } from "../../../core/sha256";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { refuseEmptyListing } from "../../../lookup/unproven-absence";
import { allowEmptyInput, listSortedKeys } from "../shared/empty-source";
import { secretName, secretValue } from "../shared/function-secret-names";
import { formatOutsideChange, isHeld, listSecretsOnce } from "../shared/function-secrets";
import {
  listDuePruning,
  findExistingSet,
  mayTakeOver,
  namedSetOutputs,
  listFormerNames,
  listPruned,
  pruneInput,
  describePruning,
  recordedAs,
  pickUndeclared,
  omitNamesElsewhere,
  warnOfPruning,
} from "../shared/named-set";
import { applySet, keepWritten, removeAll, requireDone } from "./apply-set";
import { checkSecrets, listDeclaredSecretNames, readDeclaredSecrets, hashSecrets } from "./declared-secrets";
import { problems } from "./problems";

const inputs = z.strictObject({
  projectRef,
  secrets: secret(
    local(
      z
        .record(secretName, secretValue)
        .describe(
          "Values by name of the environment variable. Names have at most 256 characters and must not start with `SVC_`. Values have at most 24576 characters. They take precedence over `envFile`.",
        ),
    ),
  ).optional(),
  envFile: local(
    z
      .string()
      .min(1)
      .describe(
        "Path of a `.env` file with secrets, relative to the program's folder. It may contain comments, quoted values and multi-line values. `$NAME` is not expanded (`docs/env-files.md` has the rules). The next preview shows a changed file as a change. The values are not stored in the state. A link must lead to a file in the same folder or repository.",
      ),
  ).optional(),
  hashes: secret(
    computed(
      z
        .record(z.string(), z.string())
        .describe("SHA-256 of each declared value, by name. A change triggers a write."),
    ),
  ).optional(),
  prune: pruneInput("secrets"),
  allowEmpty: allowEmptyInput("an `envFile`", "secrets"),
  ...everyResource,
});

const outputs = z.object({
  ...namedSetOutputs,
  // The only visible sign of drift: the values and their hashes are hidden, before and after.
  outOfSync: z
    .array(z.string())
    .describe("Names whose value on the service differed from the declared one at the last read."),
});

/** The secrets of a file or a map, which the edge functions of a project read as environment variables. */
export const secretSet = defineResource({
  type: "SecretSet",
  description:
    "A set of secrets for a project's edge functions, which read them as environment variables. The secrets come from a map, a `.env` file or both. One call writes all changed secrets, and one deletes all removed ones. A refresh lists each secret that was changed elsewhere. A project can have several sets with different names.",
  inputs,
  outputs,
  timeouts: { create: 300, update: 300, delete: 300 },
  isRepeatable: true,
  importId: notImportable(
    "the service does not return the values. Use `adopt: true` to take over existing secrets.",
  ),
  adoption:
    "If one of the secrets already exists, with any value, a create or update that declares it fails and changes nothing. `adopt: true` takes over existing secrets and writes the declared values.",
  manages: {
    collection: "function secrets",
    extent: "part",
    wholeBy: "prune",
    names: listDeclaredSecretNames,
    recordedAs: recordedAs("Secret", "SecretSet"),
  },
  problems,
  shares: ({ names = [] }) => ({ names }),
  diff: (state, declared) => ({ renewed: listDuePruning(state, declared) }),
  plan: {
    covers: [],
    labels: { hashes: "secrets" },
    describe(state, { hashes, secrets, prune }) {
      const created = listSortedKeys(hashes ?? secrets).map((name) => `${formatName(name)} (added)`);
      return state === undefined ? formatPlanLine("secrets", created) : describePruning(state, { prune });
    },
  },
  check: checkSecrets,

  async find(ctx, declared) {
    const present = await listSecretsOnce(ctx, declared.projectRef);
    const secrets = readDeclaredSecrets(declared, installationOf(ctx));
    const isHeld = (name: string): boolean => present.get(name)?.hash === sha256(secrets.get(name) ?? "");
    return findExistingSet(ctx, {
      ref: declared.projectRef,
      names: secrets.keys(),
      present,
      partOf: (name, { hash, updatedAt }) => ({
        createdAt: updatedAt,
        unlike: hash === undefined || isHeld(name) ? undefined : name,
      }),
      isAsDeclared: isHeld,
      isAdopted: mayTakeOver(declared),
    });
  },

  read: (ctx, { state }) => observeSecretSet(ctx, requireProjectRef(state), state),

  async create(ctx, declared) {
    const { projectRef: ref } = declared;
    const secrets = readDeclaredSecrets(declared, installationOf(ctx));
    const own = new Set(secrets.keys());
    const outcome = await applySet(ctx, { ref, secrets, own, isAdopted: false });
    // What was written in part is settled, or stays in state with the reason.
    if (outcome.done === 0) requireDone(outcome);
    return { id: ref, outputs: { names: [...own].sort(), outOfSync: [] } };
  },

  async settle(ctx, { id: ref, inputs: declared }) {
    const secrets = readDeclaredSecrets(declared, installationOf(ctx));
    const names = [...secrets.keys()].sort();
    requireDone(await applySet(ctx, { ref, secrets, own: new Set(names), isAdopted: false }));
    await keepWritten(ctx, ref, secrets);
    const { prune } = declared;
    const observed = await observeSecretSet(ctx, ref, { names, hashes: hashSecrets(secrets), prune });
    warnOfPruning(ctx, ref, observed.outputs);
    return observed;
  },

  async update(ctx, { id: ref, state, inputs: declared }) {
    const secrets = readDeclaredSecrets(declared, installationOf(ctx));
    const had = listFormerNames(ctx, state);
    if (had.length > 0 && (await listSecretsOnce(ctx, ref)).size === 0)
      await refuseEmptyListing(ctx, ref, "function secrets");
    const going = [...omitNamesElsewhere(ctx, had), ...listPruned(state, declared)].filter(
      (name) => !secrets.has(name),
    );
    const [own, isAdopted] = [new Set(had), mayTakeOver(declared)];
    requireDone(await applySet(ctx, { ref, secrets, own, isAdopted, removed: [...new Set(going)] }));
    return { outputs: { names: [...secrets.keys()].sort(), outOfSync: [] } };
  },

  async delete(ctx, { id: ref, state }) {
    requireDone(await removeAll(ctx, ref, omitNamesElsewhere(ctx, listFormerNames(ctx, state))));
  },
});

function installationOf({ api }: Context): Installation {
  return { reservedPrefix: api.reservedPrefix() };
}

/** What is remembered of a set. */
interface SecretSetState {
  readonly names?: readonly string[] | undefined;
  readonly hashes?: Readonly<Record<string, string>> | undefined;
  readonly prune?: boolean | undefined;
}

/** The set as the service has it: each name with the remembered hash, or with what tells that another value is there. */
async function observeSecretSet(ctx: Context, ref: string, remembered: SecretSetState) {
  const { names = [], hashes = {}, prune = false } = remembered;
  const present = await listSecretsOnce(ctx, ref);
  const shown: Record<string, string> = {};
  const outOfSync: string[] = [];
  for (const name of new Set([...names, ...Object.keys(hashes)])) {
    const [record, hash] = [present.get(name), hashes[name]];
    const isInSync = record !== undefined && hash !== undefined && isHeld(record, hash);
    if (!isInSync) outOfSync.push(name);
    if (record !== undefined) shown[name] = isInSync ? hash : formatOutsideChange(record);
  }
  const isUndeclared = (name: string): boolean => !names.includes(name) && !Object.hasOwn(hashes, name);
  const undeclared = pickUndeclared(present.keys(), isUndeclared, prune);
  return {
    inputs: { projectRef: ref, hashes: shown },
    outputs: { names: [...names], outOfSync: outOfSync.sort(), ...undeclared },
  };
}
