import { InvalidInputError } from "../client/errors";
import type { AnyResource, Candidate } from "../define/resource";

export function theOnlyOne<C extends Candidate>(resource: AnyResource, candidates: readonly C[]): C {
  const [only, ...others] = candidates;
  if (only !== undefined && others.length === 0) return only;
  throw new InvalidInputError(
    "adopt",
    `More than one ${resource.type} fits what is declared: ${list(candidates)}. Name the one to take over: \`adopt: "<identifier>"\`.`,
  );
}

export function alreadyThere(resource: AnyResource, present: readonly Candidate[]): InvalidInputError {
  const [first] = present;
  const duplicate =
    resource.inputs.shape["allowDuplicateName"] === undefined
      ? ""
      : ", or set `allowDuplicateName: true` to make another one beside it";
  return new InvalidInputError(
    "adopt",
    `The ${resource.type} exists already: ${list(present)}. Nothing was created. To take it over, add ` +
      `\`adopt: "${first?.id ?? ""}"\` to the resource${duplicate}.`,
  );
}

/** An interrupted run may have made one of these, or somebody else. */
export function unproven(
  resource: AnyResource,
  candidates: readonly Candidate[],
  beganAtMs: number,
): InvalidInputError {
  const [first] = candidates;
  return new InvalidInputError(
    "adopt",
    `A run that was interrupted at ${new Date(beganAtMs).toISOString()} may have made the ${resource.type} ${list(candidates)}, or somebody ` +
      "else did: the service does not tell when it was made. Nothing was created or changed. If it is yours, add " +
      `\`adopt: "${first?.id ?? ""}"\` to the resource; if not, remove it or declare another one.`,
  );
}

function list(candidates: readonly Candidate[]): string {
  return candidates.map(({ id, label }) => `${id} (${label})`).join(", ");
}
