import { InvalidInputError, isAmbiguous } from "../client/errors";
import type { Context } from "../define/context";
import { fieldsOf } from "../define/markers";
import type { AnyResource, Candidate, Created, Observed } from "../define/resource";
import { differences } from "./compare";
import { InitializationError } from "./initialization-error";
import type { CreateIdentity, Journal } from "./journal";
import { contextFor, type Runtime } from "./runtime";
import { remember, type Values } from "./state";
import { writeOnce } from "./write-once";

export interface Made {
  readonly id: string;
  readonly state: Values;
}

/** Which resource of which program this is: the dynamic classes put it among the inputs. */
const OWNER = "__owner";

/** Creates what is declared, or takes over what `adopt` or an interrupted run points to; never a second one. */
export async function createResource(runtime: Runtime, resource: AnyResource, inputs: Values): Promise<Made> {
  const ctx = contextFor(runtime, resource, "create", inputs);
  const { adopt } = inputs;
  if (typeof adopt === "string") return takeOver(ctx, resource, adopt, inputs);
  const present = (await resource.find?.(ctx, inputs)) ?? [];
  if (adopt === true && present.length > 0)
    return takeOver(ctx, resource, theOnlyOne(resource, present).id, inputs);

  const identity = identityOf(runtime, resource, inputs);
  const begun = identity === undefined ? [] : runtime.journal.interrupted(identity, present);
  if (identity !== undefined && begun.length > 0) {
    const { id } = theOnlyOne(resource, begun);
    ctx.progress(`going on with ${id}, which an interrupted run began`);
    return goOnWith(ctx, runtime.journal, resource, { id, inputs, identity });
  }
  if (present.length > 0 && inputs["allowDuplicateName"] !== true) throw alreadyThere(resource, present);
  return createNew(ctx, runtime.journal, resource, { inputs, identity, present });
}

interface Interrupted {
  readonly id: string;
  readonly inputs: Values;
  readonly identity: CreateIdentity;
}

/** Takes over what an interrupted run began; the journal knows it until its outcome is in the engine's hands. */
async function goOnWith(
  ctx: Context,
  journal: Journal,
  resource: AnyResource,
  { id, inputs, identity }: Interrupted,
): Promise<Made> {
  try {
    const made = await takeOver(ctx, resource, id, inputs);
    journal.settle(identity);
    return made;
  } catch (error) {
    if (error instanceof InitializationError) journal.settle(identity);
    throw error;
  }
}

interface NewResource {
  readonly inputs: Values;
  readonly identity: CreateIdentity | undefined;
  readonly present: readonly Candidate[];
}

async function createNew(
  ctx: Context,
  journal: Journal,
  resource: AnyResource,
  { inputs, identity, present }: NewResource,
): Promise<Made> {
  const knownIds = present.map(({ id }) => id);
  const open = identity === undefined ? undefined : journal.begin(identity, knownIds);
  let created: Created<Values, Values>;
  try {
    created = await writeOnce(ctx, {
      send: () => resource.create(ctx, inputs),
      landed: () => findNew(ctx, resource, inputs, knownIds),
    });
  } catch (error) {
    // What may have happened all the same stays in the journal: the next run looks for it.
    if (!isAmbiguous(error)) open?.close();
    throw error;
  }
  open?.made(created.id);
  try {
    return await settleResource(ctx, resource, created.id, inputs, created);
  } finally {
    open?.close();
  }
}

/** After a create with an unclear outcome: the object that was not there before. */
async function findNew(
  ctx: Context,
  resource: AnyResource,
  inputs: Values,
  knownIds: readonly string[],
): Promise<Created<Values, Values> | undefined> {
  const candidates = (await resource.find?.(ctx, inputs)) ?? [];
  const fresh = candidates.filter(({ id }) => !knownIds.includes(id));
  if (fresh.length === 0) return undefined;
  const { id } = theOnlyOne(resource, fresh);
  const observed = await resource.read(ctx, { id, state: inputs });
  return { id, ...observed };
}

