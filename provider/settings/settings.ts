import { z } from "zod";
import { onePerProject } from "../define/import-id";
import { computed, local } from "../define/markers";
import type { Context } from "../define/context";
import type { AnyResource, ResourceDefinition } from "../define/resource";
import { everyResource, projectRef } from "../define/shared-inputs";
import { checkSettings } from "./check-settings";
import { Configuration } from "./configuration";
import {
  foundBy,
  foundIn,
  isDeclaredBy,
  isFound,
  NOTHING_FOUND,
  planFor,
  settingsBookkeeping,
} from "./found-settings";
import { observedInputs, valuesShown, withoutDefaults, withOwnNames } from "./observed-settings";
import {
  openingProblems,
  settingFileProblems,
  settingsProblems,
  sharedSettingsProblems,
} from "../define/problems";
import { listed } from "../define/listed";
import { isInGroup, settingFields } from "./setting-fields";
import type { AnySettings, SettingsDefinition } from "./settings-definition";
import { FILE_HASHES, withTexts } from "./setting-files";

/** Settings newer than this version of the provider. */
const extraSettings = {
  extraSettings: z
    .record(z.string(), z.unknown())
    .describe(
      "Settings that this version of the provider does not have yet, by their names in the API. Values are sent unchanged.",
    )
    .optional(),
};

/** Where texts may come from files. */
const fileHashes = {
  [FILE_HASHES]: computed(
    z
      .record(z.string(), z.string())
      .describe("SHA-256 of each file that is declared, by the path of its property; computed."),
  ).optional(),
};

type Bookkeeping = z.output<z.ZodObject<typeof settingsBookkeeping>>;

type Shown<R extends z.ZodRawShape> = { readonly [K in keyof R]?: z.output<R[K]> };

/** A configuration as it is, whatever is declared of it. */
export interface ReadableSettings {
  /** All settings that are set, except those of which the service shows a hash, and what stands beside them. */
  readAll(ctx: Context, ref: string): Promise<Readonly<Record<string, unknown>>>;
}

type SettingsInputs<S extends z.ZodRawShape, O extends z.ZodRawShape> = z.ZodObject<
  { projectRef: typeof projectRef } & S & O & typeof extraSettings & typeof everyResource,
  z.core.$strict
>;

/**
 * Makes a resource of a configuration: it reads, computes the part that is managed, writes, and restores what it found
 * when a setting, or the whole resource, is taken out of the program.
 */
export function defineSettings<
  S extends z.ZodRawShape,
  O extends z.ZodRawShape,
  B extends z.ZodObject,
  R extends z.ZodRawShape,
>(definition: SettingsDefinition<S, O, B, R>) {
  // Settings are handled by their names alone, so the exact types of their values are not needed below.
  const any = definition as unknown as AnySettings;
  const fields = settingFields(any);
  const hasFiles = fields.files.size > 0;
  const inputs: SettingsInputs<S, O> = z.strictObject({
    projectRef,
    ...definition.settings,
    ...optionsOf(definition.options),
    ...(hasFiles ? fileHashes : {}),
    ...(definition.isClosed === true ? {} : extraSettings),
    ...everyResource,
  }) as unknown as SettingsInputs<S, O>; // Zod does not spread the shapes of type parameters.
  const outputs = z.object(definition.outputs);
  const resource = toResource(new Configuration(any, fields), inputs, outputs, hasFiles);
  // It has the definition's own schemas, from which its types are inferred.
  return resource as unknown as ResourceDefinition<z.output<SettingsInputs<S, O>>, Bookkeeping & Shown<R>> &
    ReadableSettings & { inputs: SettingsInputs<S, O>; outputs: typeof outputs };
}

/** Options are never compared with what the service has. */
function optionsOf(options: z.ZodRawShape): Record<string, z.ZodType> {
  // Zod types fields by its core interface; every schema here is made by the classic API.
  return Object.fromEntries(
    Object.entries(options).map(([name, field]) => [name, local(field as z.ZodType)]),
  );
}

