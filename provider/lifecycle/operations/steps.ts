import { fieldsOf } from "../../define/markers";
import type { AnyResource } from "../../define/resource";
import { diffAt, type DifferencesNow } from "./due";
import { orGone } from "../gone-error";
import { declares, otherHolders, withMarksOf } from "../ownership/holding";
import { hiddenDrift } from "./hidden-drift";
import { InitializationError } from "./initialization-error";
import { engineShows, journalSubject, objectKey } from "../recovery/journal-subject";
import { noLongerManaged } from "./no-longer-managed";
import { observe } from "./observe";
import { OWNER, ownerOf } from "../ownership/program-owner";
import { showState } from "../ownership/program-names";
import { contextFor, type Runtime } from "../runtime";
import {
  asPending,
  declaredIn,
  isOwnKey,
  isPending,
  outputsIn,
  pick,
  remember,
  upgraded,
  withoutUndefined,
  type Values,
} from "../state";
import { settleResource, type Made } from "../ownership/take-over";
import { notSent } from "../ownership/taken-over";

export interface Read {
  readonly id: string;
  readonly state: Values;
  /** The declared inputs as the service has them. */
  readonly inputs: Values;
}

/**
 * How the resource differs from what is declared, without any call; what a run that died left half-recorded counts as a
 * change. No value is told of an input of which the program made a secret (`isSecret`).
 */
export function diffResource(
  runtime: Runtime,
  resource: AnyResource,
  id: string,
  recorded: Values,
  inputs: Values,
  isSecret: (name: string) => boolean = () => true,
): DifferencesNow {
  const state = upgraded(resource, recorded);
  const kept = engineShows(runtime, resource, { id, state, known: inputs });
  showState(runtime.names, resource, { ...state, [OWNER]: ownerOf({ ...state, ...inputs }) });
  declares(runtime, resource, { id, state }, inputs);
  const found = diffAt(resource, state, inputs, runtime.clock.now());
  const subject = `${resource.type} ${id}`;
  if (found.recorded.length > 0) runtime.info(notSent(found.recorded), subject);
  for (const path of found.staying) runtime.info(noLongerManaged(resource, state, path, isSecret), subject);
  return kept === undefined ? found : { ...found, changes: true };
}

/** What the service has now; undefined only when the service says that the resource is gone. */
export async function readResource(
  runtime: Runtime,
  resource: AnyResource,
  id: string,
  recorded: Values,
): Promise<Read | undefined> {
  const state = upgraded(resource, recorded);
  engineShows(runtime, resource, { id, state, known: state });
  showState(runtime.names, resource, state);
  const ctx = contextFor(runtime, resource, "read", state, { id });
  const observed = await observe(ctx, resource, { id, state });
  if (observed === undefined) return undefined;
  const declared = declaredIn(resource, state);
  const remembered = withMarksOf(state, remember(resource, declared, observed));
  const hidden = hiddenDrift(resource, declared, remembered);
  if (hidden.length > 0) ctx.info(changedOutside(hidden));
  const names = fieldsOf(resource.inputs).map(([name]) => name);
  return {
    id,
    state: isPending(state) ? asPending(remembered) : remembered,
    inputs: pick(
      remembered,
      names.filter((name) => name in declared),
    ),
  };
}

function changedOutside(paths: readonly string[]): string {
  return `${paths.join(", ")} changed outside this program; Pulumi shows secret values as [secret], before and after.`;
}

/** Brings the resource to the declared state; a change of the provider's own options makes no call. */
export async function updateResource(
  runtime: Runtime,
  resource: AnyResource,
  id: string,
  state: Values,
  inputs: Values,
): Promise<Made> {
  const recorded = upgraded(resource, state);
  return change(runtime, resource, { id, state: recorded }, inputs);
}

async function change(
  runtime: Runtime,
  resource: AnyResource,
  { id, state }: Pick<Read, "id" | "state">,
  inputs: Values,
): Promise<Made> {
  const kept = engineShows(runtime, resource, { id, state, known: inputs });
  const { changed, due, recorded } = diffAt(resource, state, inputs, runtime.clock.now());
  const outputs = outputsIn(resource, state);
  const isToChange = changed.size > 0 || due.length > 0 || recorded.length > 0 || kept !== undefined;
  if (!isToChange && !isPending(state)) {
    return { id, state: withMarksOf(state, remember(resource, inputs, { outputs })) };
  }
  const keep = (of: string, what: Values): void => {
    const subject = journalSubject(runtime, resource, inputs);
    if (subject !== undefined) runtime.journal.keep(subject, objectKey(resource, of, state), what);
  };
  const others = otherHolders(runtime, resource, { id, state }).map(({ shared }) => shared);
  const ctx = contextFor(runtime, resource, "update", inputs, { id, keep, kept, others });
  const current: Values = Object.fromEntries(
    Object.entries(state).filter(([name]) => !isOwnKey(name) || name in (resource.bookkeeping?.shape ?? {})),
  );
  try {
    const updated = isToChange ? await resource.update?.(ctx, { id, state: current, inputs, changed }) : {};
    // What the answer to a write leaves out is as it was.
    const seen = { ...updated, outputs: { ...outputs, ...withoutUndefined(updated?.outputs ?? {}) } };
    const settled = await settleResource(ctx, resource, id, inputs, seen);
    const made = { id, state: withMarksOf(state, settled.state) };
    declares(runtime, resource, made, inputs);
    // From now on it is this that the engine has to show.
    if (kept !== undefined) keep(id, pick(made.state, Object.keys(kept)));
    return made;
  } catch (error) {
    if (error instanceof InitializationError)
      throw new InitializationError(id, withMarksOf(state, error.state), error.cause);
    throw orGone(resource.type, id, error);
  }
}
