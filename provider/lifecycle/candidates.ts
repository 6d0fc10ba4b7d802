import { InvalidInputError } from "../client/errors";
import type { AnyResource, Candidate } from "../define/resource";

/** What may be a candidate, and may tell more of it. */
type Bearer = Candidate | { readonly candidate: Candidate };

export function theOnlyOne<B extends Bearer>(resource: AnyResource, bearers: readonly B[]): B {
  const [only, ...others] = bearers;
  if (only !== undefined && others.length === 0) return only;
  throw new InvalidInputError(
    "adopt",
    `More than one ${resource.type} fits what is declared: ${list(bearers)}. Name the one to take over: \`adopt: "<identifier>"\`.`,
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
  bearers: readonly { readonly candidate: Candidate }[],
  beganAtMs: number,
): InvalidInputError {
  const [first] = bearers;
  return new InvalidInputError(
    "adopt",
    `A run that was interrupted at ${new Date(beganAtMs).toISOString()} may have made the ${resource.type} ${list(bearers)}, or somebody ` +
      "else did: the service does not tell when it was made. Nothing was created or changed. If it is yours, add " +
      `\`adopt: "${first?.candidate.id ?? ""}"\` to the resource; if not, remove it or declare another one.`,
  );
}

function list(bearers: readonly Bearer[]): string {
  const candidates = bearers.map((bearer) => ("candidate" in bearer ? bearer.candidate : bearer));
  return candidates.map(({ id, label }) => `${id} (${label})`).join(", ");
}
