import {
  whyNotPreview,
  type Purpose,
  type ToldBranch,
} from "../../resources/branches/shared/preview-identity";

/** The branch's reference. Throws where it may stand for production, or for another preview. */
export function requireOwnBranch(
  purpose: Purpose,
  made: ToldBranch,
  redact: (text: string) => string = (text) => text,
): string {
  const why = whyNotPreview(made, purpose);
  if (why === undefined && made.ref !== undefined) return made.ref;
  const branch = made.ref === undefined || made.ref === "" ? "its branch" : `the branch ${made.ref}`;
  const stopped =
    `The preview ${purpose.name} of the project ${purpose.parentRef} was stopped at ${branch}: ${why ?? ""}. Nothing on it was made and none of its outputs has a value. ` +
    "Look at the branch in the service's console: a preview needs a branch of its own, neither the default one nor persistent.";
  throw new Error(redact(stopped));
}
