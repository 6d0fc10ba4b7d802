import { z } from "zod";
import type { Context } from "../define/context";
import { local } from "../define/markers";
import type { AnyResource, DefaultTimeouts, ResourceDefinition } from "../define/resource";
import { everyResource, projectRef } from "../define/shared-inputs";
import {
  foundBy,
  foundIn,
  fromOlderState,
  isDeclaredBy,
  isFound,
  NOTHING_FOUND,
  planFor,
  settingsBookkeeping,
  type Found,
  type Plan,
  type SettingValues,
} from "./found-settings";
import { whenReady, type HealthService } from "./project-health";
import { SettingsForm, type WireValues } from "./settings-form";
import type { WireNameExceptions } from "./wire-names";
import { writeOnce } from "./write-once";

/** Settings newer than this version of the provider. */
const extraSettings = {
  extraSettings: z
    .record(z.string(), z.unknown())
    .describe(
      "Settings that this version of the provider does not have yet, by the names that the API gives them. Their values are sent as they are.",
    )
    .optional(),
};

type SettingsInputs<S extends z.ZodRawShape, O extends z.ZodRawShape> = z.ZodObject<
  { projectRef: typeof projectRef } & S & O & typeof extraSettings & typeof everyResource,
  z.core.$strict
>;

/** A configuration that every project has, of which a program manages the settings it declares. */
export interface SettingsDefinition<S extends z.ZodRawShape, O extends z.ZodRawShape, B extends z.ZodObject> {
  readonly type: string;
  readonly description: string;
  /** The inputs that are settings, all of them optional. */
  readonly settings: S;
  /** Further inputs, which are never compared with what the service has. */
  readonly options?: O;
  /** Names on the wire that do not follow from the setting's. */
  readonly wireNames: WireNameExceptions<S, z.input<B>>;
  /** What the API takes: a setting that is not in it is newer than this version, and kept. */
  readonly body: B;
  readonly timeouts: DefaultTimeouts;
  /**
   * What a write means: `replace` sends the whole set, so that what others set is sent along; `merge` sends only what
   * differs, null where a setting is to be unset.
   */
  readonly mode: "replace" | "merge";
  /** What must be healthy before the service takes a write. */
  readonly services: readonly HealthService[];
  get(ctx: Context, ref: string): Promise<object>;
  /** Writes and returns what is set then, where the service answers it. */
  put(
    ctx: Context,
    ref: string,
    body: z.input<B>,
    options: Partial<z.output<z.ZodObject<O>>>,
  ): Promise<object | undefined>;
  /** Waits until what was written is in force. */
  settle?(ctx: Context, ref: string, options: Partial<z.output<z.ZodObject<O>>>): Promise<void>;
}

/**
 * Makes a resource of a configuration: it reads, computes the part that is managed, writes, and restores what it found
 * when a setting, or the whole resource, is taken out of the program.
 */
export function defineSettings<
  S extends z.ZodRawShape,
  B extends z.ZodObject,
  O extends z.ZodRawShape = Record<never, never>,
>(definition: SettingsDefinition<S, O, B>) {
  const inputs: SettingsInputs<S, O> = z.strictObject({
    projectRef,
    ...definition.settings,
    ...optionsOf(definition.options),
    ...extraSettings,
    ...everyResource,
  }) as unknown as SettingsInputs<S, O>; // Zod does not spread the shapes of type parameters.
  const outputs = z.object({});
  // Settings are handled by their names alone, so the exact types of their values are not needed below.
  const configuration = new Configuration(definition as unknown as AnySettings);
  const resource = toResource(configuration, inputs as unknown as z.ZodObject, outputs);
  // It has the definition's own schemas, from which its types are inferred.
  return resource as unknown as ResourceDefinition<z.output<SettingsInputs<S, O>>, Record<never, never>> & {
    inputs: SettingsInputs<S, O>;
    outputs: typeof outputs;
  };
}

function optionsOf<O extends z.ZodRawShape>(options: O | undefined): Record<string, z.ZodType> {
  // Every schema here is made by the classic API.
  const fields = Object.entries(options ?? {}) as [string, z.ZodType][];
  return Object.fromEntries(fields.map(([name, field]) => [name, local(field)]));
}

type AnySettings = SettingsDefinition<Record<string, z.ZodType>, Record<string, z.ZodType>, z.ZodObject>;

