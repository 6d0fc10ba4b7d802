import { ResponseSchemaError } from "../../../client/errors/errors";
import type { Api, Context } from "../../../define/context";
import { whenReady } from "../../../waiting/project-health";

/** A key as the listing shows it; those of old may have no id. */
export type ListedApiKey = Awaited<ReturnType<Api["listApiKeys"]>>[number];
/** A key as the answer to a change tells it, which may leave out anything. */
export type NamedApiKey = Awaited<ReturnType<Api["updateApiKey"]>>;
/** An API key as the service shows it, revealed. */
export type ApiKeyRecord = ListedApiKey & { readonly id: string };
type CreateBody = Parameters<Api["createApiKey"]>[0]["body"];
type UpdateBody = Parameters<Api["updateApiKey"]>[0]["body"];
type Reason = Pick<Parameters<Api["deleteApiKey"]>[0], "was_compromised" | "reason">;

const listKey = (ref: string): string => `api-keys:${ref}`;

/** A project's keys by id: listed once in a run, and again after a change. */
export async function listApiKeysOnce(ctx: Context, ref: string): Promise<Map<string, ApiKeyRecord>> {
  return (await listKeysOnce(ctx, ref)).manageable;
}

/** All keys of a project, the JWT-based ones of old included, from the same listing. */
export async function listAllApiKeysOnce(ctx: Context, ref: string): Promise<ListedApiKey[]> {
  const { others, manageable } = await listKeysOnce(ctx, ref);
  return [...others, ...manageable.values()];
}

interface Keys {
  readonly manageable: Map<string, ApiKeyRecord>;
  readonly others: readonly ListedApiKey[];
}

async function listKeysOnce(ctx: Context, ref: string): Promise<Keys> {
  return ctx.shared.list(listKey(ref), async () => {
    const listed = await ctx.api.listApiKeys({ ref, reveal: true });
    const unnamed = listed.find(({ type, id }) => type != null && type !== "legacy" && id == null);
    // Left out, it would look as if it were gone.
    if (unnamed !== undefined) throw withoutIdOf(unnamed.name);
    const manageable = listed.filter(isManageable);
    return {
      manageable: new Map(manageable.map((key) => [key.id, key])),
      others: listed.filter((key) => !isManageable(key)),
    };
  });
}

/** The JWT-based keys of old are the project's own: they can be neither made nor removed. */
function isManageable(key: ListedApiKey): key is ApiKeyRecord {
  return key.type !== "legacy" && typeof key.id === "string";
}

export async function createKey(ctx: Context, ref: string, body: CreateBody): Promise<ApiKeyRecord> {
  const made = await change(ctx, ref, () => ctx.api.createApiKey({ ref, reveal: true, body }));
  return { ...made, name: made.name ?? body.name };
}

export async function updateKey(
  ctx: Context,
  ref: string,
  id: string,
  body: UpdateBody,
): Promise<NamedApiKey> {
  return change(ctx, ref, () => ctx.api.updateApiKey({ ref, id, reveal: true, body }));
}

export async function deleteKey(ctx: Context, ref: string, id: string, reason: Reason): Promise<void> {
  await change(ctx, ref, () => ctx.api.deleteApiKey({ ref, id, ...reason }));
}

/** What was listed before a change is the past, whatever became of the change. */
async function change<T>(ctx: Context, ref: string, call: () => Promise<T>): Promise<T> {
  return whenReady(ctx, ref, ["db"], call).finally(() => ctx.shared.forget(listKey(ref)));
}

function withoutIdOf(name: string): ResponseSchemaError {
  return new ResponseSchemaError(
    `listApiKeys failed: the answer has no ID of the key ${name}. Run again.`,
    "listApiKeys",
    "id",
  );
}
