import { z } from "zod";
import { onePerProject } from "../define/import-id";
import { computed, local } from "../define/markers";
import type { Problems } from "../client/errors/problem";
import type { Context } from "../define/context";
import type { AnyResource, ResourceDefinition } from "../define/resource";
import { everyResource, projectRef } from "../define/shared-inputs";
import { checkSettings } from "./check-settings";
import { settingsBookkeeping } from "./mapping/original-values";
import { pickShownValues, omitDefaults, moveKnownExtras } from "./mapping/observed-settings";
import {
  omittedSettingProblems,
  openingProblems,
  settingFileProblems,
  settingsProblems,
  sharedSettingsProblems,
  unknownSettingProblems,
  unnamedSettingProblems,
} from "../define/problems";
import type { AnySettings, SettingsDefinition } from "./settings-definition";
import { FILE_HASHES } from "./mapping/setting-files";
import { SettingsMapping } from "./mapping/settings-mapping";
import type { PlanAdjustment } from "./plan/settings-plan";
import {
  composeParts,
  createSettings,
  deleteSettings,
  readSettings,
  refreshSettings,
  settleSettings,
  updateSettings,
  type ComposedSettings,
} from "./settings-steps";

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

/** A configuration as a resource, which a definition may extend. */
type SettingsResource<I, O> = ResourceDefinition<I, O> &
  Required<Pick<ResourceDefinition<I, O>, "settle">> &
  ReadableSettings;

type SettingsInputs<S extends z.ZodRawShape, O extends z.ZodRawShape> = z.ZodObject<
  { projectRef: typeof projectRef } & S & O & typeof extraSettings & typeof everyResource,
  z.core.$strict
>;

/** The parts that a configuration may have of its own in place of the usual ones. Neither uses the network. */
export interface SettingsParts {
  readonly Mapping?: typeof SettingsMapping;
  readonly adjustPlan?: PlanAdjustment;
}

/**
 * Makes a resource of a configuration of three parts. The mapping takes settings from a program's form into the API's and
 * back. The plan says what a step brings about, restores, refuses and leaves, of what is declared, remembered and there. The
 * write reads, sends that, waits, and looks once more where another program may have taken it back.
 */
export function defineSettings<
  S extends z.ZodRawShape,
  O extends z.ZodRawShape,
  B extends z.ZodObject,
  R extends z.ZodRawShape,
>(definition: SettingsDefinition<S, O, B, R>, parts: SettingsParts = {}) {
  // Settings are handled by their names alone, so the exact types of their values are not needed below.
  const any = definition as unknown as AnySettings;
  const mapping = new (parts.Mapping ?? SettingsMapping)(any);
  const inputs: SettingsInputs<S, O> = z.strictObject({
    projectRef,
    ...definition.settings,
    ...toLocalFields(definition.options),
    ...(mapping.files.size > 0 ? fileHashes : {}),
    ...(definition.isClosed === true ? {} : extraSettings),
    ...everyResource,
  }) as unknown as SettingsInputs<S, O>; // Zod does not spread the shapes of type parameters.
  const outputs = z.object(definition.outputs);
  const resource = toResource(composeParts(any, mapping, parts.adjustPlan), inputs, outputs);
  // It has the definition's own schemas, from which its types are inferred.
  return resource as unknown as SettingsResource<
    z.output<SettingsInputs<S, O>>,
    SettingsBookkeeping & SettingsOutputs<R>
  > & { inputs: SettingsInputs<S, O>; outputs: typeof outputs };
}

/** Options are never compared with what the service has. */
function toLocalFields(options: z.ZodRawShape): Record<string, z.ZodType> {
  // Zod types fields by its core interface; every schema here is made by the classic API.
  return Object.fromEntries(
    Object.entries(options).map(([name, field]) => [name, local(field as z.ZodType)]),
  );
}

function toResource(
  parts: ComposedSettings,
  inputs: z.ZodObject,
  outputs: z.ZodObject,
): SettingsResource<Record<string, unknown>, Record<string, unknown>> {
  const { definition, mapping, planner, access } = parts;
  const { type, description, timeouts, newProject } = definition;
  const hasFiles = mapping.files.size > 0;
  return {
    type,
    description,
    inputs,
    outputs,
    bookkeeping: z.object(settingsBookkeeping),
    timeouts,
    // Listed when they are asked for: whether the API takes null is tried of every setting.
    get problems() {
      return { ...listUsualProblems(parts), ...definition.problems };
    },
    importId: {
      ...onePerProject("exactly"),
      alsoDeclares: Object.keys(definition.settings),
      ...(newProject === undefined
        ? {}
        : { declares: (observed) => omitDefaults(mapping, observed, newProject) }),
    },
    unsetsRemovedInputs: true,
    diff: (state, declared) => ({ listStaying: () => planner.listLeftBehind(state, declared) }),
    isRepeatable: true,
    uniqueBy: [],
    ...(hasFiles ? { plan: { covers: [], labels: { [FILE_HASHES]: "files" } } } : {}),
    shares: (state) => mapping.pickShared(state),
    upgrade: (state) => moveKnownExtras(mapping, state),
    check: (given, isUnknown, before) => checkSettings(definition, mapping, given, isUnknown, before),
    read: (ctx, target) =>
      target.isRefresh === true ? refreshSettings(parts, ctx, target) : readSettings(parts, ctx, target),
    create: (ctx, given) => createSettings(parts, ctx, given),
    settle: (ctx, target) => settleSettings(parts, ctx, target),
    update: (ctx, change) => updateSettings(parts, ctx, change),
    delete: (ctx, target) => deleteSettings(parts, ctx, target),
    async readAll(ctx, ref) {
      const wire = await access.seen(ctx, ref);
      return { ...pickShownValues(mapping, wire), ...mapping.pickOutputs(wire) };
    },
    inputsOf: (body) => mapping.inputsOf(body),
  };
}

/** What can go wrong with a configuration of these parts besides what its definition lists. */
function listUsualProblems({ definition, mapping, missing, planner, access }: ComposedSettings): Problems {
  const { cannotBeUnset, notRestored, lostSecret, ...always } = settingsProblems;
  return {
    ...always,
    ...(definition.showsOnlySet === true ? {} : { notRestored }),
    ...(planner.hasPermanent ? { cannotBeUnset } : {}),
    ...(mapping.hasShownSecrets ? { lostSecret } : {}),
    ...(mapping.files.size > 0 ? settingFileProblems : {}),
    ...(definition.newer === undefined ? {} : unknownSettingProblems),
    ...(missing.hasPlaceholders ? unnamedSettingProblems : {}),
    ...(definition.newer !== undefined || missing.hasPlaceholders ? omittedSettingProblems : {}),
    ...(definition.opens === undefined ? {} : openingProblems),
    ...(access.isWrittenWhole ? sharedSettingsProblems : {}),
  };
}
