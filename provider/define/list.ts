import type { Context } from "./context";
import { quoteText } from "../../spec/shown-text";

/** An object that can be imported: its import id, and what users call it. */
export interface ImportableObject {
  readonly id: string;
  readonly name: string;
}

/** How all objects of a type are listed. */
export interface ObjectLister {
  /** The argument that says whose; undefined where it is everything that the token may see. */
  readonly of: "projectRef" | "organizationSlug" | undefined;
  /** `owner` is the value of that argument. */
  objects(ctx: Context, owner: string): Promise<readonly ImportableObject[]>;
}

/** UUIDs of any version. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** As long as the name of a file may be. */
const LONGEST_IDENTIFIER = 255;
const MOST_SHOWN = 100;

/**
 * What a listing has, without what has an identifier of another form: that is to be no part of a path, a command or a program.
 * Each warning names one.
 */
export function requireIdentifiers<T>(
  ctx: Pick<Context, "warn">,
  listed: Iterable<T>,
  idOf: (each: T) => string,
  form: RegExp,
): T[] {
  return [...listed].filter((each) => {
    const id = idOf(each);
    if (hasForm(id, form)) return true;
    const shown = quoteText(id.slice(0, MOST_SHOWN));
    ctx.warn(
      `the service lists an object with the identifier ${id.length > MOST_SHOWN ? `${shown} and so on` : shown}, which is not of the documented form. The object was left out.`,
    );
    return false;
  });
}

export function hasForm(id: string, form: RegExp): boolean {
  return id.length <= LONGEST_IDENTIFIER && form.test(id);
}

/** The parts of a project: `parts` names each by the last part of its import id, which has the `form`. */
export function listInProject(
  parts: (ctx: Context, ref: string) => Promise<Iterable<ImportableObject>>,
  form: RegExp,
): ObjectLister {
  return {
    of: "projectRef",
    objects: async (ctx, ref) =>
      requireIdentifiers(ctx, await parts(ctx, ref), ({ id }) => id, form).map(({ id, name }) => ({
        id: `${ref}/${id}`,
        name,
      })),
  };
}
