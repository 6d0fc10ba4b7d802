import { z } from "zod";
import type { Context } from "../define/context";
import { omitNestedUndefined } from "../define/values";
import { explainMissingProject } from "../lookup/missing-errors";
import type { ReadableSettings } from "../settings/settings";

type Nullish = null | undefined;

type PresentFields<T> = { [K in keyof T as Nullish & T[K] extends never ? K : never]: T[K] } & {
  [K in keyof T as Nullish & T[K] extends never ? never : K]?: Exclude<T[K], Nullish>;
};

/** The fields that have a value; those that the service omits or returns as null are absent. */
export function pickPresentFields<T extends object>(fields: T): PresentFields<T> {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  // Removing the keys whose value is null or undefined gives exactly that type.
  return Object.fromEntries(
    kept.map(([name, value]) => [name, omitNestedUndefined(value)]),
  ) as PresentFields<T>;
}

/** A resource's outputs as a function returns them: it reads an object in whatever state, which may lack any of them. */
export function toFoundShape<S extends z.ZodRawShape>(outputs: S) {
  return z.object(outputs).partial().shape;
}

/** Shares an answer among callers while the call is in flight; a later caller makes a call of its own. */
export async function shareInFlight<T>(ctx: Context, key: string, call: () => Promise<T>): Promise<T> {
  return ctx.shared.list(key, () => call().finally(() => ctx.shared.forget(key)));
}

/** The same for a read of what belongs to a project or a branch; `what` is asked for, with its arguments. */
export async function readInProject<T>(
  ctx: Context,
  ref: string,
  what: string,
  call: () => Promise<T>,
): Promise<T> {
  return explainMissingProject(ref, shareInFlight(ctx, `${what}:${ref}`, call));
}

/** A configuration of a project or branch, of the fields that a function returns. */
export async function readConfiguration<S extends z.ZodObject>(
  ctx: Context,
  ref: string,
  resource: ReadableSettings,
  outputs: S,
): Promise<z.output<S>> {
  const seen = await explainMissingProject(ref, resource.readAll(ctx, ref));
  const fields = Object.keys(outputs.shape).map((name) => [name, seen[name]]);
  // The fields are read by the schemas that the function has taken over; enums are open, as everywhere.
  return pickPresentFields(Object.fromEntries(fields) as object) as z.output<S>;
}
