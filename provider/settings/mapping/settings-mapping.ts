import { z } from "zod";
import { isObject } from "../../../spec/is-object";
import { schemaAt, shapeOf } from "../../../spec/shape-of";
import { listDifferingPaths } from "../../define/compare";
import { traitsOf, holdsSecret } from "../../define/markers";
import { EXTRA, ExtraSettings } from "./extra-settings";
import { readOriginals, isSet, SECRET_SET, type OriginalValues, type SettingValues } from "./original-values";
import {
  inputNameOf,
  isInGroup,
  putAt,
  putBelow,
  collectSettingFields,
  valueAt,
  readBelow,
  type SettingFields,
  type SettingTable,
  type WirePath,
} from "./setting-fields";
import { FILE_HASHES, isSameText, formatTextHash } from "./setting-files";
import { fromWire, formatProgramPath, toWire } from "./wire-names";

/** A configuration as the API has it, by the API's names. */
export type WireValues = Readonly<Record<string, unknown>>;

const ANYTHING = z.unknown();

// An interface would not be a record of values to TypeScript.
type StoredOriginals = { readonly __found: { values: SettingValues; unset: string[]; secrets?: string[] } };

export interface MappingTable extends SettingTable {
  readonly outputs: Readonly<Record<string, z.ZodType>>;
}

/** Takes the settings of a configuration from a program's form into the API's and back, and compares them. */
export class SettingsMapping {
  /** The settings by path. */
  readonly names: readonly string[];
  readonly fields: SettingFields["fields"];
  readonly files: SettingFields["files"];
  readonly extra: ExtraSettings;
  private readonly wirePaths: SettingFields["wirePaths"];

  constructor(private readonly table: MappingTable) {
    const { fields, files, wirePaths } = collectSettingFields(table);
    this.fields = fields;
    this.files = files;
    this.wirePaths = wirePaths;
    this.names = [...fields.keys()];
    this.extra = new ExtraSettings(wirePaths, table.body);
  }

  /** The settings that inputs or a state declare, those that this version does not have included. */
  listDeclared(inputs: SettingValues): string[] {
    const known = this.names.filter((name) => this.isGiven(inputs, name));
    return [...known, ...this.extra.readDeclared(inputs).keys()];
  }

  isGiven(inputs: SettingValues, name: string): boolean {
    const file = this.files.get(name);
    return isSet(valueAt(inputs, name)) || (file !== undefined && isSet(valueAt(inputs, file)));
  }

  /**
   * The declared settings in the API's form, null for one that is listed as declared and has no value; what is not declared
   * within an object stays as it is. A text in a file that is not read is there by its hash.
   */
  convertDeclared(inputs: SettingValues, current: SettingValues = {}): SettingValues {
    const extra = this.extra.readDeclared(inputs);
    return Object.fromEntries(
      this.listDeclared(inputs).map((name) => {
        const field = this.fields.get(name);
        if (field === undefined) return [name, extra.get(name)];
        const value = valueAt(inputs, name);
        const file = this.files.get(name);
        if (isSet(value)) return [name, toWire(field, value, this.table.wireNames, name, current[name])];
        return [name, file !== undefined && this.isGiven(inputs, name) ? formatTextHash(inputs, file) : null];
      }),
    );
  }

  /** What an earlier version found of settings that it did not have is of those that this version has. */
  upgradeOriginals({ values, unset, lost }: OriginalValues): OriginalValues {
    const renamed = Object.entries(values).flatMap(([name, value]) => {
      const now = this.extra.findKnown(name);
      return now.length === 0
        ? [[name, value] as const]
        : now.map(({ name: known, below }) => [known, readBelow(value, below)] as const);
    });
    const unsetNow = unset.flatMap((name) => {
      const now = this.extra.findKnown(name).map((known) => known.name);
      return now.length === 0 ? [name] : now;
    });
    return { values: Object.fromEntries(renamed), unset: unsetNow, lost };
  }

  /** What the service has, by setting, as the declared ones are spelled. */
  pickSettings(answer: WireValues, inputs: SettingValues): SettingValues {
    const wire = this.spellAsDeclared(answer, inputs);
    const known = [...this.wirePaths].map(([name, path]) => [name, readBelow(wire, path)] as const);
    const shown = Object.entries(wire).filter(([name]) => !this.isOutput(name));
    return Object.fromEntries([...known, ...this.extra.listShown(Object.fromEntries(shown))]);
  }

