import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Problems } from "../client/errors/problem";
import type { Context } from "../define/context";
import { notImportable } from "../define/import-id";
import { createOnly, local, replaces, stable } from "../define/markers";
import type {
  ObservedResource,
  ResourceDefinition,
  ShownOutputs,
  ExistingResource,
} from "../define/resource";
import { everyResource } from "../define/shared-inputs";
import { actionProblems } from "../define/problems";
import { isOwnerGone } from "../lookup/owner";

/** Inputs that every action takes. */
export const everyAction = {
  triggers: replaces(
    z
      .union([z.array(z.unknown()), z.record(z.string(), z.unknown())])
      .describe("Any values, as a list or a map. A change runs the action again."),
  ).optional(),
  timeouts: everyResource.timeouts,
  adoptId: createOnly(
    z
      .string()
      .min(1)
      .describe(
        "Records the action as done under this identifier without running it. Use it if the record of the action was lost.",
      ),
  ).optional(),
};

/** The consent that an action asks for which destroys something: the reference of what it destroys, once more. */
export const confirmation = (what: string) =>
  local(z.string().describe(`Consent to ${what}: repeat that reference.`));

/** When an action was done. */
export const ranAt = stable(
  z.string().describe("Time of the action, ISO 8601. Absent if `adoptId` was used."),
).optional();

/** The output of what was done now. */
export function createRunOutput({ clock }: Context): { ranAt: string } {
  return { ranAt: new Date(clock.now()).toISOString() };
}

/** The result of an action that the service keeps no record of: its id is made up. */
export function createDoneState<O>(ctx: Context, outputs: O): { id: string; outputs: O & { ranAt: string } } {
  return { id: randomUUID(), outputs: { ...outputs, ...createRunOutput(ctx) } };
}

type OwnProperties =
  | "type"
  | "description"
  | "timeouts"
  | "problems"
  | "uniqueBy"
  | "isRepeatable"
  | "adoption"
  | "deletesFirst"
  | "bookkeeping";
type OwnSteps = "find" | "settle" | "check";

/** What is done once, and again when an input that says what is done changes, or `triggers` do. */
export interface ActionDefinition<I, O> extends Pick<ResourceDefinition<I, O>, OwnProperties | OwnSteps> {
  /** The input that names the project or branch that it changes: once that is deleted, so is the action. */
  readonly target: keyof I & string;
  /** Destroys something of the target: the input `confirm` has to name that once more. */
  readonly needsConfirmation?: true;
  /** Starts it, and returns once the service has accepted it; `settle` follows it to its end. */
  readonly run: ResourceDefinition<I, O>["create"];
  /** What the service shows of what `adoptId` names; undefined where it shows nothing. Without it, any identifier is recorded. */
  readonly seen?: (ctx: Context, target: ExistingResource<I, O>) => Promise<ShownOutputs<O> | undefined>;
  /** How it is undone, by a delete or out-of-band; absent where a delete leaves what was done. */
  readonly undoing?: {
    /** What a delete does, as a sentence. */
    readonly says: string;
    undo(ctx: Context, target: ExistingResource<I, O>): Promise<void>;
    /** Whether something else has undone it, as a restore does: the next update does it again. */
    isUndone(ctx: Context, target: ExistingResource<I, O>): Promise<boolean>;
  };
}

/** Makes a resource of an action: its inputs replace it, a read remembers, a delete leaves what was done. */
export function defineAction<IS extends z.ZodObject, OS extends z.ZodObject>(
  definition: ActionDefinition<z.output<IS>, z.output<OS>> & { inputs: IS; outputs: OS },
): ResourceDefinition<z.output<IS>, z.output<OS>> & { inputs: IS; outputs: OS } {
  type Inputs = z.output<IS>;
  type Outputs = z.output<OS>;
  const { target, needsConfirmation, run, undoing, problems, description, seen, ...others } = definition;
  const { check } = others;
  const onRename =
    needsConfirmation === true ? "It also runs again when it is renamed or moved without `aliases`. " : "";
  const onDelete = undoing?.says ?? "Deleting the resource undoes nothing.";
  const allProblems: Problems =
    needsConfirmation === true ? { ...problems, ...actionProblems } : { ...problems };
  return {
    ...others,
    description: `${description} This is an action: it runs once, and again when an input changes. ${onRename}${onDelete}`,
    isAction: true,
    ...(undoing === undefined && { deleteLeavesObject: true }),
    problems: allProblems,
    importId: notImportable("the service does not list past actions."),
    adoption:
      others.adoption ??
      'There is nothing to adopt. `adoptId: "<identifier>"` records the action as done under that identifier without running it. It applies only on creation.',
    create: run,

    ...(needsConfirmation === true && {
      check(inputs, isUnknown, before) {
        const own = check?.(inputs, isUnknown, before);
        const { [target]: ref, confirm }: Readonly<Record<string, unknown>> = inputs;
        const isOpen = typeof ref !== "string" || typeof confirm !== "string" || ref === confirm;
        if (isOpen) return { ...own };
        const reason = actionProblems.notConfirmed.message({ ref, confirm, target });
        return { ...own, failures: [...(own?.failures ?? []), { path: "confirm", reason }] };
      },
    }),

    // What was done stays done, unless the project or branch is gone.
    async read(ctx, { id, state }): Promise<ObservedResource<Inputs, Outputs> | undefined> {
      const remembered: Readonly<Record<string, unknown>> = state;
      const ref = remembered[target];
      if (typeof ref === "string" && (await isOwnerGone(ctx, ref))) return undefined;
      if ((await undoing?.isUndone(ctx, { id, state })) === true) return undefined;
      const { outputs, bookkeeping } = definition;
      const names = Object.keys({ ...outputs.shape, ...bookkeeping?.shape });
      const known = Object.fromEntries(names.map((name) => [name, remembered[name]]));
      if (seen !== undefined && names.every((name) => known[name] === undefined)) {
        const outputs = await seen(ctx, { id, state });
        return outputs && { inputs: {}, outputs };
      }
      // The names are those of the definition's own schemas.
      return { inputs: {}, outputs: known as ShownOutputs<Outputs> };
    },

    delete: async (ctx, gone) => undoing?.undo(ctx, gone),
  };
}
