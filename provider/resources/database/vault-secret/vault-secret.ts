import { z } from "zod";
import { ResponseSchemaError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import type { Context } from "../../../define/context";
import { inProject } from "../../../define/import-id";
import { listInProject } from "../../../define/list";
import { formed, replaces, resets, secret, stable } from "../../../define/markers";
import { requireProjectRef } from "../../../define/require-project-ref";
import { defineResource } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { sha256 } from "../../../core/sha256";
import { callWhenReady } from "../../../waiting/project-health";
import type { DatabaseRow } from "../shared/database-records";
import {
  addToListing,
  explainPartErrors,
  ignoreMissingPart,
  runQuery,
  runReadOnlyQuery,
  sendChange,
  sendRepeatable,
  toIsoTime,
  type PartMessages,
} from "../shared/parameter-queries";

export const vaultSecretName = formed(
  z.string().regex(/^[^\0\r\n]+$/),
  "a name on one line",
  "payment_token",
);
export const vaultSecretValue = formed(z.string().regex(/^[^\0]*$/), "a text without NUL", "a-value");

const inputs = z.strictObject({
  projectRef,
  name: replaces(
    vaultSecretName.describe(
      "Name by which SQL finds the secret in `vault.decrypted_secrets`, unique in the vault. A change replaces the secret.",
    ),
    "delete-first",
  ),
  value: secret(
    vaultSecretValue.describe(
      "Value of the secret. It is sent as a parameter of the query. A read returns only its salted SHA-256, which the database computes.",
    ),
  ),
  description: resets(
    z.string().min(1).describe("Purpose of the secret. Everyone who may read the vault sees it."),
  ).optional(),
  ...everyResource,
});

const outputs = z.object({
  secretId: stable(
    z
      .string()
      .describe("Identifier of the secret in the vault, a UUID, as options of foreign servers take it."),
  ),
  // The only visible sign of drift: the values themselves are hidden, before and after (decision 0005).
  inSync: z
    .boolean()
    .describe(
      "Whether the hash of the value in the vault equaled that of the declared value at the last read.",
    ),
});

const problems = {
  closed: defineProblem({
    says: "The service denied access to the vault of {ref}{answer}. {remedy}.",
    means: "The token may not run the query, or the query ran as a role that may not use the vault.",
    remedy: "Use a token with the permissions `database_read` and `database_write`",
  }),
  noVault: defineProblem({
    says: "The database of {ref} has no vault{answer}. {remedy}.",
    means: "The vault's extension is not installed in the database.",
    remedy:
      "Enable the vault's extension in the service's console, or create it in a migration before the secret. Then run again",
  }),
  goneMeanwhile: defineProblem({
    says: "The vault of {ref} no longer has a secret named {name}. {remedy}.",
    means: "Somebody removed or renamed the secret since the last refresh.",
    remedy: "Run `pulumi up --refresh`, which creates it again",
  }),
  replacedSince: defineProblem({
    says: "the secret {name} in the vault of {ref} that Pulumi had is gone. Somebody created another secret under the name, at {time}. It is left alone. {remedy}.",
    means:
      "Warning. Somebody deleted the secret and created one of the same name. A refresh removes the resource from Pulumi's state.",
    remedy:
      "To manage the new secret, run `pulumi up`, which says how to adopt it. To leave it alone, remove the resource from the program",
  }),
  replacedMeanwhile: defineProblem({
    says: "The secret {name} in the vault of {ref} is another one than Pulumi had. Nothing was changed. {remedy}.",
    means: "Somebody deleted the secret since the last refresh and created one of the same name.",
    remedy: "Run `pulumi up --refresh`, which says how to adopt the new secret",
  }),
};

/** A secret in the vault of a project's database. */
export const vaultSecret = defineResource({
  type: "VaultSecret",
  description:
    "A secret in the vault of a project's or branch's database, which SQL reads from the view `vault.decrypted_secrets`. The value is never part of a query's text, and no read returns it. For secrets of edge functions, use `Secret` or `SecretSet`.",
  inputs,
  outputs,
  timeouts: { create: 300, update: 300, delete: 300 },
  isRepeatable: true,
  uniqueBy: ["name"],
  importId: { ...inProject("name", "its name in the vault", "payment_token"), alsoDeclares: ["description"] },
  list: listInProject(
    async (ctx, ref) => Array.from((await listNamesOnce(ctx, ref)).keys(), (name) => ({ id: name, name })),
    /^[^\0\r\n]+$/,
  ),
  problems,

  async find(ctx, { projectRef: ref, name }) {
    const record = (await callWhenReady(ctx, ref, ["db"], () => listNamesOnce(ctx, ref))).get(name);
    if (record === undefined) return [];
    const { createdAt } = record;
    return [{ id: name, label: `created ${createdAt ?? "at an unknown time"}`, createdAt }];
  },

  async read(ctx, { id, state }) {
    const ref = requireProjectRef(state);
    const { value } = state;
    const record = (await (value === undefined ? listNamesOnce(ctx, ref) : listHashesOnce(ctx, ref))).get(id);
    if (record === undefined) return undefined;
    if (isAnother(record, state)) {
      const time = record.createdAt ?? "an unknown time";
      ctx.warn(problems.replacedSince.message({ ref, name: id, time }));
      return undefined;
    }
    const inSync = value === undefined || record.hash === hashOf(record, value);
    return {
      inputs: {
        projectRef: ref,
        name: id,
        value: inSync ? value : `changed outside (salted sha256 ${record.hash?.slice(0, 12) ?? ""}…)`,
        description: record.description,
      },
      outputs: { secretId: record.id, inSync },
    };
  },

  async create(ctx, { projectRef: ref, name, value, description = "" }) {
    const text = "select vault.create_secret($1, $2, $3) as id";
    const send = () => runQuery(ctx, ref, text, [value, name, description]);
    const id = requireId(await changeVault(ctx, ref, send));
    ctx.shared.forget(hashesKey(ref));
    const record = { id, description: description === "" ? null : description };
    await addToListing<VaultSecretRecord>(listNamesOnce(ctx, ref), name, record);
    return { id: name, outputs: { secretId: id, inSync: true } };
  },

  async update(ctx, { state, inputs: { projectRef: ref, name, value, description }, changed }) {
    // Of what was imported the state has no value to compare, the vault has the hash.
    const held = state.value === undefined ? (await listHashesOnce(ctx, ref)).get(name) : undefined;
    if (held !== undefined && isAnother(held, state))
      throw new Error(problems.replacedMeanwhile.message({ ref, name }));
    const isHeld = held !== undefined && held.hash === hashOf(held, value);
    const nextValue = changed.has("value") && !isHeld ? value : null;
    const nextDescription = changed.has("description") ? (description ?? "") : null;
    if (nextValue === null && nextDescription === null)
      return { outputs: { secretId: held?.id, inSync: true } };
    const text =
      "select id, vault.update_secret(id, $2, null, $3) from vault.secrets where name = $1 and id = coalesce($4::uuid, id)";
    const parameters = [name, nextValue, nextDescription, state.secretId ?? null];
    const send = () => sendRepeatable(ctx, () => runQuery(ctx, ref, text, parameters));
    const rows = await changeVault(ctx, ref, send);
    forgetListings(ctx, ref);
    if (rows.length === 0) {
      const isThere = (await listNamesOnce(ctx, ref)).has(name);
      throw new Error(problems[isThere ? "replacedMeanwhile" : "goneMeanwhile"].message({ ref, name }));
    }
    return { outputs: { secretId: requireId(rows), inSync: true } };
  },

  async delete(ctx, { id: name, state }) {
    const ref = requireProjectRef(state);
    // One that somebody created under the name since then stays.
    const text = "delete from vault.secrets where name = $1 and id = coalesce($2::uuid, id)";
    const send = () => sendRepeatable(ctx, () => runQuery(ctx, ref, text, [name, state.secretId ?? null]));
    await changeVault(ctx, ref, () => ignoreMissingPart(send, [])).finally(() => forgetListings(ctx, ref));
  },
});

/** A secret as the vault shows it. */
interface VaultSecretRecord {
  readonly id: string;
  readonly description: string | null;
  /** Of the value, with the identifier as its salt; absent where it was not asked for. */
  readonly hash?: string | undefined;
  /** ISO 8601. */
  readonly createdAt?: string | undefined;
}

/** Whether somebody deleted the secret of the state and created another one under its name. */
function isAnother(
  { id }: VaultSecretRecord,
  { secretId }: { readonly secretId?: string | undefined },
): boolean {
  return secretId !== undefined && secretId !== id;
}

function hashOf({ id }: Pick<VaultSecretRecord, "id">, value: string): string {
  return sha256(`${id}:${value}`);
}

const COLUMNS = "id, name, description, to_json(created_at) #>> '{}' as created_at";
const HASH = "encode(sha256(convert_to(id::text || ':' || decrypted_secret, 'utf8')), 'hex') as hash";

const namesKey = (ref: string): string => `vault-names:${ref}`;
const hashesKey = (ref: string): string => `vault-hashes:${ref}`;

/** The secrets of a vault by name, listed once in a run by a query that may only read. */
function listNamesOnce(ctx: Context, ref: string): Promise<Map<string, VaultSecretRecord>> {
  const text = `select ${COLUMNS} from vault.secrets where name is not null`;
  return listOnce(ctx, ref, namesKey(ref), () => runReadOnlyQuery(ctx, ref, text));
}

/** The same with the hashes of their values: only who may write to the database may decrypt them. */
function listHashesOnce(ctx: Context, ref: string): Promise<Map<string, VaultSecretRecord>> {
  const text = `select ${COLUMNS}, ${HASH} from vault.decrypted_secrets where name is not null`;
  return listOnce(ctx, ref, hashesKey(ref), () => sendRepeatable(ctx, () => runQuery(ctx, ref, text)));
}

function listOnce(
  ctx: Context,
  ref: string,
  key: string,
  look: () => Promise<DatabaseRow[]>,
): Promise<Map<string, VaultSecretRecord>> {
  const read = () => explainPartErrors(messagesOf(ref), look());
  return ctx.shared.list(key, async () => parseRecords(await ignoreMissingPart(read, [])));
}

const shownRows = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullish(),
    hash: z.string().nullish(),
    created_at: z.string().nullish(),
  }),
);

