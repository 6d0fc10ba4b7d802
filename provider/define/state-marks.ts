import type { Values } from "./values";

/**
 * What a state says to the engine alone. States of every release have these names, and an older version of the package may
 * go on with a state that this one wrote, so none of them is ever renamed (docs/decisions/0153).
 */
const NAMES = {
  declared: "__declared",
  record: "__record",
  isPending: "__pending",
  isAdopted: "__takenOver",
  service: "__service",
} as const;

export interface StateMarks {
  /** The inputs that the program declared: only those are managed. Undefined in a state of a version that did not say. */
  readonly declared: readonly string[] | undefined;
  /** Distinguishes Pulumi's record of an object from other records of the same object; `""` where there is none. */
  readonly record: string;
  /** The resource exists and has not settled yet. */
  readonly isPending: boolean;
  /** The object existed before Pulumi had it, and was adopted or imported. */
  readonly isAdopted: boolean;
  /** The base URL of the service that made or last changed the object, without user and password; undefined in old states. */
  readonly service: string | undefined;
}

/** The only reader of marks; a state of any release. */
export function readMarks(state: Values): StateMarks {
  const { declared, record, isPending, isAdopted, service } = NAMES;
  const names = state[declared];
  return {
    declared: Array.isArray(names)
      ? names.filter((name): name is string => typeof name === "string")
      : undefined,
    record: pickText(state[record], ""),
    isPending: state[isPending] === true,
    isAdopted: state[isAdopted] === true,
    service: pickText(state[service], undefined),
  };
}

/** The state with these marks; the others stay as they are. */
export function writeMarks(state: Values, marks: Partial<StateMarks>): Values {
  const written: Values = { ...state };
  for (const [mark, value] of Object.entries(marks)) written[NAMES[mark as keyof StateMarks]] = value;
  return written;
}

/** The next state of an object, with the marks that stay with it whatever else changes. */
export function keepMarks(state: Values, next: Values): Values {
  const { record, isAdopted, service } = NAMES;
  const kept = [record, isAdopted, service].filter((name) => state[name] !== undefined);
  return { ...next, ...Object.fromEntries(kept.map((name) => [name, state[name]])) };
}

function pickText<T>(value: unknown, otherwise: T): string | T {
  return typeof value === "string" ? value : otherwise;
}
