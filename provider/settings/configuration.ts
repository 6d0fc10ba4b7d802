import { placeholderPrefix } from "../../spec/names/neutral-words";
import type { Context } from "../define/context";
import type { SharedCalls } from "../define/shared-calls";
import { poll } from "../waiting/poll";
import {
  hasOriginal,
  isSet,
  readOriginals,
  mergeOriginals,
  type OriginalValues,
  type SettingValues,
} from "./original-values";
import type { SettingFields } from "./setting-fields";
import type { AnySettings } from "./settings-definition";
import { SettingsMapping, type WireValues } from "./settings-mapping";
import { isDeclaredBy, type SettingsPlanInput } from "./settings-plan";

/** A setting as it was before a write, and as that left it. */
export interface WrittenSetting {
  readonly before: unknown;
  readonly wanted: unknown;
}

/** One kind of configuration: how it is read and written. */
export class Configuration {
  private made: SettingsMapping | undefined;
  /** What each run has written of a project and not looked at since. */
  private readonly written = new WeakMap<SharedCalls, Map<string, Map<string, WrittenSetting>>>();

  constructor(
    readonly definition: AnySettings,
    private readonly fields: SettingFields,
  ) {
    if (definition.mode !== "replace") return;
    const hidden = this.mapping.names.find((name) => this.mapping.visibilityOf(name) !== "value");
    if (hidden !== undefined) {
      throw new Error(
        `${definition.type} cannot be replaced as a whole: the service does not return ${hidden}.`,
      );
    }
  }

  /** Made when it is first needed: a plugin that starts loads the tables of every configuration. */
  get mapping(): SettingsMapping {
    return (this.made ??= new SettingsMapping(this.definition, this.fields));
  }

  /** What the state keeps of the original values, where they will be restored. */
  toOutputs(originals: OriginalValues): Record<string, unknown> {
    return this.definition.leftBehind === undefined ? this.mapping.toOutputs(originals) : {};
  }

  listKey(ref: string): string {
    return `${this.definition.type}:${ref}`;
  }

  async get(ctx: Context, ref: string): Promise<WireValues> {
    return { ...(await ctx.api.ofEveryProject(ref, () => this.definition.get(ctx, ref))) };
  }

  /** As it was last read or written in this run. */
  async seen(ctx: Context, ref: string): Promise<WireValues> {
    return ctx.shared.list(this.listKey(ref), () => this.get(ctx, ref));
  }

  /** What was just read or answered serves the next read. */
  cacheAnswer(ctx: Context, ref: string, seen: WireValues): void {
    const key = this.listKey(ref);
    ctx.shared.forget(key);
    void ctx.shared.list(key, () => Promise.resolve(seen));
  }

  async waitUntilInForce(ctx: Context, ref: string): Promise<void> {
    const { definition } = this;
    if (definition.isInForce === undefined) return;
    await poll<boolean, undefined>(ctx, {
      what: `${definition.type} of ${ref} to be in force`,
      look: async () => {
        const isDone = definition.isInForce?.(await this.seen(ctx, ref)) ?? true;
        // The next look asks the service.
        if (!isDone) ctx.shared.forget(this.listKey(ref));
        return isDone;
      },
      judge: (isDone) =>
        isDone
          ? { kind: "done", value: undefined }
          : { kind: "waiting", reason: "the service has not applied it yet" },
    });
  }

  /** What a plan is made of; `state` is empty where the settings are not managed yet. */
  createPlanInput(
    ctx: Context,
    {
      ref,
      declared,
      current,
      state,
    }: Record<"declared" | "current" | "state", SettingValues> & { ref: string },
  ): SettingsPlanInput {
    return {
      declared: this.mapping.convertDeclared(declared, current),
      before: this.mapping.upgradeOriginals(mergeOriginals(ctx, state)),
      current,
      others: ctx.ledger.otherOwners,
      isSame: this.mapping.createComparison(ref),
      shows: (name: string) =>
        this.definition.showsAll === true && current[name] === undefined
          ? "nothing"
          : this.mapping.visibilityOf(name),
      isLeftBehind: this.definition.leftBehind !== undefined,
      known: this.mapping.convertDeclared(state),
      valueWhenReleased: this.planReleasedValues(state, current),
    };
  }

  /** What a setting of this state becomes that is managed no longer. */
  planReleasedValues(state: SettingValues, current: SettingValues): SettingsPlanInput["valueWhenReleased"] {
    const { givesBack } = this.definition;
    const declared = this.mapping.convertDeclared(state);
    return (name, original) =>
      givesBack === undefined
        ? original
        : givesBack.value(original, { declared: declared[name], current: current[name] });
  }

  /** The settings that this service does not know: its answer has no such field, not even null. */
  listUnsupported(answer: WireValues): string[] {
    const { newer } = this.definition;
    if (newer === undefined) return [];
    return this.mapping.names.filter((name) => {
      const [field = ""] = this.mapping.wirePathOf(name);
      return Object.hasOwn(newer, field) && answer[field] === undefined;
    });
  }