function parseRecords(rows: readonly DatabaseRow[]): Map<string, VaultSecretRecord> {
  const shown = shownRows.safeParse(rows);
  if (!shown.success) {
    const message =
      "The answer of the vault has rows without `id` or `name`. All secrets are treated as still present. Run again.";
    throw new ResponseSchemaError(message, "runQuery", "name");
  }
  return new Map(
    shown.data.map(({ id, name, description = null, hash, created_at: at }) => [
      name,
      {
        id,
        description: description === "" ? null : description,
        hash: hash ?? undefined,
        createdAt: toIsoTime(at),
      },
    ]),
  );
}

function forgetListings(ctx: Context, ref: string): void {
  for (const key of [namesKey(ref), hashesKey(ref)]) ctx.shared.forget(key);
}

/** Sends a change once the database can take it. */
function changeVault(ctx: Context, ref: string, send: () => Promise<DatabaseRow[]>): Promise<DatabaseRow[]> {
  const forget = (): void => forgetListings(ctx, ref);
  return sendChange(ctx, ref, { messages: messagesOf(ref), forget }, send);
}

function requireId([row]: readonly DatabaseRow[]): string {
  const id = row?.["id"];
  if (typeof id === "string") return id;
  throw new ResponseSchemaError("The answer of the vault has no `id`. Run again.", "runQuery", "id");
}

/** What is said of a vault that is closed, and of a database without one. */
function messagesOf(ref: string): PartMessages {
  return {
    closed: (answer) => problems.closed.message({ ref, answer }),
    missing: (answer) => problems.noVault.message({ ref, answer }),
  };
}
