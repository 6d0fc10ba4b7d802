import { InvalidInputError } from "../../client/errors/errors";
import type { AnyResource, Candidate } from "../../define/resource";
import type { Holder } from "./journal/holders";
import { objectKey } from "./journal-subject";
import { describeOwner, OWNER, ownerOf, urnOf } from "../ownership/program-owner";
import { findableProblems } from "../problems";
import { adviceToProtect } from "../operations/protection";
import type { Creation, Found } from "./recognise";

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
  const named = resource.manages?.names?.(inputs) ?? [];
  // Of several sets of a project only those count that have one of the names.
  const isOfNames = ({ shared: { names } }: Holder): boolean =>
    !Array.isArray(names) || named.some((name) => names.includes(name));
  const holder = objects.flatMap((object) => runtime.holders.all(object).filter(isOfNames)).at(-1);
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
    ...(named.length === 0
      ? []
      : ["If another program has it, take it out of that program and run `pulumi up` there, then here"]),
    "If it is being replaced, set the resource option `deleteBeforeReplace: true`",
    `Only if no resource of ${named.length === 0 ? "a" : "another"} program has it, take it over with the input \`adoptId: "${present[0]?.id ?? ""}"\`${duplicate}`,
    ...adviceToProtect(resource),
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

/** The one of the objects that a create has made, undefined where there is none; throws where nothing proves which. */
export function theProven(
  resource: AnyResource,
  found: readonly Found[],
  beganAtMs: number,
): Found | undefined {
  const proven = found.filter(({ doubt }) => doubt === undefined);
  const [only, second] = proven;
  // What the service shows no time of may be it just as well.
  const isCertain = found.every(({ doubt, createdAt }) => doubt === undefined || createdAt !== undefined);
  if (found.length === 0 || (only !== undefined && second === undefined && isCertain)) return only;
  const reasonOf = ({ doubt }: Found): string => doubt ?? "others fit as well";
  throw new InvalidInputError(
    "adoptId",
    findableProblems.mayHaveMade.message({
      time: new Date(beganAtMs).toISOString(),
      type: resource.type,
      candidates: found.map((each) => `${each.id} (${each.label}): ${reasonOf(each)}`).join("; "),
      id: (only ?? found[0])?.id ?? "",
    }),
  );
}

function list(candidates: readonly Candidate[]): string {
  return candidates.map(({ id, label }) => `${id} (${label})`).join(", ");
}
