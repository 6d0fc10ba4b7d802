import type { Api, Context } from "../../../define/context";
import { fromNamedTimeOn } from "./named-time";
import { whenReady } from "../../../waiting/project-health";

/** A signing key as the service shows it. */
export type SigningKeyRecord = Awaited<ReturnType<Api["getSigningKey"]>>;

const listKey = (ref: string): string => `signing-keys:${ref}`;

/** A project's signing keys: one listing for all resources of a run, until one of them is changed. */
export async function signingKeysOf(ctx: Context, ref: string): Promise<SigningKeyRecord[]> {
  return ctx.shared.list(listKey(ref), () => ctx.api.listSigningKeys({ ref }));
}

export async function signingKeysNow(ctx: Context, ref: string): Promise<SigningKeyRecord[]> {
  forget(ctx, ref);
  return signingKeysOf(ctx, ref);
}

/** Makes one key of the project at a time in this process. */
export async function makingKey<T>(ctx: Context, ref: string, make: () => Promise<T>): Promise<T> {
  return ctx.shared.exclusively(listKey(ref), () => make().finally(() => forget(ctx, ref)));
}

/** Waits for a project that is starting, and for a time that the service names. */
export async function writeKey<T>(
  ctx: Context,
  ref: string,
  what: string,
  send: () => Promise<T>,
): Promise<T> {
  return whenReady(ctx, ref, ["auth"], () => fromNamedTimeOn(ctx, what, send)).finally(() =>
    forget(ctx, ref),
  );
}

function forget(ctx: Context, ref: string): void {
  ctx.shared.forget(listKey(ref));
}
