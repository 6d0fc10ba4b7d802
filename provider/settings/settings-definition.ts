import type { z } from "zod";
import type { Problems } from "../client/errors/problem";
import type { Api, Context } from "../define/context";
import type { CheckFailure, DefaultTimeouts } from "../define/resource";
import type { SettingValues } from "./mapping/original-values";
import type { HealthService } from "../waiting/project-health";
import type { WireValues } from "./mapping/settings-mapping";
import type { WireNameExceptions } from "./mapping/wire-names";

/** What a write has beside its body. */
export interface WriteDetails<O extends z.ZodRawShape, B extends z.ZodObject> {
  readonly options: Partial<z.output<z.ZodObject<O>>>;
  /** The body with only what differs, null where a setting is to be unset: in the mode `merge` the body itself. */
  readonly changes: z.input<B>;
}

type ProjectConfigAnswer = Awaited<ReturnType<Api["getProjectConfig"]>>;

/** What is in force in a whole project, as one call answers it: a setting that was never set is at its default there. */
export type ProjectConfig = NonNullable<NonNullable<ProjectConfigAnswer["data"]>["attributes"]>;

/** Where the answer about the whole project has a configuration. */
export interface ProjectConfigPart<R extends z.ZodRawShape> {
  /** The configuration in the form of `get`, as far as the answer shows it. */
  pick(config: ProjectConfig): object | null | undefined;
  /** Outputs that the answer never shows: while it shows the settings as declared, they stay as the state has them. */
  readonly keptOutputs: readonly (keyof R & string)[];
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
  readonly timeouts: DefaultTimeouts;
  readonly problems?: Problems | undefined;

  // The mapping: what the settings are in a program and in the API.
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
  /** The API takes these settings and no others, so there are no `extraSettings`. */
  readonly isClosed?: true;
  /**
   * A read shows only the settings that are set, so one that is absent is not set. A read of any other configuration shows every
   * setting, null for one that is not set: what is absent there is not known.
   */
  readonly showsOnlySet?: true;
  /**
   * What a new project has of these settings, in the form of `get`: one for each kind of project. An import leaves out what is
   * as in one of them, or is not named in any and false, empty or not set.
   */
  readonly newProject?: readonly WireValues[] | undefined;

  // The plan: what is brought about, refused and reported.
  /** Rules over several inputs, of which unknown ones are absent; no network. `before` are those of what exists already, if it does. */
  check?(
    declared: Partial<z.output<z.ZodObject<S>>> & Partial<z.output<z.ZodObject<O>>>,
    isUnknown: (name: string) => boolean,
    before: SettingValues | undefined,
  ): readonly CheckFailure[];
  /** Whether a setting that goes back from one value to another lets in more than before, which a warning says then. */
  opens?(from: unknown, to: unknown, name: string): boolean;

  // The write: the calls, and what is waited for.
  /**
   * What a write means: `replace` sends the whole set, so that what others set is sent along; `merge` sends only what
   * differs, null where a setting is to be unset.
   */
  readonly mode: "replace" | "merge";
  /** What must be healthy before the service takes a write. */
  readonly services: readonly HealthService[];
  get(ctx: Context, ref: string): Promise<object>;
  /**
   * Its part of the answer about the whole project. That tells a refresh only that nothing has changed: everything else, and what
   * a write or a delete rests on, is read by `get`.
   */
  readonly inProjectConfig?: ProjectConfigPart<R>;
  /** Writes and returns what is set then, where the service answers it. */
  put(ctx: Context, ref: string, body: z.input<B>, write: WriteDetails<O, B>): Promise<object | undefined>;
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