function toResource(
  configuration: Configuration,
  inputs: z.ZodObject,
  outputs: z.ZodObject,
  hasFiles: boolean,
): AnyResource & ReadableSettings {
  const { definition } = configuration;
  const { type, description, timeouts, conditionalCalls, manages } = definition;
  const read: AnyResource["read"] = async (ctx, { id, state }) => {
    const { form } = configuration;
    const wire = await configuration.seen(ctx, id);
    const reading = { ref: id, state, showsAll: definition.showsAll === true };
    const further = await definition.readOutputs?.(ctx, id, form.declaredNames(state));
    return {
      inputs: { ...observedInputs(form, wire, reading), projectRef: id },
      outputs: { ...form.outputsIn(wire), ...further, ...configuration.toOutputs(foundIn(state)) },
    };
  };
  return {
    type,
    description,
    inputs,
    outputs,
    ...(definition.leftBehind === undefined ? { bookkeeping: z.object(settingsBookkeeping) } : {}),
    timeouts,
    get problems() {
      const { cannotBeUnset, notRestored, lostSecret, ...always } = settingsProblems;
      return {
        ...always,
        ...(definition.showsAll === true ? { notRestored } : {}),
        ...(configuration.hasLasting ? { cannotBeUnset } : {}),
        ...(configuration.hasFoundSecrets ? { lostSecret } : {}),
        ...(hasFiles ? settingFileProblems : {}),
        ...(definition.opens === undefined ? {} : openingProblems),
        ...(configuration.isWrittenWhole ? sharedSettingsProblems : {}),
        ...definition.problems,
      };
    },
    conditionalCalls,
    importId: {
      ...onePerProject("exactly"),
      takesOver: Object.keys(definition.settings),
      ...(definition.newProject === undefined
        ? {}
        : { declares: (observed) => withoutDefaults(configuration.form, observed, definition) }),
      ...(definition.leftOutOfImports === undefined ? {} : { leavesOut: definition.leftOutOfImports.says }),
    },
    unsetsRemovedInputs: true,
    staysBehind: (state, left) => configuration.staysBehind(state, left),
    isRepeatable: true,
    uniqueBy: [],
    manages,
    shares: (state) => configuration.form.shared(state),
    upgrade: (state) => withOwnNames(configuration.form, state),
    check: (given, isUnknown, before) =>
      checkSettings(definition, configuration.form, given, isUnknown, before),
    read,
    async readAll(ctx, ref) {
      const { form } = configuration;
      const wire = await configuration.seen(ctx, ref);
      return { ...valuesShown(form, wire), ...form.outputsIn(wire) };
    },
    async create(ctx, inputsGiven) {
      const { form } = configuration;
      const declared = withTexts(form.files, inputsGiven);
      const id = String(declared["projectRef"]);
      const found = await configuration.apply(ctx, id, declared, (current, now) =>
        planFor(form.declaredNames(declared), configuration.planning(now, id, declared, current, {})),
      );
      return { id, outputs: configuration.toOutputs(found) };
    },
    async settle(ctx, { id, state, inputs: declared }) {
      await definition.settle?.(ctx, id, declared);
      await configuration.waitUntilInForce(ctx, id);
      if (await configuration.keepWritten(ctx, id, withTexts(configuration.form.files, declared))) {
        await definition.settle?.(ctx, id, declared);
        await configuration.waitUntilInForce(ctx, id);
      }
      const observed = await read(ctx, { id, state: { ...state, ...declared } });
      return observed ?? { inputs: {}, outputs: configuration.toOutputs(foundIn(state)) };
    },
    async update(ctx, { id, state, inputs: inputsGiven, changed }) {
      const { form } = configuration;
      const declared = withTexts(form.files, inputsGiven);
      const kept = form.inThisVersion(foundIn(ctx.kept));
      const before = form.inThisVersion(foundBy(ctx, state));
      const [was, is] = [form.declared(state), form.declared(declared)];
      const isAsBefore = (name: string): boolean =>
        isFound(before, name) && Object.hasOwn(is, name) && form.isSame(id, name, was[name], is[name]);
      const isLeft = (name: string): boolean =>
        isInGroup(name) && isFound(before, name) && !Object.hasOwn(is, name);
      // What a run that died had begun to manage may be declared no longer.
      const names = [...Object.keys(is), ...Object.keys(was), ...form.names].filter(
        (name) => form.isConcerned(changed, name, isAsBefore) || isFound(kept, name) || isLeft(name),
      );
      const found = await configuration.apply(ctx, id, declared, (current, now) =>
        planFor([...new Set(names)], configuration.planning(now, id, declared, current, state)),
      );
      return { outputs: configuration.toOutputs(found) };
    },
    async delete(ctx, { id, state }) {
      if (definition.leftBehind !== undefined) {
        ctx.warn(definition.leftBehind(id));
        return;
      }
      const { form } = configuration;
      const before = form.inThisVersion(foundBy(ctx, state));
      const { values, unset } = before;
      const found = { ...values, ...Object.fromEntries(unset.map((name) => [name, null])) };
      const isOurs = (name: string): boolean => !isDeclaredBy(ctx.others, name);
      const ours = Object.entries(found).filter(([name]) => isOurs(name));
      const lost = before.lost.filter(isOurs);
      let unknown: readonly string[] = [];
      await configuration.apply(ctx, id, state, (current) => {
        unknown = configuration.neverShown(ctx, state, current, before);
        const comesBack = configuration.comingBack(state, current);
        const back = ours.map(([name, value]) => [name, comesBack(name, value)] as const);
        const wanted = Object.fromEntries(back.filter(([, value]) => value !== undefined));
        const never = form.declaredNames(state).filter((name) => isOurs(name) && !isFound(before, name));
        const staying = [...back.flatMap(([name, value]) => (value === undefined ? [name] : [])), ...never];
        const released = Object.keys(wanted);
        return { wanted, found: NOTHING_FOUND, before, lost, staying, released };
      });
      if (unknown.length > 0) {
        ctx.warn(settingsProblems.notRestored.message({ settings: listed(unknown), type, ref: id }));
      }
      const options = Object.keys(definition.options).map((name) => [name, state[name]] as const);
      await definition.settle?.(ctx, id, Object.fromEntries(options));
    },
  };
}
