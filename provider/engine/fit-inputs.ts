import { childAt, shapeOf } from "../../spec/shape-of";
import { isObject } from "../../spec/is-object";
import { isOptional } from "../define/markers";
import { topName } from "../define/property-path";
import type { AnyResource, CheckFailure } from "../define/resource";
import type { Values } from "../define/values";
import { describeIssues, NO_REDACTION } from "./schema/describe-issue";
import { checkInputs } from "./check";

/** An input in the forms in which it may be declared, the preferred one first. */
export interface InputForms {
  readonly name: string;
  readonly forms: readonly unknown[];
}

/** An input, or a part of one, that a program cannot declare as it is, and why. */
export interface UndeclarableValue {
  readonly path: string;
  readonly reason: string;
}

export interface FittedInputs {
  readonly inputs: Values;
  readonly misfits: readonly UndeclarableValue[];
}

/** What is declared of the candidates beside the base. */
type FormChoice = ReadonlyMap<string, unknown>;

interface ChoiceStep {
  readonly choice: FormChoice;
  /** The part of an input that it leaves out. */
  readonly part?: string;
}

/**
 * The base with every candidate that `check` accepts beside the others. They are tried together: two that need each other
 * would both fail alone. What is at fault in `base` already is no reason to leave out a candidate. `before` are the inputs
 * that the state will have, where they are not the same.
 */
export function fitInputs(
  resource: AnyResource,
  base: Values,
  candidates: readonly InputForms[],
  before?: Values,
): FittedInputs {
  const checkFit = (choice: FormChoice): readonly CheckFailure[] => {
    const inputs = { ...base, ...Object.fromEntries(choice) };
    return checkInputs(resource, inputs, before ?? inputs).failures;
  };
  const inBase = checkFit(new Map());
  const listFaults = (choice: FormChoice): readonly CheckFailure[] =>
    checkFit(choice).filter(
      ({ path, reason }) => !inBase.some((each) => each.path === path && each.reason === reason),
    );
  const misfits: UndeclarableValue[] = [];
  const wanted = candidates.map(({ name, forms }) => {
    const fitting = forms.map((form) => omitUnfitParts(resource, name, form));
    misfits.push(...(fitting[0]?.misfits ?? []));
    return { name, forms: fitting.map(({ value }) => value) };
  });
  let choice: FormChoice = new Map(wanted.map(({ name, forms }) => [name, forms[0]]));
  for (let faults = listFaults(choice); faults.length > 0; faults = listFaults(choice)) {
    const steps = [
      ...listLargerForms(choice, wanted),
      ...listSmallerParts(resource, choice, faults),
      ...hasFewerFaults(choice),
    ];
    const step = steps.find((each) => listFaults(each.choice).length < faults.length);
    if (step?.part !== undefined) misfits.push({ path: step.part, reason: reasonOf(faults, step.part) });
    choice = step?.choice ?? omitFaulty(choice, faults);
  }
  for (const { name, forms } of wanted.filter((each) => !choice.has(each.name))) {
    const form = forms.find((each) => listFaults(new Map([...choice, [name, each]])).length === 0);
    if (form !== undefined) choice = new Map([...choice, [name, form]]);
    else
      misfits.push({
        path: name,
        reason: reasonOf(listFaults(new Map([...choice, [name, forms[0]]])), name),
      });
  }
  return { inputs: { ...base, ...Object.fromEntries(choice) }, misfits };
}

/** Where a part of an input does not stand by itself, the whole of it may. */
function listLargerForms(choice: FormChoice, candidates: readonly InputForms[]): ChoiceStep[] {
  return candidates.flatMap(({ name, forms }) => {
    const next = forms.indexOf(choice.get(name)) + 1;
    return next === 0 || next >= forms.length ? [] : [{ choice: new Map([...choice, [name, forms[next]]]) }];
  });
}

/** Without the parts of a group at which something is at fault, the smallest first. */
function listSmallerParts(
  resource: AnyResource,
  choice: FormChoice,
  faults: readonly CheckFailure[],
): ChoiceStep[] {
  return faults.flatMap(({ path }) => {
    const [name = "", ...keys] = path.split(".");
    const field = childAt(shapeOf(resource.inputs), name);
    const value = choice.get(name);
    if (field === undefined) return [];
    return keys
      .map((_, index) => keys.slice(0, keys.length - index))
      .filter((part) => isOptionalPart(field, part) && isPresent(value, part))
      .map((part) => ({
        choice: new Map([...choice, [name, omitPart(value, part)]]),
        part: [name, ...part].join("."),
      }));
  });
}

/** With one input less; the later of two that exclude each other goes first. */
function hasFewerFaults(choice: FormChoice): ChoiceStep[] {
  return [...choice.keys()].toReversed().map((name) => ({ choice: omitInputs(choice, [name]) }));
}

/** Where no single step helps: without the inputs at fault, or without all. */
function omitFaulty(choice: FormChoice, faults: readonly CheckFailure[]): FormChoice {
  const faulty = faults.map(({ path }) => topName(path)).filter((name) => choice.has(name));
  return omitInputs(choice, faulty.length === 0 ? [...choice.keys()] : faulty);
}

function omitInputs(choice: FormChoice, names: readonly string[]): FormChoice {
  return new Map([...choice].filter(([name]) => !names.includes(name)));
}

function reasonOf(faults: readonly CheckFailure[], path: string): string {
  const own =
    faults.find((fault) => fault.path.startsWith(path)) ??
    faults.find((each) => path.startsWith(topName(each.path)));
  return (own ?? faults[0])?.reason ?? "";
}

/** Of a group, what its schema refuses goes alone: the others are settings of their own. */
function omitUnfitParts(
  resource: AnyResource,
  name: string,
  value: unknown,
): { readonly value: unknown; readonly misfits: readonly UndeclarableValue[] } {
  const field = childAt(shapeOf(resource.inputs), name);
  if (field === undefined || !isObject(value)) return { value, misfits: [] };
  const issues = field.safeParse(value).error?.issues ?? [];
  const unfit = issues.filter(({ path }) => isOptionalPart(field, path) && isPresent(value, path));
  return {
    value: unfit.reduce<unknown>((whole, { path }) => omitPart(whole, path), value),
    misfits: describeIssues(
      unfit.map((issue) => ({ ...issue, path: [name, ...issue.path] })),
      resource.inputs,
      { [name]: value },
      NO_REDACTION,
    ),
  };
}

type SchemaField = NonNullable<ReturnType<typeof childAt>>;

function isOptionalPart(field: SchemaField, path: readonly PropertyKey[]): boolean {
  const [key, ...below] = path;
  const shape = shapeOf(field);
  const part = key === undefined || shape.kind !== "object" ? undefined : childAt(shape, String(key));
  if (part === undefined) return false;
  return below.length === 0 ? isOptional(part) : isOptionalPart(part, below);
}

function isPresent(value: unknown, path: readonly PropertyKey[]): boolean {
  const [key, ...below] = path;
  if (key === undefined) return value !== undefined && value !== null;
  return isObject(value) && isPresent(value[String(key)], below);
}

function omitPart(value: unknown, path: readonly PropertyKey[]): unknown {
  const [key, ...below] = path;
  if (key === undefined || !isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, part]) => {
    if (name !== String(key)) return [[name, part] as const];
    return below.length === 0 ? [] : [[name, omitPart(part, below)] as const];
  });
  return Object.fromEntries(entries);
}