/** Makes an existing object the declared one: nothing that only a replacement could change may differ. */
async function takeOver(ctx: Context, resource: AnyResource, id: string, inputs: Values): Promise<Made> {
  const observed = await resource.read(ctx, { id, state: inputs });
  if (observed === undefined) {
    throw new InvalidInputError(
      "adopt",
      `There is no ${resource.type} with the identifier ${id} to take over.`,
    );
  }
  const changed = differing(resource, id, inputs, observed);
  const state: Values = { ...observed.outputs, ...observed.inputs };
  try {
    const updated =
      changed.size === 0 ? undefined : await resource.update?.(ctx, { id, state, inputs, changed });
    return await settleResource(ctx, resource, id, inputs, { ...observed, ...updated });
  } catch (error) {
    if (error instanceof InitializationError) throw error;
    throw new InitializationError(id, remember(resource, inputs, observed), error);
  }
}

function differing(
  resource: AnyResource,
  id: string,
  inputs: Values,
  observed: Observed<Values, Values>,
): Set<string> {
  const changed = new Set<string>();
  for (const [name, field, traits] of fieldsOf(resource.inputs)) {
    const declared = inputs[name];
    if (declared === undefined || traits.local === true || traits.createOnly === true) continue;
    const seen = observed.inputs[name];
    if (seen !== undefined && differences(field, seen, declared).length === 0) continue;
    if (traits.replaces === undefined) changed.add(name);
    else if (seen !== undefined && traits.writeOnly !== true) {
      const [was, is] = traits.secret === true ? ["another value", "the declared one"] : [seen, declared];
      throw new InvalidInputError(
        name,
        `The ${resource.type} ${id} cannot be taken over: its ${name} is ${JSON.stringify(was)}, declared is ` +
          `${JSON.stringify(is)}, and it cannot be changed in place. Declare what it has, or do not adopt it.`,
      );
    }
  }
  return changed;
}

/** Waits until the resource can be used; a failure keeps it in state as an initialization error. */
export async function settleResource(
  ctx: Context,
  resource: AnyResource,
  id: string,
  inputs: Values,
  seen: Partial<Observed<Values, Values>>,
): Promise<Made> {
  const soFar = remember(resource, inputs, seen);
  if (resource.settle === undefined) return { id, state: soFar };
  try {
    const observed = await resource.settle(ctx, { id, state: soFar, inputs });
    return { id, state: remember(resource, inputs, observed) };
  } catch (error) {
    throw new InitializationError(id, soFar, error);
  }
}

function identityOf(runtime: Runtime, resource: AnyResource, inputs: Values): CreateIdentity | undefined {
  const owner = inputs[OWNER];
  if (resource.find === undefined || typeof owner !== "string") return undefined;
  return { owner, type: resource.type, baseUrl: runtime.baseUrl() };
}

function theOnlyOne(resource: AnyResource, candidates: readonly Candidate[]): Candidate {
  const [only, ...others] = candidates;
  if (only !== undefined && others.length === 0) return only;
  throw new InvalidInputError(
    "adopt",
    `More than one ${resource.type} fits what is declared: ${list(candidates)}. Name the one to take over: \`adopt: "<identifier>"\`.`,
  );
}

function alreadyThere(resource: AnyResource, present: readonly Candidate[]): InvalidInputError {
  const [first] = present;
  const duplicate =
    resource.inputs.shape["allowDuplicateName"] === undefined
      ? ""
      : ", or set `allowDuplicateName: true` to make another one beside it";
  return new InvalidInputError(
    "adopt",
    `The ${resource.type} exists already: ${list(present)}. Nothing was created. To take it over, add ` +
      `\`adopt: "${first?.id ?? ""}"\` to the resource${duplicate}.`,
  );
}

function list(candidates: readonly Candidate[]): string {
  return candidates.map(({ id, label }) => `${id} (${label})`).join(", ");
}
