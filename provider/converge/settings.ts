import { z } from "zod";
import type { Problems } from "../client/problem";
import type { ConditionalCall } from "../define/conditional-call";
import { differences } from "../define/compare";
import { whenReady, type HealthService } from "./project-health";
import { secretNames } from "../define/secret-fields";
import { writeOnce } from "./write-once";
import type { Context } from "../define/context";
import {
  foundBy,
  foundIn,
  isDeclaredBy,
  isFound,
  isSet,
  NOTHING_FOUND,
  planFor,
  settingsOutputs,
  toOutputs,
  type Found,
  type Plan,
  type SettingValues,
} from "./found-settings";
import type { AnyResource, DefaultTimeouts, ResourceDefinition } from "../define/resource";

/** A configuration that every project has, of which a program manages the settings it declares. */
export interface SettingsDefinition<IS extends z.ZodObject, OS extends z.ZodObject> {
  readonly type: string;
  readonly description: string;
  readonly inputs: IS;
  readonly outputs: OS;
  readonly timeouts: DefaultTimeouts;
  readonly problems?: Problems | undefined;
  readonly conditionalCalls?: readonly ConditionalCall[] | undefined;
  /** Names the configuration among the shared calls. */
  readonly key: string;
  /** The inputs that are settings; the others are options. */
  readonly settings: readonly (keyof z.output<IS> & string)[];
  /**
   * What a write means: `replace` sends the whole set, so that what others set is sent along; `merge` sends only what
   * differs, null where a setting is to be unset.
   */
  readonly mode: "replace" | "merge";
  /** What must be healthy before the service takes a write. */
  readonly services: readonly HealthService[];
  get(ctx: Context, ref: string): Promise<SettingValues>;
  /** Writes and returns what is set then, where the service answers it. */
  put(
    ctx: Context,
    ref: string,
    values: SettingValues,
    options: Partial<z.output<IS>>,
  ): Promise<SettingValues | undefined>;
  /** Waits until what was written is in force. */
  settle?(ctx: Context, ref: string, options: Partial<z.output<IS>>): Promise<void>;
}

/**
 * Makes a resource of a configuration: it reads, computes the part that is managed, writes, and restores what it found
 * when a setting, or the whole resource, is taken out of the program.
 */
export function defineSettings<IS extends z.ZodObject, OS extends z.ZodObject>(
  definition: SettingsDefinition<IS, OS>,
): ResourceDefinition<z.output<IS>, z.output<OS>> & { inputs: IS; outputs: OS } {
  // Settings are handled by their names alone, so the exact types of their values are not needed below.
  const settings = definition as unknown as AnySettings;
  // It has the definition's own schemas, from which its types are inferred.
  return toResource(settings) as unknown as ResourceDefinition<z.output<IS>, z.output<OS>> & {
    inputs: IS;
    outputs: OS;
  };
}

type AnySettings = SettingsDefinition<z.ZodObject, z.ZodObject>;

