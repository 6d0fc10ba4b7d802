import { formatCodeList } from "../../define/format-code-list";
import { omittedSettingProblems, openingProblems, settingsProblems } from "../../define/problems";
import type { MissingSettings } from "./missing-settings";
import { isSet, isTold, NO_ORIGINALS, type SettingValues } from "../mapping/original-values";
import type { AnySettings } from "../settings-definition";
import type { SettingsMapping } from "../mapping/settings-mapping";
import {
  planDeclared,
  planRelease,
  type PlanAdjustment,
  type SettingsFindings,
  type SettingsPlan,
  type SettingsPlanRequest,
  type SettingsStep,
} from "./settings-plan";

/** A plan of which a write brings about what the API allows. */
export interface PlannedWrite extends Pick<SettingsPlan, "wanted" | "originals" | "before" | "warnings"> {
  /** The settings that it changes. */
  readonly differing: readonly string[];
}

/** Plans what a step brings about, of what is declared, remembered and there. No network. */
export class SettingsPlanner {
  constructor(
    private readonly definition: Pick<AnySettings, "type" | "mode" | "showsOnlySet" | "opens">,
    private readonly mapping: SettingsMapping,
    private readonly missing: MissingSettings,
    private readonly adjust: PlanAdjustment = (plan) => plan,
  ) {}

  /** Whether there are settings that keep their last value, as a merging API takes no null for them. */
  get hasPermanent(): boolean {
    return this.mapping.names.some((name) => this.isPermanent(name));
  }

  plan(request: SettingsPlanRequest): PlannedWrite {
    const { ref, inputs, wire, isDelete } = request;
    if (isDelete === true) {
      const plan = planRelease(this.mapping, request);
      return this.complete(
        this.adjust(plan, request, this.mapping),
        request,
        this.listNeverShown(plan, request),
      );
    }
    const plan = planDeclared(this.mapping, this.describeVisibility(request), request);
    const declared = Object.keys(plan.wanted).filter((name) => this.mapping.isGiven(inputs, name));
    this.missing.refuse(declared, wire, ref);
    return this.complete(this.adjust(plan, request, this.mapping), request);
  }

  /** These values once more, of settings whose original values are kept already. */
  planRepair(wanted: SettingValues, found: Pick<SettingsStep, "ref"> & SettingsFindings): PlannedWrite {
    const nothing = { originals: undefined, before: NO_ORIGINALS, released: [], staying: [], lost: [] };
    return this.complete({ ...nothing, wanted, warnings: [] }, found);
  }

  /** The settings that are declared no longer and keep the value they have; by the state alone. */
  listLeftBehind(state: SettingValues, inputs: SettingValues): string[] {
    const { mapping } = this;
    const isDeclared = (name: string): boolean =>
      mapping.isGiven(inputs, name) || mapping.extra.readDeclared(inputs).has(name);
    const names = mapping.listDeclared(state).filter((name) => !isDeclared(name));
    if (names.length === 0) return [];
    const found = { wire: {}, current: mapping.convertDeclared(state), kept: {}, others: [] };
    const request = { ref: "", inputs: {}, state, names, ...found };
    const plan = this.adjust(
      planDeclared(mapping, this.describeVisibility(request), request),
      request,
      mapping,
    );
    const { wanted } = this.splitPermanent(plan.wanted);
    return names.filter((name) => !Object.hasOwn(wanted, name));
  }

  /** What of a plan the API can bring about, and what the user is told of the rest. */
  private complete(
    plan: SettingsPlan,
    { ref, wire, current }: Pick<SettingsStep, "ref"> & SettingsFindings,
    neverShown: readonly string[] = [],
  ): PlannedWrite {
    const { mapping, definition } = this;
    const known = this.missing.omit(plan.wanted, wire);
    const omitted = plan.released.filter((name) => !Object.hasOwn(known, name));
    const { wanted, permanent } = this.splitPermanent(known);
    // What the answer lacks is not known to be unset.
    const unshown = Object.keys(wanted).filter(
      (name) =>
        mapping.visibilityOf(name) === "nothing" ||
        (plan.released.includes(name) && !isSet(wanted[name]) && !isTold(definition, current, name)),
    );
    const differing = [...mapping.listDiffering(ref, current, wanted), ...unshown];
    const opened = differing.filter(
      (name) =>
        plan.released.includes(name) && definition.opens?.(current[name], wanted[name], name) === true,
    );
    const describe = (
      names: readonly string[],
      problem: (typeof settingsProblems)["lostSecret"],
    ): string[] =>
      names.length === 0
        ? []
        : [problem.message({ settings: formatCodeList(names), type: definition.type, ref })];
    const kept = permanent.filter((name) => isSet(current[name]) || !isTold(definition, current, name));
    const warnings = [
      ...describe(kept, settingsProblems.cannotBeUnset),
      ...plan.warnings,
      ...describe(opened, openingProblems.opened),
      ...describe(plan.lost, settingsProblems.lostSecret),
      ...describe(neverShown, settingsProblems.notRestored),
      ...describe(omitted, omittedSettingProblems.omittedSetting),
    ];
    return { wanted, differing, originals: plan.originals, before: plan.before, warnings };
  }

  /** What the service shows of a setting: its value, only whether it is set (it answers a hash), or nothing. */
  private describeVisibility({
    current,
  }: SettingsFindings): (name: string) => "value" | "presence" | "nothing" {
    return (name) => (isTold(this.definition, current, name) ? this.mapping.visibilityOf(name) : "nothing");
  }

  /** The settings that stay as they are because the service shows nothing of them, and did not show what they were before. */
  private listNeverShown({ staying }: SettingsPlan, { current }: SettingsFindings): string[] {
    return staying.filter((name) => !isTold(this.definition, current, name));
  }

  private isPermanent(name: string): boolean {
    return this.definition.mode === "merge" && !this.mapping.canBeUnset(name);
  }

  /** What a write can bring about; `permanent` are the settings to unset for which a merging API takes no null. */
  private splitPermanent(values: SettingValues) {
    const isPermanent = (name: string): boolean => !isSet(values[name]) && this.isPermanent(name);
    return {
      wanted: Object.fromEntries(Object.entries(values).filter(([name]) => !isPermanent(name))),
      permanent: Object.keys(values).filter(isPermanent),
    };
  }
}
