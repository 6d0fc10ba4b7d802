import type { Context } from "../../define/context";
import { formatCodeList } from "../../define/format-code-list";
import { sharedSettingsProblems } from "../../define/problems";
import type { SettingValues } from "../mapping/original-values";
import type { WrittenSetting } from "../../define/shared-calls";
import type { SettingsAccess } from "./settings-access";
import type { SettingsFindings } from "../plan/settings-plan";
import type { SettingsPlanner } from "../plan/settings-planner";
import { writeSettings } from "./settings-write";

type WrittenSettings = ReadonlyMap<string, WrittenSetting>;

/**
 * Looks once more whether what this run wrote is there: where a write replaces everything, one of another program that
 * had read before it takes it back. That is written once more; a value of another program's own is only reported, as two
 * programs would take turns otherwise. Whether something was written.
 */
export async function repairLostUpdates(
  access: SettingsAccess,
  planner: SettingsPlanner,
  ctx: Context,
  ref: string,
  inputs: SettingValues,
): Promise<boolean> {
  const { definition, mapping } = access;
  const warnOf = (names: readonly string[]): void => {
    if (names.length === 0) return;
    const about = { settings: formatCodeList(names), type: definition.type, ref };
    ctx.warn(sharedSettingsProblems.writtenElsewhere.message(about));
  };
  const declared = new Set(mapping.listDeclared(inputs));
  const written = new Map([...access.takeWritten(ctx, ref)].filter(([name]) => declared.has(name)));
  const isTakenBack = (name: string, now: unknown): boolean =>
    mapping.isSame(ref, name, now, written.get(name)?.before);
  const changed = await listChangedSince(access, ctx, ref, inputs, written);
  const taken = [...changed].flatMap(([name, now]) => (isTakenBack(name, now) ? [name] : []));
  warnOf([...changed.keys()].filter((name) => !taken.includes(name)));
  if (taken.length === 0) return false;

  ctx.info(`another program overwrote ${formatCodeList(taken)}: written once more`);
  const plan = (found: SettingsFindings) => {
    const still = taken.filter((name) => isTakenBack(name, found.current[name]));
    const wanted = Object.fromEntries(still.map((name) => [name, written.get(name)?.wanted]));
    return planner.planRepair(wanted, { ref, ...found });
  };
  await writeSettings(access, ctx, { ref, inputs, plan });
  access.takeWritten(ctx, ref);
  const again = new Map([...written].filter(([name]) => taken.includes(name)));
  warnOf([...(await listChangedSince(access, ctx, ref, inputs, again)).keys()]);
  return true;
}

/** The settings of which the service has another value than was written, with that value; looks only where there are any. */
async function listChangedSince(
  access: SettingsAccess,
  ctx: Context,
  ref: string,
  inputs: SettingValues,
  written: WrittenSettings,
): Promise<Map<string, unknown>> {
  if (written.size === 0) return new Map();
  const { mapping } = access;
  const current = mapping.pickSettings(await access.seen(ctx, ref), inputs);
  const wanted = Object.fromEntries([...written].map(([name, one]) => [name, one.wanted]));
  return new Map(mapping.listDiffering(ref, current, wanted).map((name) => [name, current[name]]));
}
