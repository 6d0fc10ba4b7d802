import type { Context } from "../define/context";
import type { SharedCalls } from "../define/shared-calls";
import {
  foundBy,
  foundIn,
  isDeclaredBy,
  isFound,
  isSet,
  NOTHING_FOUND,
  type Found,
  type Plan,
  type Planning,
  type SettingValues,
} from "./found-settings";
import { poll } from "../waiting/poll";
import { openingProblems, settingsProblems, sharedSettingsProblems } from "../define/problems";
import { whenReady } from "../waiting/project-health";
import { inProgramNames } from "./refused-settings";
import type { SettingFields } from "./setting-fields";
import { SettingsAttempts } from "./settings-attempts";
import { SettingsForm, type WireValues } from "./settings-form";
import type { AnySettings } from "./settings-definition";
import { writeOnce } from "../waiting/write-once";
import { listed } from "../define/listed";

/** One kind of configuration: how it is read and written. */
export class Configuration {
  private made: SettingsForm | undefined;
  /** What each run has written of a project and not looked at since. */
  private readonly written = new WeakMap<SharedCalls, Map<string, Map<string, Written>>>();

  constructor(
    readonly definition: AnySettings,
    private readonly fields: SettingFields,
  ) {
    if (definition.mode !== "replace") return;
    const hidden = this.form.names.find((name) => this.form.shows(name) !== "value");
    if (hidden !== undefined) {
      throw new Error(
        `${definition.type} cannot be replaced as a whole: the service does not show ${hidden}.`,
      );
    }
  }

  /** Made when it is first needed: a plugin that starts loads the tables of every configuration. */
  get form(): SettingsForm {
    return (this.made ??= new SettingsForm(this.definition, this.fields));
  }

