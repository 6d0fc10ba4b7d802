import type { z } from "zod";
import { unwrapSchema, listChildSchemas, shapeOf } from "../../spec/shape-of";

/** What `provider/engine` must know of a field beyond its type. */
export interface FieldTraits {
  /** Its value is a secret: it leaves the provider only as a Pulumi secret. */
  readonly secret?: boolean;
  /** A secret that is built around another one: messages hide that one only, as the rest may be named. */
  readonly composed?: boolean;
  /** A changed value replaces the resource; `delete-first` where the user fixed a name that cannot exist twice. */
  readonly replaces?: "create-first" | "delete-first";
  /**
   * What a replacement would delete though this program may not have made it, within a sentence: a changed value is refused, and
   * only `pulumi up --target-replace` replaces the resource.
   */
  readonly replacementDeletes?: string;
  /** No replacement brings a changed value about: it is refused, and these sentences say what to do instead. */
  readonly insteadOfReplacement?: string;
  /** A changed value moves the object: an update does that, and nothing is replaced beside it. */
  readonly moves?: boolean;
  /** The service never returns it: the last value set is kept in state, and it cannot drift. */
  readonly writeOnly?: boolean;
  /** An option of this provider, never sent: a change is written to state without a call. */
  readonly local?: boolean;
  /** A local option that says what is read: a change of it is an update, which reads it. */
  readonly decidesRead?: boolean;
  /** Matters while creating only: neither compared nor kept in state. */
  readonly createOnly?: boolean;
  /** The service answers this hash of the value, which the project's reference may be the key of. */
  readonly hashed?: (value: string, projectRef: string) => string;
  /** It tells what these inputs say, as a hash of them does: where the program makes a secret of one, it is a secret too. */
  readonly derivedFrom?: readonly string[];
  /** Computed by `check`, never set by a user. */
  readonly computed?: boolean;
  /** An array whose order and repetitions mean nothing. */
  readonly set?: boolean;
  /** Taken out of the program, it is a change that `update` brings about. */
  readonly resets?: boolean;
  /** Taken out of the program, it stays on the service as it is, and this is how to have it otherwise: a sentence. */
  readonly staysUnless?: string;
  /** An object of inputs by themselves: one taken out of the program is a change, as it is of a whole input. */
  readonly group?: boolean;
  /** It names a file that holds the text of this sibling. */
  readonly textOf?: string;
  /** A name that the plugin makes up when the program gives none (Pulumi's autonaming). */
  readonly autonamed?: Autonaming;
  /** Distinguishes the object from others on the service, though it can be changed in place. */
  readonly identifies?: boolean;
  /** Names the object that this one is part of. */
  readonly parent?: boolean;
  /** An output that stays what it is while the resource lives: known while an update is previewed. */
  readonly stable?: boolean;
  /** The input with which alone such an output changes. */
  readonly changesWith?: string;
  /** For programs of the dynamic classes only; the plugin's users have Pulumi's own option instead. */
  readonly dynamicOnly?: boolean;
  /** Brings spellings of one value into one form before they are compared. */
  readonly normalize?: (value: unknown) => unknown;
  /** An object of a component: the settings of a resource of this type. */
  readonly settingsOf?: string;
  /** A number that the API has as text. */
  readonly textOnWire?: boolean;
  /** A list of values that the service may add to: an unlisted one is sent, with a warning. */
  readonly isOpen?: boolean;
  /** Limits of the service: a number outside of them is sent, with a warning. */
  readonly knownRange?: KnownRange;
  /** What a text must look like, as a check tells it: "expected … , as `…`". */
  readonly form?: string;
  /** A text of that form. */
  readonly example?: string;
  readonly description?: string;
}

/** Numbers that the service takes as far as this version knows; a bound that is absent is not known. */
export interface KnownRange {
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}