  /** An answer as the declared settings are spelled, where the service makes one of several. */
  spellAsDeclared(wire: WireValues, _inputs: SettingValues): WireValues {
    return wire;
  }

  /** The body that brings these values about; where a write replaces everything, what is absent is unset. */
  body(values: SettingValues, mode: "replace" | "merge", there: WireValues): Record<string, unknown> {
    const sent = Object.entries(values)
      .filter(([, value]) => mode === "merge" || isSet(value))
      .map(([name, value]) => [this.wirePathOf(name), value ?? null] as const);
    return mergeBody(sent, this.table.body, mode === "merge" ? there : {});
  }

  /** A value of the API as a program declares it. */
  fromWire(name: string, value: unknown): unknown {
    const field = this.fields.get(name);
    return field === undefined ? value : fromWire(field, value, this.table.wireNames, name);
  }

  /** A body of the API as a program declares it: what this version does not have is in `extraSettings`. */
  inputsOf(body: WireValues): Record<string, unknown> {
    const inputs: Record<string, unknown> = {};
    for (const name of this.names) {
      const value = readBelow(body, this.wirePathOf(name));
      if (isSet(value)) putAt(inputs, name, this.fromWire(name, value));
    }
    const extra: Record<string, unknown> = {};
    for (const [name, value] of this.extra.listShown(body)) putBelow(extra, this.wirePathOf(name), value);
    return Object.keys(extra).length === 0 ? inputs : { ...inputs, extraSettings: extra };
  }

  /** The settings whose wanted value the service does not have, as far as it shows them. */
  listDiffering(ref: string, current: SettingValues, wanted: SettingValues): string[] {
    return Object.keys(wanted).filter(
      (name) => this.visibilityOf(name) !== "nothing" && !this.isSame(ref, name, current[name], wanted[name]),
    );
  }

  /** Whether two values of the API mean the same, where one may be the hash of the other. */
  isSame(ref: string, name: string, one: unknown, other: unknown): boolean {
    const field = this.fields.get(name);
    if (field === undefined) return listDifferingPaths(ANYTHING, one, other).length === 0;
    if (typeof one === "string" && typeof other === "string") {
      if (this.files.has(name) && isSameText(one, other)) return true;
      const hash = traitsOf(field).hashed;
      if (hash !== undefined) return one === other || hash(one, ref) === other || hash(other, ref) === one;
    }
    const [left, right] = [one, other].map((each) => (isSet(each) ? this.fromWire(name, each) : undefined));
    if (!isSet(left) && !isSet(right)) return true;
    return (
      listDifferingPaths(field, left, right).length === 0 &&
      listDifferingPaths(field, right, left).length === 0
    );
  }

  /** Whether the API takes null for it; for what it does not list, that is not known. */
  canBeUnset(name: string): boolean {
    return schemaAt(this.table.body, this.wirePathOf(name))?.safeParse(null).success ?? true;
  }

  /** What the service shows of a setting. */
  visibilityOf(name: string): "value" | "presence" | "nothing" {
    const field = this.fields.get(name);
    if (field === undefined) return "value";
    const { writeOnly, hashed } = traitsOf(field);
    if (writeOnly === true) return "nothing";
    return hashed === undefined ? "value" : "presence";
  }

  /** The outputs that hold the original values. */
  toOutputs(originals: OriginalValues): StoredOriginals & { __foundSecrets?: SettingValues } {
    const secrets = Object.entries(originals.values).filter(([name]) => this.isSecret(name));
    const hasSecrets = this.names.some((name) => this.isSecret(name));
    return {
      ...this.omitSecrets(originals),
      ...(hasSecrets ? { __foundSecrets: Object.fromEntries(secrets) } : {}),
    };
  }

  /** What may stand elsewhere than in Pulumi's state: of a secret, that it had a value. */
  omitSecrets(originals: OriginalValues): StoredOriginals {
    const clear = Object.entries(originals.values).filter(([name]) => !this.isSecret(name));
    const secrets = this.listSecrets(originals);
    return {
      __found: {
        values: Object.fromEntries(clear),
        unset: [...originals.unset],
        ...(secrets.length > 0 ? { secrets } : {}),
      },
    };
  }

