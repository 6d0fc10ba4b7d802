import { ForbiddenError, ResponseSchemaError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import type { Api, Context } from "../../../define/context";
import { callWhenReady } from "../../../waiting/project-health";

/** A key as the listing shows it; those of old may have no id. */
export type ListedApiKey = Awaited<ReturnType<Api["listApiKeys"]>>[number];
/** A key as the answer to a change has it, which may leave out anything. */
export type ApiKeyAnswer = Awaited<ReturnType<Api["updateApiKey"]>>;
/** An API key as the service shows it, revealed. */
export type ApiKeyRecord = ListedApiKey & { readonly id: string };
type ApiKeyCreateBody = Parameters<Api["createApiKey"]>[0]["body"];
type ApiKeyUpdateBody = Parameters<Api["updateApiKey"]>[0]["body"];
type DeletionReason = Pick<Parameters<Api["deleteApiKey"]>[0], "was_compromised" | "reason">;

const listKey = (ref: string, reveal: boolean): string => `api-keys:${ref}${reveal ? "" : " hidden"}`;

/**
 * A key by its id; undefined where it is gone. The keys of a project are listed once in a run, and again after a change. An error
 * says so where it may be one of those that the listing shows without an id.
 */
export async function findApiKeyOnce(
  ctx: Context,
  { ref, id, reveal }: { readonly ref: string; readonly id: string; readonly reveal: boolean },
): Promise<ApiKeyRecord | undefined> {
  const keys = await listManageableOnce(ctx, ref, reveal);
  const found = keys.find((key): key is ApiKeyRecord => key.id === id);
  const nameless = keys.find((key) => key.id == null);
  if (found === undefined && nameless !== undefined) throw createMissingIdError(nameless.name);
  return found;
}

/** The keys that can be managed and that `isWanted` takes; an error where one of them has no id. */
export async function listApiKeysOnce(
  ctx: Context,
  ref: string,
  reveal = true,
  isWanted: (key: ListedApiKey) => boolean = () => true,
): Promise<ApiKeyRecord[]> {
  return (await listManageableOnce(ctx, ref, reveal)).filter(isWanted).map(({ id, ...key }) => {
    if (id == null) throw createMissingIdError(key.name);
    return { ...key, id };
  });
}

/** All keys of a project, the JWT-based ones of old included, from the same listing. */
export async function listAllApiKeysOnce(ctx: Context, ref: string): Promise<ListedApiKey[]> {
  return listKeysOnce(ctx, ref, true);
}

async function listManageableOnce(ctx: Context, ref: string, reveal: boolean): Promise<ListedApiKey[]> {
  return (await explainRevealRefusal(reveal, listKeysOnce(ctx, ref, reveal))).filter(isManageable);
}

async function listKeysOnce(ctx: Context, ref: string, reveal: boolean): Promise<ListedApiKey[]> {
  return ctx.shared.list(listKey(ref, reveal), () => ctx.api.listApiKeys({ ref, reveal }));
}

/** The JWT-based keys of old are the project's own: they can be neither made nor removed. */
function isManageable({ type, id, name }: ListedApiKey): boolean {
  return type !== "legacy" && !(type == null && id == null && LEGACY_NAMES.has(name));
}

const LEGACY_NAMES = new Set(["anon", "service_role"]);

export async function createKey(
  ctx: Context,
  ref: string,
  body: ApiKeyCreateBody,
  reveal: boolean,
): Promise<ApiKeyRecord> {
  const made = await changeKeys(ctx, ref, () =>
    explainRevealRefusal(reveal, ctx.api.createApiKey({ ref, reveal, body })),
  );
  return { ...made, name: made.name ?? body.name };
}

export async function updateKey(
  ctx: Context,
  ref: string,
  id: string,
  body: ApiKeyUpdateBody,
  reveal: boolean,
): Promise<ApiKeyAnswer> {
  return changeKeys(ctx, ref, () =>
    explainRevealRefusal(reveal, ctx.api.updateApiKey({ ref, id, reveal, body })),
  );
}

export async function deleteKey(
  ctx: Context,
  ref: string,
  id: string,
  reason: DeletionReason,
): Promise<void> {
  await changeKeys(ctx, ref, () => ctx.api.deleteApiKey({ ref, id, ...reason }));
}

/** What was listed before a change is the past, whatever became of the change. */
async function changeKeys<T>(ctx: Context, ref: string, call: () => Promise<T>): Promise<T> {
  return callWhenReady(ctx, ref, ["db"], call).finally(() => {
    for (const reveal of [true, false]) ctx.shared.forget(listKey(ref, reveal));
  });
}

export const revealProblems = {
  mayNotReveal: defineProblem({
    says: "{cause} The call asked for the values of keys, for which a newer installation wants `api_gateway_keys_secret_read` besides: {remedy}.",
    means: "The token may not read the values of API keys.",
    remedy:
      "Give the token that permission, or set `reveal: false` on each `ApiKey` of the project, which keeps the value that is in the state",
  }),
};

/** What a token that lacks the permission is answered is not known (service, API keys): a refusal names it in any case. */
async function explainRevealRefusal<T>(reveal: boolean, call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    if (!reveal || !(error instanceof ForbiddenError)) throw error;
    const { status, operation, serviceMessage, requestId } = error;
    const message = revealProblems.mayNotReveal.message({ cause: error.message });
    throw new ForbiddenError({ status, operation, serviceMessage, requestId, message });
  });
}

function createMissingIdError(name: string): ResponseSchemaError {
  return new ResponseSchemaError(
    `listApiKeys failed: the answer has no ID of the key ${name}. Run again.`,
    "listApiKeys",
    "id",
  );
}
