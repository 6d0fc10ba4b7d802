import type { Context } from "./context";

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

/** The parts of a project: `parts` names each by the last part of its import id. */
export function listInProject(parts: (ctx: Context, ref: string) => Promise<Iterable<Importable>>): List {
  return {
    of: "projectRef",
    objects: async (ctx, ref) =>
      Array.from(await parts(ctx, ref), ({ id, name }) => ({ id: `${ref}/${id}`, name })),
  };
}
