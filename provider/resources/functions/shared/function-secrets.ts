import type { Context } from "../../../define/context";
import type { BulkItem } from "../../../define/shared-calls";
import { isReserved } from "./function-secret-names";
import { removeName, waitForRemovals } from "./named-set";
import { callWhenReady } from "../../../waiting/project-health";
import { sha256 } from "../../../core/sha256";

/** A secret as the service lists it: of its value only the hash. */
export interface SecretRecord {
  /** SHA-256 of the value in hex (service, Values that come back changed). */
  readonly hash?: string | undefined;
  readonly updatedAt?: string | undefined;
}

const listKey = (ref: string): string => `secrets:${ref}`;

/** A project's secrets by name, without those of the service itself: listed once in a run; what is written since is added, so that a create lists nothing again. */
export async function listSecretsOnce(ctx: Context, ref: string): Promise<Map<string, SecretRecord>> {
  return ctx.shared.list(listKey(ref), async () => {
    const listed = await ctx.api.listSecrets({ ref });
    return new Map(
      listed
        .filter(({ name }) => !isReserved(name))
        .map(({ name, value, updated_at }) => [
          name,
          { hash: value?.toLowerCase(), updatedAt: updated_at ?? undefined },
        ]),
    );
  });
}

export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** Writes the secret in one call with all others that are written now; writing one twice is writing it once. */
export async function writeSecret(ctx: Context, ref: string, secret: NamedValue): Promise<void> {
  const send: BulkItem<NamedValue>["send"] = async (items, limits) => {
    const together = ctx.within(limits);
    await callWhenReady(together, ref, ["db"], () => together.api.createSecrets({ ref, body: [...items] }));
  };
  try {
    await waitForSecretRemovals(ctx, ref, [secret.name]);
    await ctx.shared.inBulk(`secrets:write:${ref}`, { item: secret, limits: ctx, send });
  } catch (error) {
    forgetSecrets(ctx, ref);
    throw error;
  }
}

/** Waits for those of the secrets that another resource of the program is removing. */
export function waitForSecretRemovals(ctx: Context, ref: string, names: Iterable<string>): Promise<void> {
  return waitForRemovals(ctx, listKey(ref), names);
}

/** Adds a secret that was just written to the listing that looked for its name. */
export async function addToListing(ctx: Context, ref: string, { name, value }: NamedValue): Promise<void> {
  // A listing that fails now is asked for again by whoever needs it.
  await listSecretsOnce(ctx, ref).then(
    (secrets) => secrets.set(name, { hash: sha256(value) }),
    () => undefined,
  );
}

/** Removes the secret, unless another resource of the program declares it by now. */
export async function removeSecret(ctx: Context, ref: string, name: string): Promise<void> {
  const send: BulkItem<string>["send"] = async (names, limits) => {
    const together = ctx.within(limits);
    await callWhenReady(together, ref, ["db"], () => together.api.deleteSecrets({ ref, body: [...names] }));
  };
  await removeName(ctx, { key: listKey(ref), name }, async () => {
    const removing = ctx.shared.inBulk(`secrets:delete:${ref}`, { item: name, limits: ctx, send });
    await removing.finally(() => forgetSecrets(ctx, ref));
  });
}

export function forgetSecrets(ctx: Context, ref: string): void {
  ctx.shared.forget(listKey(ref));
}

/** Whether the service holds the value of this hash; what is not known counts as no drift. */
export function isHeld({ hash }: SecretRecord, remembered: string | undefined): boolean {
  return hash === undefined || remembered === undefined || hash === remembered;
}

/** Stands for what differs from every declared value, and tells the hash and no more. */
export function formatOutsideChange({ hash = "" }: SecretRecord): string {
  return `changed outside (sha256 ${hash.slice(0, 12)}…)`;
}
