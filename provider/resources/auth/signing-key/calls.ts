import { InvalidInputError } from "../../../client/errors";
import type { Api, Context } from "../../../define/context";
import { whenReady } from "../../../converge/project-health";
import { writeOnce } from "../../../converge/write-once";
import { fromNamedTimeOn } from "./named-time";
import { unlessTooSoon } from "./pace";
import { problems } from "./problems";

/** A signing key as the service shows it. */
export type SigningKeyRecord = Awaited<ReturnType<Api["getSigningKey"]>>;
type CreateBody = Parameters<Api["createSigningKey"]>[0]["body"];
export type SigningKeyStatus = Parameters<Api["updateSigningKey"]>[0]["body"]["status"];

const listKey = (ref: string): string => `signing-keys:${ref}`;

/** A project's signing keys: one listing for all resources of a run, until one of them is changed. */
export async function signingKeysOf(ctx: Context, ref: string): Promise<SigningKeyRecord[]> {
  return ctx.shared.list(listKey(ref), () => ctx.api.listSigningKeys({ ref }));
}

export async function signingKeysNow(ctx: Context, ref: string): Promise<SigningKeyRecord[]> {
  forget(ctx, ref);
  return signingKeysOf(ctx, ref);
}

/** A project has one standby key at a time (service, Signing keys); the service's refusal would not name it. */
export async function requireNoStandby(ctx: Context, ref: string): Promise<void> {
  const standby = (await signingKeysOf(ctx, ref)).find(({ status }) => status === "standby");
  if (standby === undefined) return;
  const { id, algorithm } = standby;
  throw new InvalidInputError(
    "status",
    problems.standbyTaken.message({ id, algorithm: algorithm ?? "unknown algorithm" }),
  );
}

export function notAtFirst(status: SigningKeyStatus): InvalidInputError {
  return new InvalidInputError("status", problems.notAtFirst.message({ status }));
}

/**
 * Creates a key, one at a time in this process: after an unclear outcome the new key, in use or not, is told from
 * others by not having been there before.
 */
export async function createKey(ctx: Context, ref: string, body: CreateBody): Promise<SigningKeyRecord> {
  return ctx.shared.exclusively(listKey(ref), async () => {
    const known = new Set((await signingKeysOf(ctx, ref)).map(({ id }) => id));
    const what = `a new ${body.algorithm} signing key`;
    const send = (): Promise<SigningKeyRecord> =>
      write(ctx, ref, what, () => ctx.api.createSigningKey({ ref, body }));
    return writeOnce(ctx, {
      send: () => unlessTooSoon(ctx, what, [], send),
      landed: async () =>
        (await signingKeysNow(ctx, ref)).find(
          ({ id, algorithm, public_jwk }) =>
            !known.has(id) && algorithm === body.algorithm && mayBeHalfOf(public_jwk, body.private_jwk),
        ),
    }).finally(() => forget(ctx, ref));
  });
}

/** Whether a public key may be that of the private one: all that both tell is the same. */
export function mayBeHalfOf(publicJwk: unknown, privateJwk: object | undefined): boolean {
  if (typeof publicJwk !== "object" || publicJwk === null || privateJwk === undefined) return true;
  const common = ["kty", "crv", "x", "y", "n", "e"].filter((name) => name in publicJwk && name in privateJwk);
  return common.every((name) => Reflect.get(publicJwk, name) === Reflect.get(privateJwk, name));
}

export async function setStatus(
  ctx: Context,
  ref: string,
  id: string,
  status: SigningKeyStatus,
): Promise<void> {
  const send = (): Promise<unknown> => ctx.api.updateSigningKey({ ref, id, body: { status } });
  await write(ctx, ref, `signing key ${id} as ${status}`, send).finally(() => forget(ctx, ref));
}

export async function deleteKey(ctx: Context, ref: string, id: string): Promise<void> {
  const send = (): Promise<unknown> => ctx.api.deleteSigningKey({ ref, id });
  await write(ctx, ref, `the deletion of signing key ${id}`, send).finally(() => forget(ctx, ref));
}

/** Waits for a project that is starting, and for a time that the service names. */
async function write<T>(ctx: Context, ref: string, what: string, send: () => Promise<T>): Promise<T> {
  return whenReady(ctx, ref, ["auth"], () => fromNamedTimeOn(ctx, what, send));
}

function forget(ctx: Context, ref: string): void {
  ctx.shared.forget(listKey(ref));
}
