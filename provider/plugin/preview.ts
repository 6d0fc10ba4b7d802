import { fieldsOf } from "../define/markers";
import type { AnyResource } from "../define/resource";
import { diffAt } from "../lifecycle/operations/diff";
import { isPending, outputsIn, remember, type Values } from "../lifecycle/state";
import { UNKNOWN } from "../define/unknown";

/** What a new resource will have: its inputs as declared, its outputs not known yet. */
export function previewCreate(resource: AnyResource, inputs: Values): Values {
  return { ...unknownOutputs(resource), ...remember(resource, inputs, {}) };
}

/** What the resource will have after the update: only what cannot change is known of its outputs. */
export function previewUpdate(resource: AnyResource, state: Values, inputs: Values, nowMs: number): Values {
  const outputs = outputsIn(resource, state);
  const { changed, expiring } = diffAt(resource, state, inputs, nowMs);
  // A change of the provider's own options reaches the service no more than the outputs.
  if (changed.size === 0 && expiring.length === 0 && !isPending(state))
    return remember(resource, inputs, { outputs });
  const kept = Object.fromEntries(stableOutputs(resource).map((name) => [name, outputs[name]]));
  return { ...unknownOutputs(resource), ...remember(resource, inputs, { outputs: kept }) };
}

/** Outputs that stay what they are while the resource lives. */
export function stableOutputs(resource: AnyResource): string[] {
  return fieldsOf(resource.outputs)
    .filter(([name, , { stable }]) => stable === true || name === resource.idOutput)
    .map(([name]) => name);
}

function unknownOutputs(resource: AnyResource): Values {
  return Object.fromEntries(Object.keys(resource.outputs.shape).map((name) => [name, UNKNOWN]));
}