  /**
   * The settings with a placeholder in their names, of which the answer has none though it has others: the installation has
   * another word for it.
   */
  listUnnamed(answer: WireValues): string[] {
    const { mapping } = this;
    const fieldOf = (name: string): string => mapping.wirePathOf(name)[0] ?? "";
    const shown = Object.keys(answer).filter((field) => answer[field] !== undefined);
    if (!mapping.names.some((name) => shown.includes(fieldOf(name)))) return [];
    return mapping.names.filter((name) => {
      const prefix = placeholderPrefix(fieldOf(name));
      return prefix !== undefined && !shown.some((field) => field.startsWith(prefix));
    });
  }

  /** Whether an installation may have other words in the names of settings. */
  get hasPlaceholders(): boolean {
    return this.mapping.names.some((name) => placeholderPrefix(this.mapping.wirePathOf(name)[0] ?? ""));
  }

  /** The declared settings of which the service shows nothing, and did not show what they were before. */
  listNeverShown(
    ctx: Context,
    state: SettingValues,
    current: SettingValues,
    before: OriginalValues,
  ): string[] {
    if (this.definition.showsAll !== true) return [];
    return this.mapping
      .listDeclared(state)
      .filter(
        (name) =>
          current[name] === undefined &&
          !hasOriginal(before, name) &&
          !isDeclaredBy(ctx.ledger.otherOwners, name),
      );
  }

  /** Whether there are settings that keep their last value, as a merging API takes no null for them. */
  get hasPermanent(): boolean {
    return this.mapping.names.some((name) => this.isPermanent(name));
  }

  /** Whether there are secrets that a delete restores, as the service shows them. */
  get hasOriginalSecrets(): boolean {
    const { mapping, definition } = this;
    const isKept = (name: string): boolean =>
      mapping.isSecret(name) && mapping.visibilityOf(name) === "value";
    return definition.leftBehind === undefined && mapping.names.some(isKept);
  }

  /** The settings that are declared no longer and keep the value they have. */
  listLeftBehind(state: SettingValues, inputs: SettingValues): string[] {
    const { mapping, definition } = this;
    const originals = mapping.upgradeOriginals(readOriginals(state));
    const valueWhenReleased = this.planReleasedValues(state, mapping.convertDeclared(state));
    const isGoingBack = (name: string): boolean => {
      if (
        definition.leftBehind !== undefined ||
        originals.lost.includes(name) ||
        !hasOriginal(originals, name)
      )
        return false;
      if (valueWhenReleased(name, originals.values[name] ?? null) === undefined) return false;
      return !originals.unset.includes(name) || !this.isPermanent(name);
    };
    const isDeclared = (name: string): boolean =>
      mapping.isGiven(inputs, name) || mapping.extra.readDeclared(inputs).has(name);
    return mapping.listDeclared(state).filter((name) => !isDeclared(name) && !isGoingBack(name));
  }

  private isPermanent(name: string): boolean {
    return this.definition.mode === "merge" && !this.mapping.canBeUnset(name);
  }

  /** What a write can bring about; `permanent` are the settings to unset for which a merging API takes no null. */
  splitPermanent(wanted: SettingValues, current: SettingValues) {
    const isPermanent = (name: string): boolean => !isSet(wanted[name]) && this.isPermanent(name);
    const [permanent, others] = [Object.keys(wanted).filter(isPermanent), Object.entries(wanted)];
    return {
      wanted: Object.fromEntries(others.filter(([name]) => !isPermanent(name))),
      permanent: permanent.filter((name) => isSet(current[name])),
    };
  }

  /** A configuration of one setting has nothing that a write of another one could take back. */
  get isWrittenWhole(): boolean {
    return this.definition.mode === "replace" && this.mapping.names.length > 1;
  }

  /** Keeps what was written, for the look that follows. */
  noteWritten(
    ctx: Context,
    ref: string,
    {
      names,
      current,
      wanted,
    }: Record<"current" | "wanted", SettingValues> & { readonly names: readonly string[] },
  ): void {
    const ofRun = this.written.get(ctx.shared) ?? new Map<string, Map<string, WrittenSetting>>();
    this.written.set(ctx.shared, ofRun);
    const ofProject = ofRun.get(ref) ?? new Map<string, WrittenSetting>();
    ofRun.set(ref, ofProject);
    for (const name of names) ofProject.set(name, { before: current[name], wanted: wanted[name] });
  }

  /** What was written since the last look. */
  takeWritten(ctx: Context, ref: string): ReadonlyMap<string, WrittenSetting> {
    const ofRun = this.written.get(ctx.shared);
    const written = ofRun?.get(ref) ?? new Map<string, WrittenSetting>();
    ofRun?.delete(ref);
    return written;
  }
}