function toResource(configuration: Configuration, inputs: z.ZodObject, outputs: z.ZodObject): AnyResource {
  const { definition, form } = configuration;
  const { type, description, timeouts } = definition;
  const read: AnyResource["read"] = async (ctx, { id, state }) => {
    const wire = await ctx.shared.list(configuration.listKey(id), () => configuration.get(ctx, id));
    return {
      inputs: { ...form.observed(wire, state, id), projectRef: id },
      outputs: form.toOutputs(foundIn(state)),
    };
  };
  return {
    type,
    description,
    inputs,
    outputs,
    bookkeeping: z.object(settingsBookkeeping),
    timeouts,
    importId: {
      format: "<projectRef>",
      takesOver: form.names,
      parse: (id) => (id === "" || id.includes("/") ? undefined : { id, inputs: { projectRef: id } }),
    },
    releasesRemovedInputs: true,
    isRepeatable: true,
    uniqueBy: [],
    shares: (state) => form.shared(state),
    upgrade: fromOlderState,
    check: ({ extraSettings: extra }) => ({ failures: form.extraFailures(extra) }),
    read,
    async create(ctx, declared) {
      const id = String(declared["projectRef"]);
      const found = await configuration.apply(ctx, id, declared, (current) =>
        planFor(form.declaredNames(declared), configuration.planning(ctx, id, declared, current, {})),
      );
      return { id, outputs: form.toOutputs(found) };
    },
    async settle(ctx, { id, state, inputs: declared }) {
      await definition.settle?.(ctx, id, declared);
      const observed = await read(ctx, { id, state });
      return observed ?? { inputs: {}, outputs: form.toOutputs(foundIn(state)) };
    },
    async update(ctx, { id, state, inputs: declared, changed }) {
      const kept = form.inThisVersion(foundIn(ctx.kept));
      // What a run that died had begun to manage may be declared no longer.
      const names = [...form.declaredNames(declared), ...form.declaredNames(state), ...form.names].filter(
        (name) => form.isAmong(changed, name) || isFound(kept, name),
      );
      const found = await configuration.apply(ctx, id, declared, (current) =>
        planFor([...new Set(names)], configuration.planning(ctx, id, declared, current, state)),
      );
      return { outputs: form.toOutputs(found) };
    },
    async delete(ctx, { id, state }) {
      const { values, unset } = form.inThisVersion(foundBy(ctx, state));
      const found = { ...values, ...Object.fromEntries(unset.map((name) => [name, null])) };
      const wanted = Object.fromEntries(
        Object.entries(found).filter(([name]) => !isDeclaredBy(ctx.others, name)),
      );
      await configuration.apply(ctx, id, state, () => ({ wanted, found: NOTHING_FOUND }));
      await definition.settle?.(ctx, id, state);
    },
  };
}

/** One kind of configuration: how it is read and written. */
class Configuration {
  readonly form: SettingsForm;

  constructor(readonly definition: AnySettings) {
    this.form = new SettingsForm(definition);
    const { type, mode } = definition;
    const hidden = this.form.names.find((name) => this.form.shows(name) !== "value");
    if (mode === "replace" && hidden !== undefined) {
      throw new Error(`${type} cannot be replaced as a whole: the service does not show ${hidden}.`);
    }
  }

  listKey(ref: string): string {
    return `${this.definition.type}:${ref}`;
  }

  async get(ctx: Context, ref: string): Promise<WireValues> {
    return { ...(await this.definition.get(ctx, ref)) };
  }

  planning(ctx: Context, ref: string, declared: SettingValues, current: SettingValues, state: SettingValues) {
    return {
      declared: this.form.declared(declared, current),
      before: this.form.inThisVersion(foundBy(ctx, state)),
      current,
      others: ctx.others,
      isSame: this.form.isSameFor(ref),
      shows: (name: string) => this.form.shows(name),
    };
  }

  /** Reads, plans and writes as one step that no other resource of this process can come between. */
  async apply(
    ctx: Context,
    ref: string,
    options: SettingValues,
    plan: (current: SettingValues) => Plan,
  ): Promise<Found> {
    const { definition, form } = this;
    const work = async (): Promise<Found> => {
      const wire = await this.get(ctx, ref);
      const current = form.settingsIn(wire);
      const { wanted, found } = plan(current);
      const unshown = Object.keys(wanted).filter((name) => form.shows(name) === "nothing");
      const differing = [...form.differing(ref, current, wanted), ...unshown];
      // Once written, what was there before can be found nowhere else.
      if (differing.length > 0 && found !== NOTHING_FOUND) ctx.keep(ref, form.withoutSecrets(found));
      const values =
        definition.mode === "replace"
          ? { ...current, ...wanted }
          : Object.fromEntries(differing.map((name) => [name, wanted[name]]));
      const after = differing.length === 0 ? wire : await this.write(ctx, ref, values, wanted, options);
      this.remember(ctx, ref, after, wanted);
      return found;
    };
    return ctx.shared.exclusively(this.listKey(ref), () => whenReady(ctx, ref, definition.services, work));
  }

  private async write(
    ctx: Context,
    ref: string,
    values: SettingValues,
    wanted: SettingValues,
    options: SettingValues,
  ): Promise<WireValues | undefined> {
    const { definition, form } = this;
    const body = form.body(values, definition.mode);
    try {
      return await writeOnce(ctx, {
        send: async () => {
          const answer = await definition.put(ctx, ref, body, options);
          return answer === undefined ? undefined : { ...answer };
        },
        landed: async () => {
          const now = await this.get(ctx, ref);
          return form.differing(ref, form.settingsIn(now), wanted).length === 0 ? now : undefined;
        },
      });
    } finally {
      ctx.shared.forget(this.listKey(ref));
    }
  }

  /** What was just read or answered serves the next read, when it shows what was asked for. */
  private remember(ctx: Context, ref: string, seen: WireValues | undefined, wanted: SettingValues): void {
    const key = this.listKey(ref);
    ctx.shared.forget(key);
    if (seen === undefined || this.form.differing(ref, this.form.settingsIn(seen), wanted).length > 0) return;
    void ctx.shared.list(key, () => Promise.resolve(seen));
  }
}
