import { InvalidInputError } from "../../../client/errors/errors";
import type { Api, Context } from "../../../define/context";
import { retryWhileTooSoon } from "../shared/signing-key-pace";
import { runKeyCreation, listSigningKeysOnce, writeKey, type SigningKeyRecord } from "../shared/signing-keys";
import { problems } from "./problems";

type SigningKeyCreateBody = Parameters<Api["createSigningKey"]>[0]["body"];
export type RequestedKeyStatus = Parameters<Api["updateSigningKey"]>[0]["body"]["status"];

/** A project has one standby key at a time (service, Signing keys); the service's refusal would not name it. */
export async function requireNoStandby(ctx: Context, ref: string): Promise<void> {
  const standby = (await listSigningKeysOnce(ctx, ref)).find(({ status }) => status === "standby");
  if (standby === undefined) return;
  const { id, algorithm } = standby;
  throw new InvalidInputError(
    "status",
    problems.standbyTaken.message({ id, algorithm: algorithm ?? "unknown algorithm" }),
  );
}

export function createFirstStatusError(status: RequestedKeyStatus): InvalidInputError {
  return new InvalidInputError("status", problems.notAtFirst.message({ status }));
}

/** Creates a key, one at a time in this process: a project has one standby key, and one in use. */
export async function createKey(
  ctx: Context,
  ref: string,
  body: SigningKeyCreateBody,
): Promise<SigningKeyRecord> {
  const what = `a new ${body.algorithm} signing key`;
  const send = (): Promise<SigningKeyRecord> =>
    writeKey(ctx, ref, what, () => ctx.api.createSigningKey({ ref, body }));
  return runKeyCreation(ctx, ref, () => retryWhileTooSoon(ctx, what, [], send));
}

/** Whether a public key may be that of the private one: all that both tell is the same. */
export function mayBeKeyPair(publicJwk: unknown, privateJwk: object | undefined): boolean {
  if (typeof publicJwk !== "object" || publicJwk === null || privateJwk === undefined) return true;
  const common = ["kty", "crv", "x", "y", "n", "e"].filter((name) => name in publicJwk && name in privateJwk);
  return common.every((name) => Reflect.get(publicJwk, name) === Reflect.get(privateJwk, name));
}

export async function setStatus(
  ctx: Context,
  ref: string,
  id: string,
  status: RequestedKeyStatus,
): Promise<void> {
  const send = (): Promise<unknown> => ctx.api.updateSigningKey({ ref, id, body: { status } });
  await writeKey(ctx, ref, `signing key ${id} as ${status}`, send);
}

export async function deleteKey(ctx: Context, ref: string, id: string): Promise<void> {
  const send = (): Promise<unknown> => ctx.api.deleteSigningKey({ ref, id });
  await writeKey(ctx, ref, `the deletion of signing key ${id}`, send);
}
