import { quoteText } from "../../../spec/shown-text";
import { InvalidInputError } from "../../client/errors/errors";
import type { AnyResource, ObjectCandidate } from "../../define/resource";
import type { OwnerRecord } from "../../ledger/owner-records";
import { withId } from "../../ledger/claim";
import { describeOwner, urnOf } from "../../ledger/owner";
import { findableProblems } from "../step/problems";
import { adoptObject } from "./adopt";
import { type SettledResource } from "../step/settle";
import { listProtectionAdvice } from "../step/protection";
import { adjustCreation, type Creation } from "./creation";

/** Takes over the object that the user names, or that alone fits what is declared. */
export async function adoptExisting(creation: Creation, id: string): Promise<SettledResource> {
  const { runtime, resource, inputs, claim } = creation;
  const { ctx } = adjustCreation(creation, {
    ledger: {
      isAdopted: true,
      kept: { ...creation.ctx.ledger.kept, ...runtime.ledger.findKept(withId(claim, id)) },
      keep: (of, outputs) => runtime.ledger.keepOutputs(withId(claim, of), outputs),
    },
  });
  const observed = await resource.read(ctx, { id, state: inputs });
  if (observed === undefined) {
    throw new InvalidInputError("adoptId", `No ${resource.type} with the identifier ${id} exists.`);
  }
  // The user has told what nothing proved.
  for (const pending of runtime.ledger.listPendingCreates(claim)) {
    if (pending.record?.id === undefined && !pending.isRunning()) pending.forget();
  }
  return adoptObject(ctx, resource, { id, inputs, observed });
}

export function requireOnlyCandidate<C extends ObjectCandidate>(
  resource: AnyResource,
  candidates: readonly C[],
): C {
  const [only, ...others] = candidates;
  if (only !== undefined && others.length === 0) return only;
  throw new InvalidInputError(
    "adoptId",
    findableProblems.severalFit.message({ type: resource.type, candidates: formatCandidates(candidates) }),
  );
}

/** Throws where an object exists that what is declared would collide with. */
export function refuseExisting(creation: Creation, present: readonly ObjectCandidate[]): void {
  const inTheWay = present.filter(({ collides }) => collides !== false);
  if (inTheWay.length > 0) throw explainExisting(creation, inTheWay);
}

/**
 * What the program may mean, in the order in which the least can be lost: the object of a resource that was renamed or
 * moved, that of the one which is being replaced, somebody else's.
 */
function explainExisting(
  { runtime, resource, inputs, claim }: Creation,
  present: readonly ObjectCandidate[],
): InvalidInputError {
  const objects = present.map(({ id }) => withId(claim, id));
  for (const object of objects) runtime.program.recordRefusal(object, claim.owner);
  const named = resource.manages?.names?.(inputs) ?? [];
  // Of several sets of a project only those count that have one of the names.
  const isOfNames = ({ shared: { names } }: OwnerRecord): boolean =>
    !Array.isArray(names) || named.some((name) => names.includes(name));
  const latest = objects.flatMap((object) => runtime.ledger.owners.list(object).filter(isOfNames)).at(-1);
  const isOwn = latest !== undefined && claim.owner !== "" && latest.owner === claim.owner;
  const urn = urnOf(latest?.owner ?? "", resource.type);
  const alias = urn === undefined ? '{ name: "<its old name>" }' : JSON.stringify(urn);
  const had =
    latest === undefined || isOwn ? "" : ` ${capitalizeSubject(describeOwner(latest.owner))} has it.`;
  const duplicate =
    resource.allowsDuplicatesBy === undefined
      ? ""
      : `; \`${resource.allowsDuplicatesBy}: true\` creates a second one`;
  const steps = [
    ...(isOwn
      ? []
      : [
          `If you renamed or moved its resource in the program, keep it with the resource option \`aliases: [${alias}]\``,
        ]),
    ...(named.length === 0
      ? []
      : ["If another program has it, remove it from that program and run `pulumi up` there, then here"]),
    ...adviseReplacement(resource, isOwn),
    `Only if no resource of ${named.length === 0 ? "a" : "another"} program has it, take it over with the input \`adoptId: ${quoteText(present[0]?.id ?? "")}\`${duplicate}`,
    ...listProtectionAdvice(resource),
  ];
  return new InvalidInputError(
    "adopt",
    findableProblems.existsAlready.message({
      type: resource.type,
      candidates: formatCandidates(present),
      owner: had,
      steps: steps.join(". "),
    }),
  );
}

/** Where a sentence begins with it: a URN stays as it is. */
function capitalizeSubject(subject: string): string {
  return subject.startsWith("urn:") ? subject : subject.charAt(0).toUpperCase() + subject.slice(1);
}

/** The way to a replacement. What holds data is deleted by none that is named here, be it this resource's own or another's. */
function adviseReplacement(
  { type, protection, deleteLeavesObject, uniqueBy = [] }: AnyResource,
  isOwn: boolean,
): string[] {
  if (protection !== undefined) {
    return isOwn
      ? [
          `This resource has it already, and something demands a replacement, such as \`--target-replace\` or a changed provider. To keep the ${type} with its data, take that back and run again`,
        ]
      : [];
  }
  if (deleteLeavesObject === true && uniqueBy.length > 0) {
    const names = uniqueBy.join("`, `");
    return [`If this is a replacement, declare another \`${names}\`: deleting the resource does not free it`];
  }
  return ["If this is a replacement, set the resource option `deleteBeforeReplace: true`"];
}

/** Within a sentence: the identifiers, and how a user recognises each. */
export function formatCandidates(candidates: readonly ObjectCandidate[]): string {
  return candidates.map(({ id, label }) => `${id} (${label})`).join(", ");
}