function toResource(definition: AnySettings): AnyResource {
  const { type, description, inputs, outputs, timeouts, problems, conditionalCalls, settings } = definition;
  const read: AnyResource["read"] = async (ctx, { id, state }) => {
    const current = await ctx.shared.list(listKey(definition, id), () => definition.get(ctx, id));
    const seen = Object.fromEntries(settings.map((name) => [name, current[name] ?? null]));
    return { inputs: { ...seen, projectRef: id }, outputs: toOutputs(foundIn(state)) };
  };
  const secrets = new Set(secretNames(inputs));
  const isSame = (name: string, one: unknown, other: unknown): boolean =>
    differingNames(definition, { [name]: one }, { [name]: other }).length === 0;
  const isSecret = (name: string): boolean => secrets.has(name);
  return {
    type,
    description,
    inputs,
    outputs,
    timeouts,
    problems,
    conditionalCalls,
    importId: {
      format: "<projectRef>",
      takesOver: settings,
      parse: (id) => (id === "" || id.includes("/") ? undefined : { id, inputs: { projectRef: id } }),
    },
    releasesRemovedInputs: true,
    isRepeatable: true,
    uniqueBy: [],
    tells: [...settings, ...Object.keys(settingsOutputs)],
    read,
    async create(ctx, declared) {
      const id = String(declared["projectRef"]);
      const names = settings.filter((name) => isSet(declared[name]));
      const found = await apply(ctx, definition, id, declared, (current) =>
        planFor(names, { declared, before: foundBy(ctx, {}), current, others: ctx.others, isSame, isSecret }),
      );
      return { id, outputs: toOutputs(found) };
    },
    async settle(ctx, { id, state, inputs: declared }) {
      await definition.settle?.(ctx, id, declared);
      const observed = await read(ctx, { id, state });
      return observed ?? { inputs: {}, outputs: toOutputs(foundIn(state)) };
    },
    async update(ctx, { id, state, inputs: declared, changed }) {
      const before = foundBy(ctx, state);
      // What a run that died had begun to manage may be declared no longer.
      const names = settings.filter((name) => changed.has(name) || isFound(foundIn(ctx.kept), name));
      const found = await apply(ctx, definition, id, declared, (current) =>
        planFor(names, { declared, before, current, others: ctx.others, isSame, isSecret }),
      );
      return { outputs: toOutputs(found) };
    },
    async delete(ctx, { id, state }) {
      const { values, unset } = foundBy(ctx, state);
      const found = { ...values, ...Object.fromEntries(unset.map((name) => [name, null])) };
      const wanted = Object.fromEntries(
        Object.entries(found).filter(([name]) => !isDeclaredBy(ctx.others, name)),
      );
      await apply(ctx, definition, id, state, () => ({ wanted, found: NOTHING_FOUND }));
      await definition.settle?.(ctx, id, state);
    },
  };
}

/** Reads, plans and writes as one step that no other resource of this process can come between. */
async function apply(
  ctx: Context,
  definition: AnySettings,
  ref: string,
  options: SettingValues,
  plan: (current: SettingValues) => Plan,
): Promise<Found> {
  const work = async (): Promise<Found> => {
    const current = await definition.get(ctx, ref);
    const { wanted, found } = plan(current);
    const differing = differingNames(definition, current, wanted);
    // Once written, what was there before can be found nowhere else.
    if (differing.length > 0 && found !== NOTHING_FOUND) ctx.keep(ref, toOutputs(found));
    const values = definition.mode === "replace" ? { ...current, ...wanted } : pick(wanted, differing);
    const after =
      differing.length === 0 ? current : await write(ctx, definition, ref, values, wanted, options);
    remember(ctx, definition, ref, after, wanted);
    return found;
  };
  return ctx.shared.exclusively(listKey(definition, ref), () =>
    whenReady(ctx, ref, definition.services, work),
  );
}

async function write(
  ctx: Context,
  definition: AnySettings,
  ref: string,
  values: SettingValues,
  wanted: SettingValues,
  options: SettingValues,
): Promise<SettingValues | undefined> {
  try {
    return await writeOnce(ctx, {
      send: async () => definition.put(ctx, ref, values, options),
      landed: async () => {
        const now = await definition.get(ctx, ref);
        return differingNames(definition, now, wanted).length === 0 ? now : undefined;
      },
    });
  } finally {
    ctx.shared.forget(listKey(definition, ref));
  }
}

/** What was just read or answered serves the next read, when it shows what was asked for. */
function remember(
  ctx: Context,
  definition: AnySettings,
  ref: string,
  seen: SettingValues | undefined,
  wanted: SettingValues,
): void {
  const key = listKey(definition, ref);
  ctx.shared.forget(key);
  if (seen === undefined || differingNames(definition, seen, wanted).length > 0) return;
  void ctx.shared.list(key, () => Promise.resolve(seen));
}

function differingNames(definition: AnySettings, current: SettingValues, wanted: SettingValues): string[] {
  return Object.keys(wanted).filter((name) => {
    // A name that state remembers may be of an older version; it has no spelling rules then.
    const field = (definition.inputs.shape[name] ?? z.unknown()) as z.ZodType;
    return differences(field, current[name], wanted[name]).length > 0;
  });
}

function listKey(definition: AnySettings, ref: string): string {
  return `${definition.key}:${ref}`;
}

function pick(values: SettingValues, names: readonly string[]): SettingValues {
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}