/** How a made-up name must look. */
export interface Autonaming {
  /** Between the resource's name and the random part. */
  readonly separator: "-" | "_";
  /** It must be a letter, then letters, digits, `_` and `-`. */
  readonly isSlug?: true;
  /** Characters. */
  readonly maxLength: number;
}

function mark<S extends z.ZodType>(schema: S, traits: FieldTraits): S {
  // `.meta()` clones the schema: its type is the same.
  return schema.meta({ ...traits });
}

/** The value is a secret. */
export const secret = <S extends z.ZodType>(schema: S): S => mark(schema, { secret: true });

/** A secret that is built around another one. */
export const composed = <S extends z.ZodType>(schema: S): S => mark(schema, { composed: true });

/** A changed value replaces the resource. */
export const replaces = <S extends z.ZodType>(
  schema: S,
  order: "create-first" | "delete-first" = "create-first",
): S => mark(schema, { replaces: order });

/** A changed value is refused unless the user names the resource as a target of `--target-replace`: `what` would be deleted. */
export const replacesWhenTargeted = <S extends z.ZodType>(
  schema: S,
  what: string,
  order: "create-first" | "delete-first" = "create-first",
): S => mark(schema, { replaces: order, replacementDeletes: what });

/** A changed value is refused, as neither an update nor a replacement brings it about; `advice` are sentences. */
export const neverReplaced = <S extends z.ZodType>(schema: S, advice: string): S =>
  mark(schema, { replaces: "create-first", insteadOfReplacement: advice });

/** A changed value moves the object by an update; what is adopted has to have the value already. */
export const moves = <S extends z.ZodType>(schema: S): S =>
  mark(schema, { replaces: "create-first", moves: true });

/** Whether a changed value replaces the resource without a word of the user's. */
export function isReplacedOnChange({
  replaces: order,
  replacementDeletes,
  insteadOfReplacement,
  moves: isMove,
}: FieldTraits): boolean {
  const isRefused = replacementDeletes !== undefined || insteadOfReplacement !== undefined;
  return order !== undefined && !isRefused && isMove !== true;
}

/** A number that the API has as text; a state may have that text too. */
export const asText = <S extends z.ZodType>(schema: S): S =>
  mark(schema, { textOnWire: true, normalize: parseDigits });

/** The number that a text says; anything else as it is. */
export function parseDigits(value: unknown): unknown {
  return typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
}

/** The service never returns the value. */
export const writeOnly = <S extends z.ZodType>(schema: S): S => mark(schema, { writeOnly: true });

/** An option of this provider that is never sent. */
export const local = <S extends z.ZodType>(schema: S): S => mark(schema, { local: true });

/** An option of this provider that says what is read. */
export const readOption = <S extends z.ZodType>(schema: S): S =>
  mark(schema, { local: true, decidesRead: true });

/** The service answers a hash of the value, by which drift is recognised. */
export const hashedBy = <S extends z.ZodType>(
  schema: S,
  hashed: (value: string, projectRef: string) => string,
): S => mark(schema, { hashed });

/** Matters while creating only. */
export const createOnly = <S extends z.ZodType>(schema: S): S => mark(schema, { createOnly: true });

/** It tells what inputs say, and is as secret as they are. */
export const derivedFrom = <S extends z.ZodType>(schema: S, ...inputs: readonly string[]): S =>
  mark(schema, { derivedFrom: inputs });

/** Computed by `check`. */
export const computed = <S extends z.ZodType>(schema: S): S => mark(schema, { computed: true });

/** Compared as a set. */
export const asSet = <S extends z.ZodType>(schema: S): S => mark(schema, { set: true });

/** Taken out of the program, it goes back to what the service has by default. */
export const resets = <S extends z.ZodType>(schema: S): S => mark(schema, { resets: true });

/** Taken out of the program, it stays as it is; `advice` says how to have it otherwise, as a sentence. */
export const stays = <S extends z.ZodType>(schema: S, advice: string): S =>
  mark(schema, { staysUnless: advice });

/** An object whose fields are inputs by themselves. */
export const grouped = <S extends z.ZodType>(schema: S): S => mark(schema, { group: true });

