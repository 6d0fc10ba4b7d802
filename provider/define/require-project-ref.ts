import { InvalidInputError } from "../client/errors/errors";

/** The project that a remembered resource belongs to. */
export function requireProjectRef(state: { readonly projectRef?: string | undefined }): string {
  if (state.projectRef === undefined)
    throw new InvalidInputError("projectRef", "The state has no `projectRef`.");
  return state.projectRef;
}
