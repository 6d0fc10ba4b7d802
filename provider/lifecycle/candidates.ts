import { InvalidInputError } from "../client/errors";
import type { AnyResource, Candidate } from "../define/resource";
import { describeOwner, ownerOf } from "./holding";
import type { Holder } from "./journal/holders";
import { objectKey, OWNER } from "./journal-subject";
import type { Creation } from "./recognise";

export function theOnlyOne<C extends Candidate>(resource: AnyResource, candidates: readonly C[]): C {
  const [only, ...others] = candidates;
  if (only !== undefined && others.length === 0) return only;
  throw new InvalidInputError(
    "adopt",
    `More than one ${resource.type} fits what is declared: ${list(candidates)}. Name the one to take over: \`adopt: "<identifier>"\`.`,
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
  const alias = isOwn ? undefined : aliasOf(holder, resource.type);
  const had = holder === undefined || isOwn ? "" : ` ${describeOwner(holder)} has it.`;
  const duplicate =
    resource.inputs.shape["allowDuplicateName"] === undefined
      ? ""
      : "; `allowDuplicateName: true` makes another one beside it";
  const steps = [
    ...(isOwn
      ? []
      : [
          `If it is that of a resource which you renamed or moved in the program, keep it with the resource option \`aliases: [${alias ?? '{ name: "<its old name>" }'}]\``,
        ]),
    "If it is being replaced, set the resource option `deleteBeforeReplace: true`",
    `Only if no resource of a program has it, take it over with the input \`adopt: "${present[0]?.id ?? ""}"\`${duplicate}`,
  ];
  return new InvalidInputError(
    "adopt",
    `The ${resource.type} exists already: ${list(present)}.${had} Nothing was created. ${steps.join(". ")}.`,
  );
}

/** The line that makes the holder's resource this one; undefined where its name in the program is not known. */
function aliasOf(holder: Holder | undefined, type: string): string | undefined {
  if (holder === undefined || holder.owner === "") return undefined;
  if (holder.owner.startsWith("urn:")) return JSON.stringify(holder.owner);
  const [, project = "", stack = "", ...rest] = holder.owner.split("/");
  const [name = "", ...types] = rest.join("/").split("$").reverse();
  const chain = [...types.reverse(), `pulumi-nodejs:dynamic/management:${type}`].join("$");
  return JSON.stringify(`urn:pulumi:${stack}::${project}::${chain}::${name}`);
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
