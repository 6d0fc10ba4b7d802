import type { Context } from "../define/context";
import { formatCodeList } from "../define/format-code-list";
import type { Values } from "../define/values";
import { settingsProblems } from "../define/problems";
import type { AnyResource, CreationResult, ExistingResource, ObservedResource } from "../define/resource";
import { repairLostUpdates } from "./write/lost-updates";
import { MissingSettings } from "./plan/missing-settings";
import { pickObservedInputs } from "./mapping/observed-settings";
import { findRemembered, isComparable } from "./mapping/remembered-settings";
import { isSet, readOriginals, type OriginalValues, type SettingValues } from "./mapping/original-values";
import { inputNameOf } from "./mapping/setting-fields";
import { insertFileTexts } from "./mapping/setting-files";
import { SettingsAccess } from "./write/settings-access";
import type { AnySettings } from "./settings-definition";
import type { SettingsMapping } from "./mapping/settings-mapping";
import { listConcerned, type PlanAdjustment, type SettingsStep } from "./plan/settings-plan";
import { SettingsPlanner } from "./plan/settings-planner";
import { readProjectConfig } from "./write/project-config";
import { writeSettings } from "./write/settings-write";

/** A configuration by its parts. */
export interface ComposedSettings {
  readonly definition: AnySettings;
  readonly mapping: SettingsMapping;
  readonly missing: MissingSettings;
  readonly planner: SettingsPlanner;
  readonly access: SettingsAccess;
}

export function composeParts(
  definition: AnySettings,
  mapping: SettingsMapping,
  adjustPlan?: PlanAdjustment,
): ComposedSettings {
  const missing = new MissingSettings(definition, mapping);
  const planner = new SettingsPlanner(definition, mapping, missing, adjustPlan);
  return { definition, mapping, missing, planner, access: new SettingsAccess(definition, mapping) };
}

export async function readSettings(
  { definition, mapping, missing, access }: ComposedSettings,
  ctx: Context,
  { id, state }: ExistingResource<Values, Values>,
): Promise<ObservedResource<Values, Values>> {
  const wire = await access.seen(ctx, id);
  const unknown = missing.listUnsupported(wire);
  const reading = { ref: id, state, showsOnlySet: definition.showsOnlySet === true, unknown };
  for (const warning of missing.listWarnings(state, wire, id)) ctx.warn(warning);
  return {
    inputs: { ...pickObservedInputs(mapping, wire, reading), projectRef: id },
    outputs: { ...mapping.pickOutputs(wire), ...pickOriginals(mapping, state) },
  };
}

/** What a refresh shows: the state where the answer about the whole project has it so, and what is read otherwise. */
export async function refreshSettings(
  parts: ComposedSettings,
  ctx: Context,
  target: ExistingResource<Values, Values>,
): Promise<ObservedResource<Values, Values>> {
  return (await findUnchanged(parts, ctx, target)) ?? readSettings(parts, ctx, target);
}

async function findUnchanged(
  { definition, mapping }: ComposedSettings,
  ctx: Context,
  { id: ref, state }: ExistingResource<Values, Values>,
): Promise<ObservedResource<Values, Values> | undefined> {
  const { inProjectConfig, outputs, type } = definition;
  if (inProjectConfig === undefined || !isComparable(mapping, state)) return undefined;
  const config = await readProjectConfig(ctx, ref, type);
  const answer = config === undefined ? undefined : inProjectConfig.pick(config);
  if (!isSet(answer)) return undefined;
  const wire = { ...answer };
  const remembered = { ref, state, outputs, keptOutputs: inProjectConfig.keptOutputs };
  const shown = findRemembered(mapping, wire, remembered);
  if (shown === undefined) return undefined;
  // What is not returned stays as declared.
  return { inputs: { projectRef: ref }, outputs: { ...shown, ...pickOriginals(mapping, state) } };
}