/** Names a file that holds the text of a sibling. */
export const fileOf = <S extends z.ZodType>(schema: S, sibling: string): S =>
  mark(schema, { textOf: sibling });

/** A name that the plugin makes up when the program gives none. */
export const autonamed = <S extends z.ZodType>(schema: S, naming: Autonaming): S =>
  mark(schema, { autonamed: naming });

/** Distinguishes the object from others, though it can be changed in place. */
export const identifies = <S extends z.ZodType>(schema: S): S => mark(schema, { identifies: true });

/** Names the object that this one is part of, as a project or an organization. */
export const parent = <S extends z.ZodType>(schema: S): S => mark(schema, { parent: true });

/** An output that never changes while the resource lives. */
export const stable = <S extends z.ZodType>(schema: S): S => mark(schema, { stable: true });

/** An output that changes with an input alone. */
export const stableUnless = <S extends z.ZodType>(schema: S, input: string): S =>
  mark(schema, { stable: true, changesWith: input });

/** The settings of a resource that a component makes. */
export const settingsOf = <S extends z.ZodType>(schema: S, type: string): S =>
  mark(schema, { settingsOf: type });

/** Not part of the plugin's schema. */
export const dynamicOnly = <S extends z.ZodType>(schema: S): S => mark(schema, { dynamicOnly: true });

/** A text of a certain form: every check of it that fails says the sentence and the example. */
export const formed = <S extends z.ZodType>(schema: S, sentence: string, example: string): S =>
  mark(schema, { form: `expected ${sentence}, as \`${example}\``, example });

/** Compared after `normalize`. */
export const comparedBy = <S extends z.ZodType>(schema: S, normalize: (value: unknown) => unknown): S =>
  mark(schema, { normalize });

/** Whether a program may leave the field out. */
export function isOptional(schema: z.ZodType): boolean {
  return schema.safeParse(undefined).success;
}

/** A field's name, its schema and its traits. */
type MarkedField = readonly [name: string, field: z.ZodType, traits: FieldTraits];

// Marking clones a schema, so that what is marked at one never changes; it is asked for with every step.
const knownTraits = new WeakMap<z.ZodType, FieldTraits>();
const knownFields = new WeakMap<z.ZodObject, readonly MarkedField[]>();

/** The traits of a field, wherever in its wrappers they were marked. */
export function traitsOf(schema: z.ZodType): FieldTraits {
  const known = knownTraits.get(schema);
  if (known !== undefined) return known;
  const inner = unwrapSchema(schema);
  // The markers above are the only writers of these keys.
  const traits = { ...(inner === schema ? {} : inner.meta()), ...schema.meta() } as FieldTraits;
  knownTraits.set(schema, traits);
  return traits;
}

/** The field of that name, whatever the name: every object has a `constructor`, which is no field. */
export function fieldOf(schema: z.ZodObject, name: string): z.ZodType | undefined {
  // Zod types fields by its core interface; every schema here is made by the classic API.
  return Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined;
}

/** The fields of an object schema with their traits. */
export function listMarkedFields(schema: z.ZodObject): readonly MarkedField[] {
  const known = knownFields.get(schema);
  if (known !== undefined) return known;
  const fields = Object.entries(schema.shape).map(([name, field]): MarkedField => {
    const classic = field as z.ZodType;
    return [name, classic, traitsOf(classic)];
  });
  knownFields.set(schema, fields);
  return fields;
}

/** Names of the top-level properties that are secret or hold a secret. */
export function listSecretNames(schema: z.ZodObject): string[] {
  return listMarkedFields(schema)
    .filter(([, field]) => holdsSecret(field))
    .map(([name]) => name);
}

/** Whether the value is secret or holds a secret. */
export function holdsSecret(schema: z.ZodType): boolean {
  return traitsOf(schema).secret === true || listChildSchemas(shapeOf(schema)).some(holdsSecret);
}
