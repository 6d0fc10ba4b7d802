import type { Context } from "./context";
import { quoteText } from "../../spec/shown-text";

/** An object that can be imported: its import id, and what users call it. */
export interface Importable {
  readonly id: string;
  readonly name: string;
}

/** How all objects of a type are listed. */
export interface List {
  /** The argument that says whose; undefined where it is everything that the token may see. */
  readonly of: "projectRef" | "organizationSlug" | undefined;
  /** `owner` is the value of that argument. */
  objects(ctx: Context, owner: string): Promise<readonly Importable[]>;
}

/** UUIDs of any version. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The parts of a project: `parts` names each by the last part of its import id. What has an identifier of another `form`, which is
 * to be no part of a path, a command or a program, is left out.
 */
export function listInProject(
  parts: (ctx: Context, ref: string) => Promise<Iterable<Importable>>,
  form: RegExp,
): List {
  return {
    of: "projectRef",
    objects: async (ctx, ref) =>
      Array.from(await parts(ctx, ref)).flatMap(({ id, name }) => {
        if (form.test(id)) return [{ id: `${ref}/${id}`, name }];
        ctx.warn(
          `the service lists an object with the identifier ${quoteText(id)}, which is not of the documented form. The object was left out.`,
        );
        return [];
      }),
  };
}
