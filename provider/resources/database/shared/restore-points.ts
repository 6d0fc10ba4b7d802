import { z } from "zod";
import type { Api, Context } from "../../../define/context";
import { formed } from "../../../define/markers";
import { OwnerExistsError } from "../../../lookup/owner";

export type RestorePoint = Awaited<ReturnType<Api["getRestorePoint"]>>;

export const restorePointName = formed(
  z.string().min(1).max(20),
  "a name of at most 20 characters",
  "before-import",
);

/** The restore point of a name; undefined where the project has none. */
export async function lookUpRestorePoint(
  ctx: Context,
  ref: string,
  name: string,
): Promise<RestorePoint | undefined> {
  try {
    return await ctx.api.ofEveryProject(ref, () => ctx.api.getRestorePoint({ ref, name }));
  } catch (error) {
    if (error instanceof OwnerExistsError) return undefined;
    throw error;
  }
}
