import { InvalidInputError } from "../client/errors";
import type { AnyResource, Candidate } from "../define/resource";
import { objectKey } from "./journal-subject";
import { describeOwner, OWNER, ownerOf, urnOf } from "./program-owner";
import { findableProblems } from "./problems";
import type { Creation } from "./recognise";

export function theOnlyOne<C extends Candidate>(resource: AnyResource, candidates: readonly C[]): C {
  const [only, ...others] = candidates;
  if (only !== undefined && others.length === 0) return only;
  throw new InvalidInputError(
    "adoptId",
    findableProblems.severalFit.message({ type: resource.type, candidates: list(candidates) }),
  );
}

/**
 * What the program may mean, in the order in which the least can be lost: the object of a resource that was renamed or
 * moved, that of the one which is being replaced, somebody else's.
 */
export function alreadyThere(
  { runtime, resource, inputs }: Pick<Creation, "runtime" | "resource" | "inputs">,
  present: readonly Candidate[],
): InvalidInputError {
  const objects = present.map(({ id }) => objectKey(resource, id, inputs));
  for (const object of objects) runtime.holders.refused(object, ownerOf(inputs));
  const holder = objects.flatMap((object) => runtime.holders.all(object)).at(-1);
  const isOwn = holder !== undefined && holder.owner === inputs[OWNER];
  const urn = urnOf(holder?.owner ?? "", resource.type);
  const alias = urn === undefined ? '{ name: "<its old name>" }' : JSON.stringify(urn);
  const had = holder === undefined || isOwn ? "" : ` ${describeOwner(holder.owner)} has it.`;
  const duplicate =
    resource.allowsDuplicatesBy === undefined
      ? ""
      : `; \`${resource.allowsDuplicatesBy}: true\` makes another one beside it`;
  const steps = [
    ...(isOwn
      ? []
      : [
          `If it is that of a resource which you renamed or moved in the program, keep it with the resource option \`aliases: [${alias}]\``,
        ]),
    "If it is being replaced, set the resource option `deleteBeforeReplace: true`",
    `Only if no resource of a program has it, take it over with the input \`adoptId: "${present[0]?.id ?? ""}"\`${duplicate}`,
  ];
  return new InvalidInputError(
    "adopt",
    findableProblems.existsAlready.message({
      type: resource.type,
      candidates: list(present),
      owner: had,
      steps: steps.join(". "),
    }),
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
    "adoptId",
    findableProblems.mayHaveMade.message({
      time: new Date(beganAtMs).toISOString(),
      type: resource.type,
      candidates: list(candidates),
      id: first?.id ?? "",
    }),
  );
}

function list(candidates: readonly Candidate[]): string {
  return candidates.map(({ id, label }) => `${id} (${label})`).join(", ");
}
