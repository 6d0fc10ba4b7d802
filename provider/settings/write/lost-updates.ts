import type { Context } from "../../define/context";
import { formatCodeList } from "../../define/format-code-list";
import { settingsProblems, sharedSettingsProblems } from "../../define/problems";
import { isTold, type SettingValues } from "../mapping/original-values";
import type { WrittenSetting } from "../../define/shared-calls";
import type { SettingsAccess } from "./settings-access";
import type { SettingsFindings } from "../plan/settings-plan";
import type { SettingsPlanner } from "../plan/settings-planner";
import { writeSettings } from "./settings-write";

type WrittenSettings = ReadonlyMap<string, WrittenSetting>;

/** A setting that is not as it was written, with the value that the service shows. */
type Deviation = readonly [name: string, now: unknown];

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
  const warnOf = (
    problem: typeof sharedSettingsProblems.writtenElsewhere,
    deviations: readonly Deviation[],
  ): void => {
    if (deviations.length === 0) return;
    const settings = formatCodeList(deviations.map(([name]) => name));
    ctx.warn(problem.message({ settings, type: definition.type, ref }));
  };
  const { ignored } = settingsProblems;
  const { writtenElsewhere } = sharedSettingsProblems;
  const declared = new Set(mapping.listDeclared(inputs));
  const written = new Map([...access.takeWritten(ctx, ref)].filter(([name]) => declared.has(name)));
  const isTakenBack = ([name, now]: Deviation): boolean =>
    mapping.isSame(ref, name, now, written.get(name)?.before);
  const isOther = (deviation: Deviation): boolean => !isTakenBack(deviation);
  const isIgnored = ([name]: Deviation): boolean => written.get(name)?.isIgnored === true;
  const changed = await listChangedSince(access, ctx, ref, inputs, written);
  const others = changed.filter((deviation) => !isIgnored(deviation));
  warnOf(ignored, changed.filter(isIgnored));
  warnOf(writtenElsewhere, others.filter(isOther));
  const taken = others.filter(isTakenBack).map(([name]) => name);
  if (taken.length === 0) return false;

  ctx.info(
    `the service shows the earlier value of ${formatCodeList(taken)}, which another program may have restored: written once more`,
  );
  const plan = (found: SettingsFindings) => {
    const still = taken.filter((name) => isTakenBack([name, found.current[name]]));
    const wanted = Object.fromEntries(still.map((name) => [name, written.get(name)?.wanted]));
    return planner.planRepair(wanted, { ref, ...found });
  };
  await writeSettings(access, ctx, { ref, inputs, plan });
  access.takeWritten(ctx, ref);
  const again = new Map([...written].filter(([name]) => taken.includes(name)));
  // What is ignored, and what is taken back each time, look the same.
  const left = await listChangedSince(access, ctx, ref, inputs, again);
  warnOf(ignored, left.filter(isTakenBack));
  warnOf(writtenElsewhere, left.filter(isOther));
  return true;
}

/** The settings of which the service has another value than was written, with that value; looks only where there are any. */
async function listChangedSince(
  access: SettingsAccess,
  ctx: Context,
  ref: string,
  inputs: SettingValues,
  written: WrittenSettings,
): Promise<Deviation[]> {
  if (written.size === 0) return [];
  const { mapping } = access;
  const current = mapping.pickSettings(await access.seen(ctx, ref), inputs);
  const wanted = Object.fromEntries([...written].map(([name, one]) => [name, one.wanted]));
  // What an answer leaves out is not known to have changed.
  const differing = mapping
    .listDiffering(ref, current, wanted)
    .filter((name) => isTold(access.definition, current, name));
  return differing.map((name) => [name, current[name]]);
}
