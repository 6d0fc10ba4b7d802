import { ConflictError, isNotFound } from "../../../client/errors/errors";
import { whereOffered } from "../shared/offer";
import { unlessTooSoon } from "../shared/signing-key-pace";
import { makingKey, signingKeysOf, writeKey, type SigningKeyRecord } from "../shared/signing-keys";
import type { Context } from "../../../define/context";
import { problems } from "./problems";

const key = (ref: string): string => `legacy-signing-key:${ref}`;

/** The legacy key as the service shows it; undefined where it is not set up, or the service shows it no longer. */
export async function legacyKeyOf(ctx: Context, ref: string): Promise<SigningKeyRecord | undefined> {
  return ctx.shared.list(key(ref), () => look(ctx, ref));
}

/** The same by the listing, which serves all keys of a run and outlives the operations of the legacy key. */
export async function listedKey(
  ctx: Context,
  ref: string,
  id: string | undefined,
): Promise<SigningKeyRecord | undefined> {
  if (id === undefined) return legacyKeyOf(ctx, ref);
  const listed = await signingKeysOf(ctx, ref);
  return listed.find((each) => each.id === id) ?? legacyKeyOf(ctx, ref);
}

/** Takes the JWT secret as the key in use. */
export async function setUp(ctx: Context, ref: string): Promise<SigningKeyRecord> {
  const what = "the JWT secret as a signing key";
  const withdrawn = (answer: string): string => problems.withdrawn.message({ ref, answer });
  const send = (): Promise<SigningKeyRecord> =>
    writeKey(ctx, ref, what, () => ctx.api.createLegacySigningKey({ ref }));
  return makingKey(ctx, ref, async () => {
    try {
      return await unlessTooSoon(ctx, what, [], () => whereOffered(ctx, ref, withdrawn, send));
    } catch (error) {
      // Somebody else was faster, or a project that was starting has it from the start.
      const present = error instanceof ConflictError ? await look(ctx, ref) : undefined;
      if (present === undefined) throw error;
      return present;
    }
  }).finally(() => ctx.shared.forget(key(ref)));
}

/** A 404 says either that the key is not set up or that the service has withdrawn the operation: its set-up knows which. */
async function look(ctx: Context, ref: string): Promise<SigningKeyRecord | undefined> {
  try {
    return await ctx.api.getLegacySigningKey({ ref });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return undefined;
  }
}
