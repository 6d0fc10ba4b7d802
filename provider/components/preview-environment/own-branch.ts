/** What is known of the branch once it is made. */
export interface MadeBranch {
  readonly ref?: string | undefined;
  readonly parentProjectRef?: string | undefined;
  readonly isDefault?: boolean | undefined;
  readonly persistent?: boolean | undefined;
}

/** The branch's reference. Throws where it may stand for production: what is not told is not taken for harmless. */
export function requireOwnBranch(
  branchName: string,
  declaredParent: string,
  made: MadeBranch,
  redact: (text: string) => string = (text) => text,
): string {
  const why = whyNot(declaredParent, made);
  if (why === undefined && made.ref !== undefined) return made.ref;
  const stopped =
    `The preview ${branchName} of the project ${declaredParent} was stopped: ${why}. Nothing on it was made and none of its outputs has a value. ` +
    "Look at the branch in the service's console: a preview needs a branch of its own, neither the default one nor persistent.";
  throw new Error(redact(stopped));
}

function whyNot(declaredParent: string, made: MadeBranch): string | undefined {
  const { ref, parentProjectRef, isDefault, persistent } = made;
  if (ref === undefined || ref === "") return "the service did not tell the branch's reference";
  if (ref === declaredParent) return "the branch's reference is the project's own";
  if (parentProjectRef !== declaredParent) {
    const parent = parentProjectRef ?? "a project that the service does not name";
    return `the branch ${ref} was made from ${parent}, not from that project`;
  }
  if (isDefault !== false) return `the branch ${ref} is the default one, or the service does not tell`;
  if (persistent !== false) return `the branch ${ref} is persistent, or the service does not tell`;
  return undefined;
}
