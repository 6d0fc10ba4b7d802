import { InvalidInputError } from "../client/errors";
import { listed } from "../define/listed";
import { fieldsOf, isOptional } from "../define/markers";
import { changedSinceNew } from "../define/new-project";
import type { AnyResource } from "../define/resource";
import { checkInputs } from "./check";
import { asImported } from "./holding";
import { importProblems, resourceProblems } from "./problems";
import { contextFor, type Runtime } from "./runtime";
import { remember, type Values } from "./state";
import { observe } from "./observe";
import { protectionOfTakenOver } from "./protection";
import { asTakenOver, neverShown } from "./taken-over";
import type { Read } from "./steps";

/**
 * Reads an object that Pulumi does not know yet, by its import id: its state, and the smallest inputs that declare it.
 * Undefined when the service has no such object. `isManaged` is false where a program only looks it up.
 */
export async function importResource(
  runtime: Runtime,
  resource: AnyResource,
  importId: string,
  isManaged: boolean,
): Promise<Read | undefined> {
  const { refusal, format } = resource.importId;
  if (refusal !== undefined) throw notImportable(resource, refusal);
  const parsed = resource.importId.parse(importId);
  if (parsed === undefined) {
    throw new InvalidInputError(
      "id",
      resourceProblems.notAnImportId.message({ given: importId, type: resource.type, format }),
    );
  }
  const { id, inputs: implied } = parsed;
  const ctx = contextFor(runtime, resource, "read", implied, { id });
  const observed = await observe(ctx, resource, { id, state: implied });
  if (observed === undefined) return undefined;
  const further = isManaged ? await resource.readForImport?.(ctx, { id, state: implied }) : {};
  const smallest = smallestInputs(resource, { ...observed.inputs, ...implied });
  // What a program that declares this would be computed to have.
  const { inputs } = checkInputs(resource, { ...smallest, ...further }, smallest);
  const [unseen] = isManaged ? missingInputs(resource, inputs, false) : [];
  if (unseen !== undefined) throw notImportable(resource, `the service does not show its \`${unseen}\`.`);
  // Of a group, what is left out is not managed: in the state it would be something that the program took out.
  const state = remember(resource, inputs, { ...observed, inputs: { ...observed.inputs, ...smallest } });
  if (!isManaged) return { id, state, inputs };
  return { id, state: asTakenOver(asImported(runtime, resource, { id, state })), inputs };
}

/**
 * What is required, what only a replacement could change, and what the resource itself names, unless a new project has it
 * too; of two that exclude each other one.
 */
function smallestInputs(resource: AnyResource, seen: Values): Values {
  const { takesOver, newProject } = resource.importId;
  const required: Values = {};
  const further: Values = {};
  for (const [name, field, traits] of fieldsOf(resource.inputs)) {
    const value = seen[name];
    if (value === undefined || value === null || traits.computed === true) continue;
    if (!isOptional(field)) required[name] = value;
    else if (traits.replaces !== undefined) further[name] = value;
    else if (takesOver?.includes(name) === true) {
      const changed = newProject === undefined ? value : changedSinceNew(newProject, field, value, name);
      if (changed !== undefined) further[name] = changed;
    }
  }
  // A secret that is not shown is no reason to leave out what needs it: it is there.
  const failures = (inputs: Values): number => checkInputs(resource, inputs, inputs).failures.length;
  let smallest = required;
  for (const [name, value] of Object.entries(further)) {
    const larger = { ...smallest, [name]: value };
    if (failures(larger) <= failures(smallest)) smallest = larger;
  }
  return smallest;
}

/** What whoever imports an object is told of what the program declares from now on. */
export function adviceOnImport(resource: AnyResource): string[] {
  const names = neverShown(resource);
  const protection = protectionOfTakenOver(resource, {});
  const { unrecorded = [] } = resource.importId.newProject ?? {};
  return [
    ...(unrecorded.length === 0
      ? []
      : [
          `left out ${listed(unrecorded)}: what a new project has there is not recorded, so nothing tells whether somebody changed it. ` +
            "It stays as it is until the program declares it.",
        ]),
    ...(names.length === 0
      ? []
      : [
          `the service does not show ${listed(names)}: the first value that the program declares is recorded, not sent.`,
        ]),
    ...(protection === undefined ? [] : [protection]),
  ];
}

/** Required secrets that an import leaves out, as the service does not show them. */
export function hiddenSecrets(resource: AnyResource, inputs: Values): string[] {
  return missingInputs(resource, inputs, true);
}

function missingInputs(resource: AnyResource, inputs: Values, isSecret: boolean): string[] {
  return fieldsOf(resource.inputs)
    .filter(([name, field, { secret = false }]) => {
      return secret === isSecret && inputs[name] === undefined && !isOptional(field);
    })
    .map(([name]) => name);
}

function notImportable({ type }: AnyResource, refusal: string): InvalidInputError {
  return new InvalidInputError("id", importProblems.notImportable.message({ type, refusal }));
}
