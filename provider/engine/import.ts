import { InvalidInputError } from "../client/errors/errors";
import { formatCodeList } from "../define/format-code-list";
import { listMarkedFields, isOptional } from "../define/markers";
import type { AnyResource } from "../define/resource";
import { checkInputs } from "./check";
import { fitInputs, type InputForms, type FittedInputs, type UndeclarableValue } from "./fit-inputs";
import { markImported } from "./step/ownership";
import { importProblems, resourceProblems } from "./step/problems";
import { createStepContext, type Runtime } from "./step/runtime";
import type { Values } from "../define/values";
import { composeState } from "./step/state";
import { observe } from "./step/observe";
import type { ReadResult } from "./read";
import { describeAdoptedProtection } from "./step/protection";
import { listUnreadable } from "./step/adopted";
import { writeMarks } from "../define/state-marks";
import { createClaim, withId } from "../ledger/claim";

/** An object that Pulumi did not know. */
export interface ImportResult extends ReadResult {
  /** What the service shows and the inputs should declare, but no program could. */
  readonly misfits: readonly UndeclarableValue[];
}

/**
 * Reads an object that Pulumi does not know yet, by its import id: its state, and the smallest inputs that declare it.
 * Undefined when the service has no such object. `isManaged` is false where a program only looks it up.
 */
export async function importResource(
  runtime: Runtime,
  resource: AnyResource,
  importId: string,
  isManaged: boolean,
): Promise<ImportResult | undefined> {
  const { refusal, format } = resource.importId;
  if (refusal !== undefined) throw createImportRefusal(resource, refusal);
  const parsed = resource.importId.parse(importId);
  if (parsed === undefined) {
    throw new InvalidInputError(
      "id",
      resourceProblems.notAnImportId.message({ given: importId, type: resource.type, format }),
    );
  }
  const { id, inputs: implied } = parsed;
  const ctx = createStepContext(runtime, resource, "read", implied, {
    claim: withId(createClaim(resource, implied), id),
  });
  const observed = await observe(ctx, resource, { id, state: implied });
  if (observed === undefined) return undefined;
  const further = isManaged ? await resource.readForImport?.(ctx, { id, state: implied }) : {};
  const whole = { ...observed.inputs, ...resource.importId.consents?.(observed.inputs), ...implied };
  const declared = { ...(resource.importId.declares?.(whole) ?? whole), ...implied };
  const { inputs: smallest, misfits } = pickSmallestInputs(resource, declared, whole);
  // What a program that declares this would be computed to have.
  const { inputs } = checkInputs(resource, { ...smallest, ...further }, smallest);
  const [unseen] = isManaged ? listMissingInputs(resource, inputs, false) : [];
  if (unseen !== undefined)
    throw createImportRefusal(resource, `the service does not return its \`${unseen}\`.`);
  // Of a group only what is declared in it is remembered.
  const state = composeState(resource, inputs, { ...observed, inputs: { ...observed.inputs, ...smallest } });
  if (!isManaged) return { id, state, inputs, misfits };
  return {
    id,
    state: writeMarks(markImported(runtime, resource, { id, state }), { isAdopted: true }),
    inputs,
    misfits,
  };
}

/**
 * What is required, what only a replacement could change, and what the resource itself names; of two that exclude each other
 * one. Where a part of an input does not stand by itself, the whole of it.
 */
function pickSmallestInputs(resource: AnyResource, declared: Values, whole: Values): FittedInputs {
  const required: Values = {};
  const further: InputForms[] = [];
  const consents = resource.importId.consents?.(whole) ?? {};
  for (const [name, field, traits] of listMarkedFields(resource.inputs)) {
    if (traits.computed === true) continue;
    if (!isOptional(field)) {
      if (isGiven(whole[name])) required[name] = whole[name];
    } else if (name in consents) further.push({ name, forms: [consents[name]] });
    else if (traits.replaces !== undefined || resource.importId.alsoDeclares?.includes(name) === true) {
      if (isGiven(declared[name])) further.push({ name, forms: [declared[name], whole[name]] });
    }
  }
  // A secret that is not shown is no reason to leave out what needs it: it is there.
  return fitInputs(resource, required, further);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** What is reported to whoever imports an object about what the program declares from now on. */
export function listImportAdvice(resource: AnyResource): string[] {
  const names = listUnreadable(resource);
  const protection = describeAdoptedProtection(resource, {});
  return [
    ...(names.length === 0
      ? []
      : [
          `the service does not return ${formatCodeList(names)}: the first value that the program declares is recorded, not sent.`,
        ]),
    ...(protection === undefined ? [] : [protection]),
    ...(resource.importId.leavesOut === undefined ? [] : [resource.importId.leavesOut]),
  ];
}

/** Required secrets that an import leaves out, as the service does not show them. */
export function listHiddenSecrets(resource: AnyResource, inputs: Values): string[] {
  return listMissingInputs(resource, inputs, true);
}

/** Whether the service shows all that an import would have to declare. */
export function isImportable(resource: AnyResource, seen: Values): boolean {
  return listMissingInputs(resource, seen, false).length === 0;
}

function listMissingInputs(resource: AnyResource, inputs: Values, isSecret: boolean): string[] {
  return listMarkedFields(resource.inputs)
    .filter(([name, field, { secret = false }]) => {
      return secret === isSecret && !isGiven(inputs[name]) && !isOptional(field);
    })
    .map(([name]) => name);
}

function createImportRefusal({ type }: AnyResource, refusal: string): InvalidInputError {
  return new InvalidInputError("id", importProblems.notImportable.message({ type, refusal }));
}
