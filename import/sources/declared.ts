import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../spec/is-object";
import type { DeclaredElsewhere, DeclaredObject as PlainObject } from "../declared-elsewhere";
import { ConfigValue, JoinedText } from "./config-value";

/** An object that a source declares: its inputs may have a `ConfigValue` where a value is not to stand in the program. */
export type SourceObject = PlainObject;

/** What a source declares of one project or branch that is a stack of its own. */
export interface SourceStack {
  readonly name: string;
  readonly projectRef: string;
  readonly objects: readonly SourceObject[];
  readonly notes: readonly string[];
}

export interface SourceDeclarations {
  readonly objects: readonly SourceObject[];
  readonly stacks?: readonly SourceStack[];
  /** What is not taken over and why, and what the user has to know; no secret is in them. */
  readonly notes: readonly string[];
}

/**
 * The same as plain values: variables are left out with a note, and secrets too, unless the program is to have them; one
 * whose value is not at hand has a note then.
 */
export function toDeclaredElsewhere(
  { objects, stacks, notes }: SourceDeclarations,
  { hasSecrets = false }: { readonly hasSecrets?: boolean } = {},
): DeclaredElsewhere {
  const missing: string[] = [];
  const plainObject = (each: SourceObject, lacking: string[]): PlainObject =>
    toPlainObject(each, lacking, hasSecrets);
  const whole = objects.map((each) => plainObject(each, missing));
  const others = stacks?.map(({ name, projectRef, objects: own, notes: ofStack }) => ({
    name,
    projectRef,
    objects: own.map((each) => plainObject(each, missing)).filter((each) => !isAmong(whole, each)),
    notes: ofStack,
  }));
  return {
    objects: whole,
    ...(others === undefined
      ? {}
      : { stacks: others.map(({ name, projectRef, objects: own }) => ({ name, projectRef, objects: own })) }),
    notes: [
      ...new Set([
        ...notes,
        ...(others ?? []).flatMap(({ name, notes: ofStack }) =>
          ofStack.filter((note) => !notes.includes(note)).map((note) => `remotes.${name}: ${note}`),
        ),
        ...missing,
      ]),
    ],
  };
}

/** Whether an object is declared alike of another project. */
function isAmong(objects: readonly PlainObject[], { type, inputs }: PlainObject): boolean {
  const own = { ...inputs, projectRef: undefined };
  return objects.some(
    (each) => each.type === type && isDeepStrictEqual({ ...each.inputs, projectRef: undefined }, own),
  );
}

function toPlainObject(object: SourceObject, missing: string[], hasSecrets: boolean): PlainObject {
  const inputs = toPlainValue(object.inputs, hasSecrets, (path, { name, value, isSecret }) =>
    missing.push(
      isSecret
        ? `${object.source}: \`${path}\` is the secret ${name}, whose value is not known here, so it was left out. Declare it in the program, with a secret of the stack's configuration.`
        : value === undefined
          ? `${object.source}: \`${path}\` is the variable ${name}, whose value is not set, so it was left out. Declare it in the program.`
          : `${object.source}: \`${path}\` is the variable ${name}. The file does not say whether that is a secret, so its value was not written. Declare it in the program, with a value of the stack's configuration.`,
    ),
  );
  return { ...object, inputs: isObject(inputs) ? inputs : {} };
}

/** Undefined for what is left out. */
function toPlainValue(
  value: unknown,
  hasSecrets: boolean,
  left: (path: string, of: ConfigValue) => void,
  path = "",
): unknown {
  if (value instanceof ConfigValue) {
    if (value.isSecret && !hasSecrets) return undefined;
    if (value.isSecret && value.value !== undefined) return value.typed;
    if (typeof value.typed === "boolean") return value.typed;
    left(path, value);
    return undefined;
  }
  if (value instanceof JoinedText) {
    const parts = value.parts.map((part) => toPlainValue(part, hasSecrets, left, path));
    return parts.includes(undefined) ? undefined : parts.join(value.separator);
  }
  if (Array.isArray(value)) {
    const elements = value.map((each) => toPlainValue(each, hasSecrets, left, path));
    return elements.includes(undefined) ? undefined : elements;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value)
    .map(
      ([key, one]) =>
        [key, toPlainValue(one, hasSecrets, left, path === "" ? key : `${path}.${key}`)] as const,
    )
    .filter(([, one]) => one !== undefined);
  return entries.length === 0 && Object.keys(value).length > 0 ? undefined : Object.fromEntries(entries);
}
