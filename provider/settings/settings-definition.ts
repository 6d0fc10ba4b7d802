import type { z } from "zod";
import type { Problems } from "../client/errors/problem";
import type { Context } from "../define/context";
import type { CheckFailure, DefaultTimeouts, ManagedCollection } from "../define/resource";
import type { SettingValues } from "./original-values";
import type { HealthService } from "../waiting/project-health";
import type { WireValues } from "./settings-mapping";
import type { WireNameExceptions } from "./wire-names";

/** A setting that is managed no longer, by its API name. */
export interface ReleasedSetting {
  /** What the program declared last. */
  readonly declared: unknown;
  readonly current: unknown;
}

export interface LossyWrite<O> {
  readonly ref: string;
  readonly current: SettingValues;
  readonly wanted: SettingValues;
  /** What Pulumi's state has of the settings: what a plan was made of. */
  readonly known: SettingValues;
  readonly options: O;
}

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
  /** Names in the API that do not follow from the setting's. */
  readonly wireNames: WireNameExceptions<S, z.input<B>>;
  /** What the API takes: a setting that is not in it is newer than this version, and kept. */
  readonly body: B;
  /**
   * Fields of the body that older services lack. A service whose answer has none of that name does not know it: it is never
   * sent there, and a program that declares it is told so.
   */
  readonly newer?: Readonly<Record<string, z.ZodType>> | undefined;
  readonly timeouts: DefaultTimeouts;
  readonly problems?: Problems | undefined;
  /** What of a collection it manages that resources of other types manage too. */
  readonly manages?: ManagedCollection | undefined;
  /**
   * What a write means: `replace` sends the whole set, so that what others set is sent along; `merge` sends only what
   * differs, null where a setting is to be unset.
   */
  readonly mode: "replace" | "merge";
  /** What must be healthy before the service takes a write. */
  readonly services: readonly HealthService[];
  /** Rules over several inputs, of which unknown ones are absent; no network. `before` are those of what exists already, if it does. */
  check?(
    declared: Partial<z.output<z.ZodObject<S>>> & Partial<z.output<z.ZodObject<O>>>,
    isUnknown: (name: string) => boolean,
    before: SettingValues | undefined,
  ): readonly CheckFailure[];
  get(ctx: Context, ref: string): Promise<object>;
  /** Outputs that another call shows, by their names in the program; `declared` are the names of the declared settings. */
  readOutputs?(ctx: Context, ref: string, declared: readonly string[]): Promise<Record<string, unknown>>;
  /** Why no write would have an effect, as `get` shows it: an error, or a warning where a delete would restore something. */
  refusal?(seen: WireValues, ref: string): Error | undefined;
  /** Writes and returns what is set then, where the service answers it. */
  put(
    ctx: Context,
    ref: string,
    body: z.input<B>,
    options: Partial<z.output<z.ZodObject<O>>>,
  ): Promise<object | undefined>;
  /**
   * The same for settings that are set, without the others, where the API has such a write beside one of the whole: it unsets
   * nothing, and a service that lacks it answers so.
   */
  patch?(
    ctx: Context,
    ref: string,
    body: z.input<B>,
    options: Partial<z.output<z.ZodObject<O>>>,
  ): Promise<object | undefined>;
  /** The API takes these settings and no others, so there are no `extraSettings`. */
  readonly isClosed?: true;
  /** A read shows every setting, null for one that is not set: one that is absent could not be read. */
  readonly showsAll?: true;
  /** Settings of a group, by path, of which an empty text empties the whole group on the service. */
  readonly emptiedBy?: readonly string[] | undefined;
  /**
   * What a new project has of these settings, in the form of `get`: one for each kind of project. An import leaves out what is
   * as in one of them, or is not named in any and false, empty or not set.
   */
  readonly newProject?: readonly WireValues[] | undefined;
  /** Settings, by path, that no import declares, as it is not known what a new project has, and the sentence that says so. */
  readonly leftOutOfImports?: { readonly paths: RegExp; readonly says: string } | undefined;
  /** Options without which `check` refuses the settings that the service has. */
  consents?(shown: SettingValues): Record<string, unknown>;
  /** What `get` returns as the declared settings are spelled, by the API's names: where the service makes one of several. */
  readonly asDeclared?: (seen: WireValues, declared: WireValues) => WireValues;
  /** Deleting restores nothing, and everything stays as it is: what a warning says then. */
  leftBehind?(ref: string): string;
  /** What comes back when a setting is managed no longer, where that is not always what was found. */
  readonly givesBack?: {
    /** The value that it gets, in the API's form; undefined where it stays as it is. */
    value(found: unknown, now: ReleasedSetting): unknown;
    /** What a warning says of settings that stay. */
    says(ref: string, settings: string): string;
  };
  /** Whether a setting that goes back from one value to another lets in more than before, which a warning says then. */
  opens?(from: unknown, to: unknown): boolean;
  /** Throws where a write would take away what no plan has shown. */
  refuseLoss?(write: LossyWrite<Partial<z.output<z.ZodObject<O>>>>): void;
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
