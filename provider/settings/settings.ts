import { z } from "zod";
import { onePerProject } from "../define/import-id";
import { computed, local } from "../define/markers";
import type { Context } from "../define/context";
import type { AnyResource, CheckFailure, CheckResult, ResourceDefinition } from "../define/resource";
import { everyResource, projectRef } from "../define/shared-inputs";
import { Configuration } from "./configuration";
import { repairLostUpdates } from "./lost-updates";
import {
  hasOriginal,
  isSet,
  NO_ORIGINALS,
  readOriginals,
  mergeOriginals,
  settingsBookkeeping,
  type SettingValues,
} from "./original-values";
import { pickObservedInputs, pickShownValues, omitDefaults, moveKnownExtras } from "./observed-settings";
import {
  openingProblems,
  settingFileProblems,
  settingsProblems,
  sharedSettingsProblems,
  unknownSettingProblems,
  unnamedSettingProblems,
} from "../define/problems";
import { formatCodeList } from "../define/format-code-list";
import { inputNameOf, isInGroup, collectSettingFields, valueAt } from "./setting-fields";
import type { AnySettings, SettingsDefinition } from "./settings-definition";
import { checkFiles, FILE_HASHES, insertFileTexts } from "./setting-files";
import type { SettingsMapping } from "./settings-mapping";
import { isDeclaredBy, planSettings, type SettingsPlan } from "./settings-plan";
import { writeSettings } from "./settings-write";
import { UNKNOWN } from "../define/unknown";

/** Settings newer than this version of the provider. */
const extraSettings = {
  extraSettings: z
    .record(z.string(), z.unknown())
    .describe(
      "Settings that this version of the provider does not know yet, by their names in the API. Values are sent unchanged.",
    )
    .optional(),
};

/** Where texts may come from files. */
const fileHashes = {
  [FILE_HASHES]: computed(
    z
      .record(z.string(), z.string())
      .describe("SHA-256 of each declared file, by the path of its property. Computed by the provider."),
  ).optional(),
};

type SettingsBookkeeping = z.output<z.ZodObject<typeof settingsBookkeeping>>;

type SettingsOutputs<R extends z.ZodRawShape> = { readonly [K in keyof R]?: z.output<R[K]> };