export async function createSettings(
  parts: ComposedSettings,
  ctx: Context,
  given: SettingValues,
): Promise<CreationResult<Values, Values>> {
  const { mapping } = parts;
  const inputs = insertFileTexts(mapping.files, given);
  const ref = String(inputs["projectRef"]);
  const step = { ref, inputs, state: {}, names: mapping.listDeclared(inputs) };
  return { id: ref, outputs: toOutputs(mapping, await takeStep(parts, ctx, step)) };
}

export async function updateSettings(
  parts: ComposedSettings,
  ctx: Context,
  { id: ref, state, inputs: given, changed }: Parameters<NonNullable<AnyResource["update"]>>[1],
): Promise<Partial<ObservedResource<Values, Values>>> {
  const { mapping } = parts;
  const inputs = insertFileTexts(mapping.files, given);
  const names = listConcerned(mapping, { ref, inputs, state, kept: ctx.ledger.kept, changed });
  return { outputs: toOutputs(mapping, await takeStep(parts, ctx, { ref, inputs, state, names })) };
}

/** Waits, and looks once more where another program may have taken a write back. */
export async function settleSettings(
  parts: ComposedSettings,
  ctx: Context,
  { id, state, inputs }: ExistingResource<Values, Values> & { readonly inputs: SettingValues },
): Promise<ObservedResource<Values, Values>> {
  const { mapping, planner, access } = parts;
  await access.waitUntilUsable(ctx, id, inputs);
  const withTexts = insertFileTexts(mapping.files, inputs);
  if (await repairLostUpdates(access, planner, ctx, id, withTexts))
    await access.waitUntilUsable(ctx, id, inputs);
  const observed = await readSettings(parts, ctx, { id, state: { ...state, ...inputs } });
  await warnOfIgnored(parts, ctx, id, withTexts);
  return observed;
}

export async function deleteSettings(
  parts: ComposedSettings,
  ctx: Context,
  { id: ref, state }: ExistingResource<Values, Values>,
): Promise<void> {
  const { definition, mapping } = parts;
  const names = mapping.listDeclared(state);
  await takeStep(parts, ctx, { ref, inputs: state, state, names, isDelete: true });
  const options = Object.keys(definition.options).map((name) => [name, state[name]] as const);
  await definition.settle?.(ctx, ref, Object.fromEntries(options));
}

function takeStep(
  { planner, access }: ComposedSettings,
  ctx: Context,
  step: SettingsStep,
): Promise<OriginalValues | undefined> {
  const { ref, inputs, isDelete } = step;
  return writeSettings(access, ctx, {
    ref,
    inputs,
    isDelete,
    plan: (found) => planner.plan({ ...step, ...found }),
  });
}

/** What the state keeps of the original values, where they will be restored. */
function toOutputs(mapping: SettingsMapping, originals: OriginalValues | undefined): Values {
  return originals === undefined ? {} : mapping.toOutputs(originals);
}

/** The same of a state that has them. */
function pickOriginals(mapping: SettingsMapping, state: SettingValues): Values {
  return isSet(state["__found"]) ? mapping.toOutputs(readOriginals(state)) : {};
}

/** What a service takes and does not do comes back as it was: without a word it would be drift for ever. */
async function warnOfIgnored(
  { definition, mapping, access }: ComposedSettings,
  ctx: Context,
  ref: string,
  inputs: SettingValues,
): Promise<void> {
  // The look for lost updates warns of these.
  if (access.isWrittenWhole) return;
  const wanted = mapping.convertDeclared(inputs);
  const shown = mapping.pickSettings(await access.seen(ctx, ref), inputs);
  // What an answer leaves out is not known to be ignored.
  const ignored = mapping.listDiffering(ref, shown, wanted).filter((name) => shown[name] !== undefined);
  if (ignored.length === 0) return;
  const settings = formatCodeList([...new Set(ignored.map(inputNameOf))]);
  ctx.warn(settingsProblems.ignored.message({ settings, type: definition.type, ref }));
}