  /** What the state keeps of what was found, where it will be restored. */
  toOutputs(found: Found): Record<string, unknown> {
    return this.definition.leftBehind === undefined ? this.form.toOutputs(found) : {};
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

  planning(
    ctx: Context,
    ref: string,
    declared: SettingValues,
    current: SettingValues,
    state: SettingValues,
  ): Planning {
    return {
      declared: this.form.declared(declared, current),
      before: this.form.inThisVersion(foundBy(ctx, state)),
      current,
      others: ctx.others,
      isSame: this.form.isSameFor(ref),
      shows: (name: string) =>
        this.definition.showsAll === true && current[name] === undefined ? "nothing" : this.form.shows(name),
      isLeftBehind: this.definition.leftBehind !== undefined,
      known: this.form.declared(state),
      comesBack: this.comingBack(state, current),
    };
  }

  /** What a setting of this state becomes that is managed no longer. */
  comingBack(state: SettingValues, current: SettingValues): Planning["comesBack"] {
    const { givesBack } = this.definition;
    const declared = this.form.declared(state);
    return (name, found) =>
      givesBack === undefined
        ? found
        : givesBack.value(found, { declared: declared[name], current: current[name] });
  }

  /** The declared settings of which the service shows nothing, and did not show what they were before. */
  neverShown(ctx: Context, state: SettingValues, current: SettingValues, before: Found): string[] {
    if (this.definition.showsAll !== true) return [];
    return this.form
      .declaredNames(state)
      .filter(
        (name) => current[name] === undefined && !isFound(before, name) && !isDeclaredBy(ctx.others, name),
      );
  }

  /** Reads, plans and writes as one step that no other resource of this process can come between. */
  async apply(
    ctx: Context,
    ref: string,
    inputs: SettingValues,
    plan: (current: SettingValues, ctx: Context) => Plan,
  ): Promise<Found> {
    const { definition, form } = this;
    const { type } = definition;
    const attempts = new SettingsAttempts(ctx, ref, form, definition.leftBehind === undefined);
    let names: readonly string[] = [];
    const work = async (): Promise<Found> => {
      names = [];
      const wire = await this.get(ctx, ref);
      const current = form.settingsIn(wire, inputs);
      const planned = plan(current, attempts.context);
      const { found } = planned;
      const { wanted, lasting } = this.possible(planned.wanted, current);
      if (planned.known !== undefined) {
        // Options are never compared, so their values are not needed here.
        definition.refuseLoss?.({ ref, current, wanted, known: planned.known, options: inputs });
      }
      const unshown = Object.keys(wanted).filter((name) => form.shows(name) === "nothing");
      const differing = [...form.differing(ref, current, wanted), ...unshown];
      const refusal = definition.refusal?.(wire, ref);
      if (refusal !== undefined) {
        if (found !== NOTHING_FOUND) throw refusal;
        if (differing.length + planned.staying.length > 0) ctx.warn(refusal.message);
        return found;
      }
      names = differing;
      attempts.begin({ ...planned, current, names });
      const values =
        definition.mode === "replace"
          ? { ...current, ...wanted }
          : Object.fromEntries(differing.map((name) => [name, wanted[name]]));
      const after =
        differing.length === 0 ? wire : await this.write(ctx, ref, { values, wanted, inputs, wire });
      if (differing.length > 0 && this.isWrittenWhole) {
        this.noteWritten(ctx, ref, { names: differing, current, wanted });
        // The answer says what this write left, not what is there: the next look asks.
        ctx.shared.forget(this.listKey(ref));
      } else {
        this.remember(ctx, ref, after, (seen) => this.hasCome(ref, seen, { wanted, inputs }));
      }
      const about = (settings: readonly string[]) => ({ settings: listed(settings), type, ref });
      if (lasting.length > 0) ctx.warn(settingsProblems.cannotBeUnset.message(about(lasting)));
      if (planned.staying.length > 0 && definition.givesBack !== undefined) {
        ctx.warn(definition.givesBack.says(ref, listed(planned.staying)));
      }
      const opened = differing.filter(
        (name) => planned.released.includes(name) && definition.opens?.(current[name], wanted[name]) === true,
      );
      if (opened.length > 0) ctx.warn(openingProblems.opened.message(about(opened)));
      if (planned.lost.length > 0) ctx.warn(settingsProblems.lostSecret.message(about(planned.lost)));
      return found;
    };
    return ctx.shared
      .exclusively(this.listKey(ref), () => whenReady(ctx, ref, definition.services, work))
      .catch(async (error: unknown) => {
        await attempts.failed(error, async () => form.settingsIn(await this.get(ctx, ref), inputs));
        throw inProgramNames(form, error, { type, ref, names });
      });
  }

  /**
   * Looks once more whether what this run wrote is there: where a write replaces everything, one of another program that
   * had read before it takes it back. That is written once more; a value of another program's own is only told, as two
   * programs would take turns otherwise. Whether something was written.
   */
  async keepWritten(ctx: Context, ref: string, inputs: SettingValues): Promise<boolean> {
    const { definition, form } = this;
    const declared = new Set(form.declaredNames(inputs));
    const written = new Map([...this.takeWritten(ctx, ref)].filter(([name]) => declared.has(name)));
    const lost = await this.lostOf(ctx, ref, inputs, written);
    const isTakenBack = (name: string, now: unknown): boolean =>
      form.isSame(ref, name, now, written.get(name)?.before);
    const about = (names: readonly string[]) => ({ settings: listed(names), type: definition.type, ref });
    const taken = [...lost].flatMap(([name, now]) => (isTakenBack(name, now) ? [name] : []));
    const others = [...lost.keys()].filter((name) => !taken.includes(name));
    if (others.length > 0) ctx.warn(sharedSettingsProblems.writtenElsewhere.message(about(others)));
    if (taken.length === 0) return false;
    ctx.info(`a write of another program took ${listed(taken)} back: written once more`);
    await this.apply(ctx, ref, inputs, (current) => {
      const still = taken.filter((name) => isTakenBack(name, current[name]));
      const wanted = Object.fromEntries(still.map((name) => [name, written.get(name)?.wanted]));
      return { wanted, found: NOTHING_FOUND, before: NOTHING_FOUND, lost: [], staying: [], released: [] };
    });
    this.takeWritten(ctx, ref);
    const again = await this.lostOf(
      ctx,
      ref,
      inputs,
      new Map(taken.map((name) => [name, written.get(name)])),
    );
    if (again.size > 0) ctx.warn(sharedSettingsProblems.writtenElsewhere.message(about([...again.keys()])));
    return true;
  }

  /** The settings of which the service has another value than was written, with that value; looks only where there are any. */
  private async lostOf(
    ctx: Context,
    ref: string,
    inputs: SettingValues,
    written: ReadonlyMap<string, Written | undefined>,
  ): Promise<Map<string, unknown>> {
    if (written.size === 0) return new Map();
    const current = this.form.settingsIn(await this.seen(ctx, ref), inputs);
    const wanted = Object.fromEntries([...written].map(([name, one]) => [name, one?.wanted]));
    return new Map(this.form.differing(ref, current, wanted).map((name) => [name, current[name]]));
  }

  /** A configuration of one setting has nothing that a write of another one could take back. */
  get isWrittenWhole(): boolean {
    return this.definition.mode === "replace" && this.form.names.length > 1;
  }

  private noteWritten(
    ctx: Context,
    ref: string,
    {
      names,
      current,
      wanted,
    }: Record<"current" | "wanted", SettingValues> & { readonly names: readonly string[] },
  ): void {
    const ofRun = this.written.get(ctx.shared) ?? new Map<string, Map<string, Written>>();
    this.written.set(ctx.shared, ofRun);
    const ofProject = ofRun.get(ref) ?? new Map<string, Written>();
    ofRun.set(ref, ofProject);
    for (const name of names) ofProject.set(name, { before: current[name], wanted: wanted[name] });
  }

  private takeWritten(ctx: Context, ref: string): ReadonlyMap<string, Written> {
    const ofRun = this.written.get(ctx.shared);
    const written = ofRun?.get(ref) ?? new Map<string, Written>();
    ofRun?.delete(ref);
    return written;
  }

  /** Whether an answer shows what was wanted. */
  private hasCome(
    ref: string,
    seen: WireValues,
    { wanted, inputs }: Pick<Write, "wanted" | "inputs">,
  ): boolean {
    return this.form.differing(ref, this.form.settingsIn(seen, inputs), wanted).length === 0;
  }

  /** Whether there are settings that keep their last value, as a merging API takes no null for them. */
  get hasLasting(): boolean {
    return this.form.names.some((name) => this.isLasting(name));
  }

  /** Whether there are secrets that a delete restores, as the service shows them. */
  get hasFoundSecrets(): boolean {
    const { form, definition } = this;
    const isKept = (name: string): boolean => form.isSecret(name) && form.shows(name) === "value";
    return definition.leftBehind === undefined && form.names.some(isKept);
  }

  /** The settings that are declared no longer and keep the value they have. */
  staysBehind(state: SettingValues, inputs: SettingValues): string[] {
    const { form, definition } = this;
    const found = form.inThisVersion(foundIn(state));
    const comesBack = this.comingBack(state, form.declared(state));
    const isGoingBack = (name: string): boolean => {
      if (definition.leftBehind !== undefined || found.lost.includes(name) || !isFound(found, name))
        return false;
      if (comesBack(name, found.values[name] ?? null) === undefined) return false;
      return !found.unset.includes(name) || !this.isLasting(name);
    };
    const isDeclared = (name: string): boolean =>
      form.isGiven(inputs, name) || form.extra.in(inputs).has(name);
    return form.declaredNames(state).filter((name) => !isDeclared(name) && !isGoingBack(name));
  }

  private isLasting(name: string): boolean {
    return this.definition.mode === "merge" && !this.form.canBeUnset(name);
  }

  /** What a write can bring about; `lasting` are the settings to unset for which a merging API takes no null. */
  private possible(wanted: SettingValues, current: SettingValues) {
    const isLasting = (name: string): boolean => !isSet(wanted[name]) && this.isLasting(name);
    const [lasting, others] = [Object.keys(wanted).filter(isLasting), Object.entries(wanted)];
    return {
      wanted: Object.fromEntries(others.filter(([name]) => !isLasting(name))),
      lasting: lasting.filter((name) => isSet(current[name])),
    };
  }

  private async write(
    ctx: Context,
    ref: string,
    { values, wire, ...write }: Write,
  ): Promise<WireValues | undefined> {
    const { definition, form } = this;
    const body = form.body(values, definition.mode, wire);
    try {
      return await writeOnce(ctx, {
        send: async () => {
          const answer = await definition.put(ctx, ref, body, write.inputs);
          return answer === undefined ? undefined : { ...answer };
        },
        landed: async () => {
          const now = await this.get(ctx, ref);
          return this.hasCome(ref, now, write) ? now : undefined;
        },
      });
    } finally {
      ctx.shared.forget(this.listKey(ref));
    }
  }

  /** What was just read or answered serves the next read, when it shows what was asked for. */
  private remember(
    ctx: Context,
    ref: string,
    seen: WireValues | undefined,
    isUsable: (seen: WireValues) => boolean,
  ): void {
    const key = this.listKey(ref);
    ctx.shared.forget(key);
    if (seen !== undefined && isUsable(seen)) void ctx.shared.list(key, () => Promise.resolve(seen));
  }
}

/** A setting as it was before a write, and as that left it. */
interface Written {
  readonly before: unknown;
  readonly wanted: unknown;
}

interface Write {
  /** What is sent. */
  readonly values: SettingValues;
  /** What is to be there afterwards. */
  readonly wanted: SettingValues;
  /** The inputs, of which the options say how it is written. */
  readonly inputs: SettingValues;
  /** What is there before. */
  readonly wire: WireValues;
}
