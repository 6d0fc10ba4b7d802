import type { z } from "zod";
import type { Problems } from "../client/problem";
import type { ConditionalCall } from "../define/conditional-call";
import type { Context } from "../define/context";
import type { DefaultTimeouts } from "../define/resource";
import { foundBy, isSet, NOTHING_FOUND, type Found, type Plan, type SettingValues } from "./found-settings";
import { poll } from "./poll";
import { settingsProblems } from "./problems";
import { whenReady, type HealthService } from "./project-health";
import { SettingsForm, type WireValues } from "./settings-form";
import type { WireNameExceptions } from "./wire-names";
import { writeOnce } from "./write-once";

/** A configuration that every project has, of which a program manages the settings it declares. */
export interface SettingsDefinition<
  S extends z.ZodRawShape,
  O extends z.ZodRawShape,
  B extends z.ZodObject,
  R extends z.ZodRawShape,
> {
  readonly type: string;
  readonly description: string;
  /** The inputs that are settings. */
  readonly settings: S;
  /** Further inputs, which are never compared with what the service has. */
  readonly options: O;
  /** What `get` and `put` return beside the settings, by the same names. */
  readonly outputs: R;
  /** Names on the wire that do not follow from the setting's. */
  readonly wireNames: WireNameExceptions<S, z.input<B>>;
  /** What the API takes: a setting that is not in it is newer than this version, and kept. */
  readonly body: B;
  readonly timeouts: DefaultTimeouts;
  readonly problems?: Problems | undefined;
  readonly conditionalCalls?: readonly ConditionalCall[] | undefined;
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
  /** Whether a configuration as `get` returns it is in force: it is read until it is. Always where this is absent. */
  isInForce?(seen: WireValues): boolean;
  /** Waits until the project is as usable as before the write. After a delete only options are given. */
  settle?(ctx: Context, ref: string, declared: Partial<z.output<z.ZodObject<S & O>>>): Promise<void>;
}

/** Any of them: settings are handled by their names alone. */
export type AnySettings = SettingsDefinition<
  Record<string, z.ZodType>,
  Record<string, z.ZodType>,
  z.ZodObject,
  Record<string, z.ZodType>
>;

/** One kind of configuration: how it is read and written. */
export class Configuration {
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
      const planned = plan(current);
      const { found } = planned;
      const { wanted, lasting } = this.possible(planned.wanted, current);
      const unshown = Object.keys(wanted).filter((name) => form.shows(name) === "nothing");
      const differing = [...form.differing(ref, current, wanted), ...unshown];
      // Once written, what was there before can be found nowhere else.
      if (differing.length > 0 && found !== NOTHING_FOUND) ctx.keep(ref, form.withoutSecrets(found));
      const values =
        definition.mode === "replace"
          ? { ...current, ...wanted }
          : Object.fromEntries(differing.map((name) => [name, wanted[name]]));
      const after =
        differing.length === 0 ? wire : await this.write(ctx, ref, { values, wanted, wire }, options);
      this.remember(ctx, ref, after, wanted);
      if (lasting.length > 0) {
        const settings = lasting.map((name) => `\`${name}\``).join(", ");
        ctx.warn(settingsProblems.cannotBeUnset.message({ settings, type: definition.type, ref }));
      }
      return found;
    };
    return ctx.shared.exclusively(this.listKey(ref), () => whenReady(ctx, ref, definition.services, work));
  }

  /** What a write can bring about; `lasting` are the settings to unset for which a merging API takes no null. */
  private possible(wanted: SettingValues, current: SettingValues) {
    const isLasting = (name: string): boolean =>
      this.definition.mode === "merge" && !isSet(wanted[name]) && !this.form.canBeUnset(name);
    const [lasting, others] = [Object.keys(wanted).filter(isLasting), Object.entries(wanted)];
    return {
      wanted: Object.fromEntries(others.filter(([name]) => !isLasting(name))),
      lasting: lasting.filter((name) => isSet(current[name])),
    };
  }

  private async write(
    ctx: Context,
    ref: string,
    { values, wanted, wire }: Record<"values" | "wanted", SettingValues> & { readonly wire: WireValues },
    options: SettingValues,
  ): Promise<WireValues | undefined> {
    const { definition, form } = this;
    const body = form.body(values, definition.mode, wire);
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