  /** The secrets among them, those that are lost included. */
  listSecrets({ values, lost }: OriginalValues): string[] {
    return [...Object.keys(values).filter((name) => this.isSecret(name)), ...lost].sort();
  }

  /** What other resources of the same configuration must know: what is declared, and the original values, without secrets. */
  pickShared(state: SettingValues): Record<string, unknown> {
    const declared = Object.entries(this.convertDeclared(state)).map(
      ([name, value]) => [name, this.isSecret(name) && isSet(value) ? SECRET_SET : value] as const,
    );
    return { ...Object.fromEntries(declared), ...this.omitSecrets(readOriginals(state)) };
  }

  /** What stands beside the settings. */
  pickOutputs(wire: WireValues): Record<string, unknown> {
    return Object.fromEntries(Object.entries(wire).filter(([name]) => this.isOutput(name)));
  }

  /** The program's path of a place in a body, as `smtp.host` of `smtp_host`. */
  findProgramPath(place: string): string | undefined {
    const keys = place.split(".");
    for (const end of [...keys.keys()].reverse()) {
      const name = this.extra.findProgramPath(keys.slice(0, end + 1).join("."));
      if (name === undefined) continue;
      const below = keys.slice(end + 1);
      const field = this.fields.get(name);
      if (field !== undefined) return name + formatProgramPath(field, below, this.table.wireNames, name);
      // A group alone may be a word like any other.
      return keys.length === 1 ? undefined : [name, ...below].join(".");
    }
    return undefined;
  }

  wirePathOf(name: string): WirePath {
    return this.wirePaths.get(name) ?? this.extra.wirePathOf(name);
  }

  /** The settings that a change of inputs concerns: of a group those that differ, or are not managed yet. */
  isConcerned(changed: ReadonlySet<string>, name: string, isAsBefore: (name: string) => boolean): boolean {
    if (name.startsWith(EXTRA)) return changed.has("extraSettings");
    const isChanged = changed.has(inputNameOf(name)) || (this.files.has(name) && changed.has(FILE_HASHES));
    return isChanged && !(isInGroup(name) && isAsBefore(name));
  }

  private isOutput(name: string): boolean {
    return Object.hasOwn(this.table.outputs, name);
  }

  /** Whether there are secrets of which the service shows the value, so that a delete can restore it. */
  get hasShownSecrets(): boolean {
    return this.names.some((name) => this.isSecret(name) && this.visibilityOf(name) === "value");
  }

  isSecret(name: string): boolean {
    const field = this.fields.get(name);
    return field !== undefined && holdsSecret(field);
  }
}

/**
 * The body that brings values about, by their paths in the API. An object of which the API requires a field, or of which
 * nothing is known, is sent whole: with the rest as it is `there`. So is what the API requires of every body.
 */
export function mergeBody(
  values: readonly (readonly [path: WirePath, value: unknown])[],
  schema: z.ZodType,
  there: unknown,
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [path, value] of values) {
    for (const end of path.keys()) {
      const above = path.slice(0, end);
      if (end > 0 && !isObject(readBelow(body, above))) putBelow(body, above, objectAt(above, schema, there));
    }
    putBelow(body, path, value);
  }
  return { ...pickRequired(schema, there), ...body };
}

function pickRequired(schema: z.ZodType, there: unknown): Record<string, unknown> {
  if (!isObject(there)) return {};
  const isRequired = ([name, value]: [string, unknown]): boolean =>
    value !== undefined && schemaAt(schema, [name])?.safeParse(undefined).success === false;
  return Object.fromEntries(Object.entries(there).filter(isRequired));
}

function objectAt(path: WirePath, schema: z.ZodType, there: unknown): Record<string, unknown> {
  const at = schemaAt(schema, path);
  const shape = at && shapeOf(at);
  const fields = shape?.kind === "object" ? Object.values(shape.fields) : undefined;
  const isWhole = fields?.some((field) => !field.safeParse(undefined).success) ?? true;
  const now = readBelow(there, path);
  return isWhole && isObject(now) ? structuredClone(now) : {};
}
