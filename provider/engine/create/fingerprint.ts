import { listMarkedFields, holdsSecret } from "../../define/markers";
import type { AnyResource, ObservedResource } from "../../define/resource";
import { listDifferingPaths } from "../../define/compare";
import { parentInputs } from "../../ledger/claim";
import { pick, omitUndefined, type Values } from "../../define/values";

/** Whether the inputs ask for one more object beside those of the same identity. */
export function allowsDuplicates({ allowsDuplicatesBy }: AnyResource, inputs: Values): boolean {
  return allowsDuplicatesBy !== undefined && inputs[allowsDuplicatesBy] === true;
}

/**
 * The inputs that distinguish the object from others: names, and inputs that cannot be changed in place. None of them is a secret or
 * contains a value that the program marked as secret.
 */
export function pickIdentifyingInputs(
  resource: AnyResource,
  inputs: Values,
  redact: (text: string) => string,
): Values {
  const names = listMarkedFields(resource.inputs).flatMap(([name, , traits]) => {
    const isTelling =
      traits.replaces !== undefined || traits.autonamed !== undefined || traits.identifies === true;
    return isTelling && traits.secret !== true ? [name] : [];
  });
  return omitMarkedSecrets(pick(inputs, names), redact);
}

/** Everything that a create sends: the values that hold no secret, and the names of the inputs that hold one. */
export function pickSentInputs(
  resource: AnyResource,
  inputs: Values,
  redact: (text: string) => string,
): { readonly sent: Values; readonly withheld: readonly string[] } {
  // Without `find`, no object is ever compared with these.
  if (resource.find === undefined)
    return { sent: pickIdentifyingInputs(resource, inputs, redact), withheld: [] };
  const given = listSentFields(resource).flatMap(([name, field]) =>
    inputs[name] === undefined || inputs[name] === null ? [] : [{ name, isSecret: holdsSecret(field) }],
  );
  const clear = given.flatMap(({ name, isSecret }) => (isSecret ? [] : [name]));
  const sent = omitMarkedSecrets(pick(inputs, clear), redact);
  return { sent, withheld: given.flatMap(({ name }) => (name in sent ? [] : [name])) };
}

/** The first input of `sent` that the service shows with another value. An input that it does not show counts as equal. */
export function findUnlikeInput(
  resource: AnyResource,
  sent: Values,
  observed: Pick<ObservedResource<Values, Values>, "inputs">,
): string | undefined {
  return listSentFields(resource).find(([name, field]) => {
    const [wanted, seen] = [sent[name], observed.inputs[name]];
    if (wanted === undefined || wanted === null || seen === undefined) return false;
    return seen === null || listDifferingPaths(field, seen, wanted).length > 0;
  })?.[0];
}

/** Whether creating it with these inputs a second time makes no second object. */
export function isRepeatable({ isRepeatable: repeatable }: AnyResource, inputs: Values): boolean {
  return typeof repeatable === "function" ? repeatable(inputs) : repeatable === true;
}

/** Whether an object has nothing but its identity, such as an entry of a list: creating it again changes nothing. */
export function isOnlyIdentity(resource: AnyResource): boolean {
  const { isRepeatable: repeatable, uniqueBy = [], outputs } = resource;
  const identity: readonly string[] = [...uniqueBy, ...parentInputs(resource)];
  return (
    repeatable === true &&
    Object.keys(outputs.shape).length === 0 &&
    listSentFields(resource).every(([name]) => identity.includes(name))
  );
}

function listSentFields(resource: AnyResource): ReturnType<typeof listMarkedFields> {
  const { notSentByCreate = [] } = resource;
  return listMarkedFields(resource.inputs).filter(
    ([name, , { local, createOnly, computed }]) =>
      local !== true && createOnly !== true && computed !== true && !notSentByCreate.includes(name),
  );
}

/** The outputs that distinguish the object from a later one of the same id. */
export function pickIdentifyingOutputs(
  resource: AnyResource,
  outputs: Values,
  redact: (text: string) => string,
): Values {
  const names = listMarkedFields(resource.outputs).flatMap(([name, , traits]) =>
    traits.stable === true &&
    traits.changesWith === undefined &&
    traits.secret !== true &&
    typeof outputs[name] === "string"
      ? [name]
      : [],
  );
  return omitMarkedSecrets(pick(outputs, names), redact);
}

/** The first input that was sent, cannot be changed in place, and has another value on the service. */
export function findContradiction(
  resource: AnyResource,
  sent: Values,
  observed: Pick<ObservedResource<Values, Values>, "inputs">,
): string | undefined {
  return listMarkedFields(resource.inputs).find(([name, field, traits]) => {
    if (traits.replaces === undefined || traits.local === true || traits.secret === true) return false;
    const [wanted, seen] = [sent[name], observed.inputs[name]];
    if (wanted === undefined || wanted === null || seen === undefined) return false;
    return listDifferingPaths(field, seen, wanted).length > 0;
  })?.[0];
}

/** The first property that shows another object: it cannot change in place, and differs from what was sent or was seen since. */
export function findDifference(
  resource: AnyResource,
  sent: Values,
  outputs: Values,
  observed: ObservedResource<Values, Values>,
): string | undefined {
  const ofInputs = findContradiction(resource, sent, observed);
  if (ofInputs !== undefined) return ofInputs;
  return Object.entries(outputs).find(([name, value]) => {
    const seen = observed.outputs[name];
    return typeof value === "string" && seen !== undefined && seen !== value;
  })?.[0];
}

/** What the service shows, and as it was sent what the service never shows. */
export function addUnshownInputs(
  resource: AnyResource,
  sent: Values,
  observed: ObservedResource<Values, Values>,
): ObservedResource<Values, Values> {
  const unshown = listMarkedFields(resource.inputs).flatMap(([name, , { replaces }]) =>
    replaces !== undefined && observed.inputs[name] === undefined ? [name] : [],
  );
  return { ...observed, inputs: { ...observed.inputs, ...pick(sent, unshown) } };
}

/** Without values that contain something that the program marked as secret. */
function omitMarkedSecrets(values: Values, redact: (text: string) => string): Values {
  const isClear = (value: unknown): boolean => {
    const text = JSON.stringify(value);
    return redact(text) === text;
  };
  return Object.fromEntries(Object.entries(omitUndefined(values)).filter(([, value]) => isClear(value)));
}
