import { InvalidInputError } from "../../client/errors/errors";
import type { AnyResource } from "../../define/resource";
import { UNKNOWN } from "../../define/unknown";
import { diffInputs, type Differences } from "./diff";
import { checkInputs } from "./check";
import { refuseReplacement } from "./protection";
import type { Values } from "../state";

/** How the declared inputs differ from what is remembered, and what the clock alone makes due. */
export interface DifferencesNow extends Differences {
  /** Outputs that an update makes anew; none where the whole resource is replaced. */
  readonly due: readonly string[];
}

/** Compares without any call, at a moment; throws for what cannot be done to what there is. */
export function diffAt(resource: AnyResource, state: Values, inputs: Values, nowMs: number): DifferencesNow {
  const found = diffInputs(resource, state, inputs);
  const known = Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== UNKNOWN));
  const isReplaced = found.replaces.length > 0;
  if (isReplaced) refuseReplacement(resource, state, inputs, found.replaces);
  if (isReplaced && found.deleteBeforeReplace) refuseWithoutSuccessor(resource, inputs);
  const refused = isReplaced ? [] : (resource.refuses?.(state, known) ?? []);
  if (refused[0] !== undefined)
    throw new InvalidInputError(refused[0].path, refused.map(({ reason }) => reason).join("\n"));
  const due = isReplaced ? [] : (resource.dueOutputs?.(state, known, nowMs) ?? []);
  if (due.length === 0) return { ...found, due };
  return {
    ...found,
    due,
    changes: true,
    properties: [
      ...found.properties,
      ...due.map((path) => ({ path, kind: "update", replaces: false, isOutput: true }) as const),
    ],
  };
}

/** What is deleted first must be something that can be made again: what is gone by then cannot be adopted either. */
function refuseWithoutSuccessor(resource: AnyResource, inputs: Values): void {
  const isForCreate = ([name]: [string, unknown]): boolean => name !== "adopt" && name !== "adoptId";
  const anew = Object.fromEntries(Object.entries(inputs).filter(isForCreate));
  const [failure] = checkInputs(resource, anew).failures;
  if (failure !== undefined) throw new InvalidInputError(failure.path, `${failure.path}: ${failure.reason}`);
}