/** A configuration as it is, whatever is declared of it. */
export interface ReadableSettings {
  /** All settings that are set, except those of which the service shows a hash, and what stands beside them. */
  readAll(ctx: Context, ref: string): Promise<Readonly<Record<string, unknown>>>;
  /** A body of the API as a program declares it: what this version does not have is in `extraSettings`. */
  inputsOf(body: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

/** Whether a resource is a configuration. */
export function isReadableSettings(resource: AnyResource): resource is AnyResource & ReadableSettings {
  return "readAll" in resource && "inputsOf" in resource;
}

type SettingsInputs<S extends z.ZodRawShape, O extends z.ZodRawShape> = z.ZodObject<
  { projectRef: typeof projectRef } & S & O & typeof extraSettings & typeof everyResource,
  z.core.$strict
>;

/**
 * Makes a resource of a configuration: it reads, computes the part that is managed, writes, and restores what it
 * found when a setting, or the whole resource, is taken out of the program.
 */
export function defineSettings<
  S extends z.ZodRawShape,
  O extends z.ZodRawShape,
  B extends z.ZodObject,
  R extends z.ZodRawShape,
>(definition: SettingsDefinition<S, O, B, R>) {
  // Settings are handled by their names alone, so the exact types of their values are not needed below.
  const any = definition as unknown as AnySettings;
  const fields = collectSettingFields(any);
  const hasFiles = fields.files.size > 0;
  const inputs: SettingsInputs<S, O> = z.strictObject({
    projectRef,
    ...definition.settings,
    ...toLocalFields(definition.options),
    ...(hasFiles ? fileHashes : {}),
    ...(definition.isClosed === true ? {} : extraSettings),
    ...everyResource,
  }) as unknown as SettingsInputs<S, O>; // Zod does not spread the shapes of type parameters.
  const outputs = z.object(definition.outputs);
  const resource = toResource(new Configuration(any, fields), inputs, outputs, hasFiles);
  // It has the definition's own schemas, from which its types are inferred.
  return resource as unknown as ResourceDefinition<
    z.output<SettingsInputs<S, O>>,
    SettingsBookkeeping & SettingsOutputs<R>
  > &
    ReadableSettings & { inputs: SettingsInputs<S, O>; outputs: typeof outputs };
}

/** Options are never compared with what the service has. */
function toLocalFields(options: z.ZodRawShape): Record<string, z.ZodType> {
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
  const { type, description, timeouts, manages } = definition;
  const read: AnyResource["read"] = async (ctx, { id, state }) => {
    const { mapping } = configuration;
    const wire = await configuration.seen(ctx, id);
    const unknown = configuration.listUnsupported(wire);
    const reading = { ref: id, state, showsAll: definition.showsAll === true, unknown };
    const declared = unknown.filter((name) => mapping.isGiven(state, name));
    if (declared.length > 0) {
      const settings = formatCodeList(declared);
      ctx.warn(unknownSettingProblems.unknownSettingShown.message({ settings, type, ref: id }));
    }
    const unnamed = configuration.listUnnamed(wire).filter((name) => mapping.isGiven(state, name));
    if (unnamed.length > 0) {
      const settings = formatCodeList(unnamed);
      ctx.warn(unnamedSettingProblems.unnamedSettingShown.message({ settings, type, ref: id }));
    }
    const further = await definition.readOutputs?.(ctx, id, mapping.listDeclared(state));
    return {
      inputs: { ...pickObservedInputs(mapping, wire, reading), projectRef: id },
      outputs: { ...mapping.pickOutputs(wire), ...further, ...configuration.toOutputs(readOriginals(state)) },
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
      const { restoreRefused, cannotBeUnset, notRestored, lostSecret, ...always } = settingsProblems;
      return {
        ...always,
        ...(definition.leftBehind === undefined ? { restoreRefused } : {}),
        ...(definition.showsAll === true ? { notRestored } : {}),
        ...(configuration.hasPermanent ? { cannotBeUnset } : {}),
        ...(configuration.hasOriginalSecrets ? { lostSecret } : {}),
        ...(hasFiles ? settingFileProblems : {}),
        ...(definition.newer === undefined ? {} : unknownSettingProblems),
        ...(configuration.hasPlaceholders ? unnamedSettingProblems : {}),
        ...(definition.opens === undefined ? {} : openingProblems),
        ...(configuration.isWrittenWhole ? sharedSettingsProblems : {}),
        ...definition.problems,
      };
    },
    importId: {
      ...onePerProject("exactly"),
      alsoDeclares: Object.keys(definition.settings),
      ...(definition.newProject === undefined
        ? {}
        : { declares: (observed) => omitDefaults(configuration.mapping, observed, definition) }),
      ...(definition.consents === undefined
        ? {}
        : { consents: (observed) => definition.consents?.(observed) ?? {} }),
      ...(definition.leftOutOfImports === undefined ? {} : { leavesOut: definition.leftOutOfImports.says }),
    },
    unsetsRemovedInputs: true,
    diff: (state, left) => ({ staying: configuration.listLeftBehind(state, left) }),
    isRepeatable: true,
    uniqueBy: [],
    manages,
    ...(hasFiles ? { plan: { covers: [], labels: { [FILE_HASHES]: "files" } } } : {}),
    shares: (state) => configuration.mapping.pickShared(state),
    upgrade: (state) => moveKnownExtras(configuration.mapping, state),
    check: (given, isUnknown, before) => checkSettings(configuration, given, isUnknown, before),
    read,
    async readAll(ctx, ref) {
      const { mapping } = configuration;
      const wire = await configuration.seen(ctx, ref);
      return { ...pickShownValues(mapping, wire), ...mapping.pickOutputs(wire) };
    },
    inputsOf: (body) => configuration.mapping.inputsOf(body),
    async create(ctx, inputsGiven) {
      const { mapping } = configuration;
      const declared = insertFileTexts(mapping.files, inputsGiven);
      const id = String(declared["projectRef"]);
      const names = mapping.listDeclared(declared);
      const originals = await writeSettings(configuration, ctx, {
        ref: id,
        inputs: declared,
        plan: (current, now) =>
          planSettings(names, configuration.createPlanInput(now, { ref: id, declared, current, state: {} })),
      });
      return { id, outputs: configuration.toOutputs(originals) };
    },
    async settle(ctx, { id, state, inputs: declared }) {
      await definition.settle?.(ctx, id, declared);
      await configuration.waitUntilInForce(ctx, id);
      if (
        await repairLostUpdates(
          configuration,
          ctx,
          id,
          insertFileTexts(configuration.mapping.files, declared),
        )
      ) {
        await definition.settle?.(ctx, id, declared);
        await configuration.waitUntilInForce(ctx, id);
      }
      const observed = await read(ctx, { id, state: { ...state, ...declared } });
      await warnOfIgnored(configuration, ctx, id, declared);
      return observed ?? { inputs: {}, outputs: configuration.toOutputs(readOriginals(state)) };
    },
    async update(ctx, { id, state, inputs: inputsGiven, changed }) {
      const declared = insertFileTexts(configuration.mapping.files, inputsGiven);
      const names = listConcerned(configuration, ctx, { ref: id, state, declared, changed });
      const originals = await writeSettings(configuration, ctx, {
        ref: id,
        inputs: declared,
        plan: (current, now) =>
          planSettings(names, configuration.createPlanInput(now, { ref: id, declared, current, state })),
      });
      return { outputs: configuration.toOutputs(originals) };
    },
    async delete(ctx, { id, state }) {
      if (definition.leftBehind !== undefined) {
        ctx.warn(definition.leftBehind(id));
        return;
      }
      let unknown: readonly string[] = [];
      await writeSettings(configuration, ctx, {
        ref: id,
        inputs: state,
        isDelete: true,
        plan: (current) => {
          const { plan, neverShown } = planDelete(configuration, ctx, state, current);
          unknown = neverShown;
          return plan;
        },
      });
      if (unknown.length > 0) {
        ctx.warn(settingsProblems.notRestored.message({ settings: formatCodeList(unknown), type, ref: id }));
      }
      const options = Object.keys(definition.options).map((name) => [name, state[name]] as const);
      await definition.settle?.(ctx, id, Object.fromEntries(options));
    },
  };
}

/** What a service takes and does not do comes back as it was: without a word it would be drift for ever. */
async function warnOfIgnored(
  configuration: Configuration,
  ctx: Context,
  ref: string,
  declared: SettingValues,
): Promise<void> {
  const { definition, mapping } = configuration;
  // The look for lost updates warns of these.
  if (configuration.isWrittenWhole) return;
  const wanted = mapping.convertDeclared(insertFileTexts(mapping.files, declared));
  const shown = mapping.pickSettings(await configuration.seen(ctx, ref), declared);
  // What an answer leaves out is not known to be ignored.
  const ignored = mapping.listDiffering(ref, shown, wanted).filter((name) => shown[name] !== undefined);
  if (ignored.length === 0) return;
  const settings = formatCodeList([...new Set(ignored.map(inputNameOf))]);
  ctx.warn(settingsProblems.ignored.message({ settings, type: definition.type, ref }));
}

/** Rules that every configuration has, and the hashes of the files that it names. */
function checkSettings(
  { definition, mapping }: Configuration,
  inputs: SettingValues,
  isUnknown: (name: string) => boolean,
  before?: SettingValues,
): CheckResult<Record<string, unknown>> {
  const { emptiedBy = [] } = definition;
  const { failures, computed } = checkFiles(mapping.files, inputs);
  // While something beside a file is not known, neither is which files there are.
  const isOpen =
    isSet(before?.[FILE_HASHES]) && [...mapping.files.values()].some((file) => isUnknown(inputNameOf(file)));
  return {
    failures: [
      ...failures,
      ...emptiedBy.flatMap((name) => listBesideEmptied(mapping, inputs, name)),
      ...mapping.extra.listFailures(inputs["extraSettings"]),
      ...(definition.check?.(inputs, isUnknown, before) ?? []),
    ],
    computed: isOpen ? { [FILE_HASHES]: UNKNOWN } : computed,
  };
}

/** What is emptied cannot be set at the same time. */
function listBesideEmptied(mapping: SettingsMapping, inputs: SettingValues, name: string): CheckFailure[] {
  if (valueAt(inputs, name) !== "") return [];
  const group = name.slice(0, name.lastIndexOf(".") + 1);
  return mapping.names
    .filter((other) => other.startsWith(group) && other !== name && isSet(valueAt(inputs, other)))
    .map((path) => ({ path, reason: `remove it: an empty \`${name}\` empties it on the service` }));
}

/** The settings that an update concerns: what a run that died had begun to manage may be declared no longer. */
function listConcerned(
  { mapping }: Configuration,
  ctx: Context,
  update: {
    readonly ref: string;
    readonly state: SettingValues;
    readonly declared: SettingValues;
    readonly changed: ReadonlySet<string>;
  },
): string[] {
  const kept = mapping.upgradeOriginals(readOriginals(ctx.ledger.kept));
  const before = mapping.upgradeOriginals(mergeOriginals(ctx, update.state));
  const [was, is] = [mapping.convertDeclared(update.state), mapping.convertDeclared(update.declared)];
  const isAsBefore = (name: string): boolean =>
    hasOriginal(before, name) &&
    Object.hasOwn(is, name) &&
    mapping.isSame(update.ref, name, was[name], is[name]);
  const isReleased = (name: string): boolean =>
    isInGroup(name) && hasOriginal(before, name) && !Object.hasOwn(is, name);
  const names = new Set([...Object.keys(is), ...Object.keys(was), ...mapping.names]);
  return [...names].filter(
    (name) =>
      mapping.isConcerned(update.changed, name, isAsBefore) || hasOriginal(kept, name) || isReleased(name),
  );
}

/** Everything that no other resource declares gets its original value back, as far as that is known. */
function planDelete(
  configuration: Configuration,
  ctx: Context,
  state: SettingValues,
  current: SettingValues,
): { readonly plan: SettingsPlan; readonly neverShown: readonly string[] } {
  const { mapping } = configuration;
  const before = mapping.upgradeOriginals(mergeOriginals(ctx, state));
  const isOurs = (name: string): boolean => !isDeclaredBy(ctx.ledger.otherOwners, name);
  const originals = { ...before.values, ...Object.fromEntries(before.unset.map((name) => [name, null])) };
  const valueWhenReleased = configuration.planReleasedValues(state, current);
  const back = Object.entries(originals)
    .filter(([name]) => isOurs(name))
    .map(([name, original]) => [name, valueWhenReleased(name, original)] as const);
  const wanted = Object.fromEntries(back.filter(([, value]) => value !== undefined));
  const unknown = mapping.listDeclared(state).filter((name) => isOurs(name) && !hasOriginal(before, name));
  const staying = [...back.flatMap(([name, value]) => (value === undefined ? [name] : [])), ...unknown];
  const lost = before.lost.filter(isOurs);
  const plan = { wanted, originals: NO_ORIGINALS, before, lost, staying, released: Object.keys(wanted) };
  return { plan, neverShown: configuration.listNeverShown(ctx, state, current, before) };
}
