import { childAt, shapeOf } from "../../spec/shape-of";
import { isObject } from "../../spec/is-object";
import { isOptional } from "../define/markers";
import type { AnyResource, CheckFailure } from "../define/resource";
import type { Values } from "../define/values";
import { describeIssues, NO_REDACTION } from "./schema/describe-issue";
import { checkInputs } from "./check";

/** An input in the forms in which it may be declared, the preferred one first. */
export interface Candidate {
  readonly name: string;
  readonly forms: readonly unknown[];
}

/** An input, or a part of one, that a program cannot declare as it is, and why. */
export interface Misfit {
  readonly path: string;
  readonly reason: string;
}

export interface Fitted {
  readonly inputs: Values;
  readonly misfits: readonly Misfit[];
}

/** What is declared of the candidates beside the base. */
type Choice = ReadonlyMap<string, unknown>;

interface Step {
  readonly choice: Choice;
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
  candidates: readonly Candidate[],
  before?: Values,
): Fitted {
  const checked = (choice: Choice): readonly CheckFailure[] => {
    const inputs = { ...base, ...Object.fromEntries(choice) };
    return checkInputs(resource, inputs, before ?? inputs).failures;
  };
  const inBase = checked(new Map());
  const faultsOf = (choice: Choice): readonly CheckFailure[] =>
    checked(choice).filter(
      ({ path, reason }) => !inBase.some((each) => each.path === path && each.reason === reason),
    );
  const misfits: Misfit[] = [];
  const wanted = candidates.map(({ name, forms }) => {
    const fitting = forms.map((form) => withoutUnfitParts(resource, name, form));
    misfits.push(...(fitting[0]?.misfits ?? []));
    return { name, forms: fitting.map(({ value }) => value) };
  });
  let choice: Choice = new Map(wanted.map(({ name, forms }) => [name, forms[0]]));
  for (let faults = faultsOf(choice); faults.length > 0; faults = faultsOf(choice)) {
    const steps = [
      ...largerForms(choice, wanted),
      ...smallerParts(resource, choice, faults),
      ...fewer(choice),
    ];
    const step = steps.find((each) => faultsOf(each.choice).length < faults.length);
    if (step?.part !== undefined) misfits.push({ path: step.part, reason: reasonOf(faults, step.part) });
    choice = step?.choice ?? withoutFaulty(choice, faults);
  }
  for (const { name, forms } of wanted.filter((each) => !choice.has(each.name))) {
    const form = forms.find((each) => faultsOf(new Map([...choice, [name, each]])).length === 0);
    if (form !== undefined) choice = new Map([...choice, [name, form]]);
    else
      misfits.push({ path: name, reason: reasonOf(faultsOf(new Map([...choice, [name, forms[0]]])), name) });
  }
  return { inputs: { ...base, ...Object.fromEntries(choice) }, misfits };
}

/** Where a part of an input does not stand by itself, the whole of it may. */
function largerForms(choice: Choice, candidates: readonly Candidate[]): Step[] {
  return candidates.flatMap(({ name, forms }) => {
    const next = forms.indexOf(choice.get(name)) + 1;
    return next === 0 || next >= forms.length ? [] : [{ choice: new Map([...choice, [name, forms[next]]]) }];
  });
}

/** Without the parts of a group at which something is at fault, the smallest first. */
function smallerParts(resource: AnyResource, choice: Choice, faults: readonly CheckFailure[]): Step[] {
  return faults.flatMap(({ path }) => {
    const [name = "", ...keys] = path.split(".");
    const field = childAt(shapeOf(resource.inputs), name);
    const value = choice.get(name);
    if (field === undefined) return [];
    return keys
      .map((_, index) => keys.slice(0, keys.length - index))
      .filter((part) => isOptionalPart(field, part) && isPresent(value, part))
      .map((part) => ({
        choice: new Map([...choice, [name, withoutPart(value, part)]]),
        part: [name, ...part].join("."),
      }));
  });
}

/** With one input less; the later of two that exclude each other goes first. */
function fewer(choice: Choice): Step[] {
  return [...choice.keys()].toReversed().map((name) => ({ choice: without(choice, [name]) }));
}

/** Where no single step helps: without the inputs at fault, or without all. */
function withoutFaulty(choice: Choice, faults: readonly CheckFailure[]): Choice {
  const faulty = faults.map(inputOf).filter((name) => choice.has(name));
  return without(choice, faulty.length === 0 ? [...choice.keys()] : faulty);
}

function without(choice: Choice, names: readonly string[]): Choice {
  return new Map([...choice].filter(([name]) => !names.includes(name)));
}

function inputOf({ path }: CheckFailure): string {
  return path.split(/[.[]/)[0] ?? path;
}

function reasonOf(faults: readonly CheckFailure[], path: string): string {
  const own =
    faults.find((fault) => fault.path.startsWith(path)) ??
    faults.find((each) => path.startsWith(inputOf(each)));
  return (own ?? faults[0])?.reason ?? "";
}

/** Of a group, what its schema refuses goes alone: the others are settings of their own. */
function withoutUnfitParts(
  resource: AnyResource,
  name: string,
  value: unknown,
): { readonly value: unknown; readonly misfits: readonly Misfit[] } {
  const field = childAt(shapeOf(resource.inputs), name);
  if (field === undefined || !isObject(value)) return { value, misfits: [] };
  const issues = field.safeParse(value).error?.issues ?? [];
  const unfit = issues.filter(({ path }) => isOptionalPart(field, path) && isPresent(value, path));
  return {
    value: unfit.reduce<unknown>((whole, { path }) => withoutPart(whole, path), value),
    misfits: describeIssues(
      unfit.map((issue) => ({ ...issue, path: [name, ...issue.path] })),
      resource.inputs,
      { [name]: value },
      NO_REDACTION,
    ),
  };
}

type Field = NonNullable<ReturnType<typeof childAt>>;

function isOptionalPart(field: Field, path: readonly PropertyKey[]): boolean {
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

function withoutPart(value: unknown, path: readonly PropertyKey[]): unknown {
  const [key, ...below] = path;
  if (key === undefined || !isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, part]) => {
    if (name !== String(key)) return [[name, part] as const];
    return below.length === 0 ? [] : [[name, withoutPart(part, below)] as const];
  });
  return Object.fromEntries(entries);
}
