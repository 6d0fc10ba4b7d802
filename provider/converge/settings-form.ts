import { z } from "zod";
import { differences } from "../define/compare";
import { fieldOf, traitsOf } from "../define/markers";
import { holdsSecret } from "../define/secret-fields";
import { isObject } from "../define/unknown";
import { foundIn, isSet, SECRET_SET, type Found, type SettingValues } from "./found-settings";
import { unknownIn } from "./keep-unknown";
import { isInGroup, inputOf, settingFields, valueAt, type SettingFields } from "./setting-fields";
import { FILE_HASHES, isSameText, textByHash } from "./setting-files";
import { fromWire, programPathBelow, toWire, wireNameOf, type WireNames } from "./wire-names";

/** A configuration as the API has it, by the wire's names. */
export type WireValues = Readonly<Record<string, unknown>>;

/** Before the wire's name of a setting that this version does not have. */
export const EXTRA = "extraSettings.";

const ANYTHING = z.unknown();

export interface SettingsParts {
  readonly settings: Readonly<Record<string, z.ZodType>>;
  readonly outputs: Readonly<Record<string, z.ZodType>>;
  readonly wireNames: WireNames;
  readonly body: z.ZodObject;
  readonly emptiedBy?: readonly string[] | undefined;
  readonly asDeclared?: (seen: WireValues, declared: WireValues) => WireValues;
}

/** Takes the settings of a configuration from a program's form into the wire's and back, and compares them. */
export class SettingsForm {
  /** The settings by path. */
  readonly names: readonly string[];
  readonly fields: SettingFields["fields"];
  readonly files: SettingFields["files"];
  private readonly byWireName: ReadonlyMap<string, string>;
  private readonly wireNames: ReadonlyMap<string, string>;

  constructor(private readonly parts: SettingsParts) {
    const { fields, files } = settingFields(parts.settings);
    this.fields = fields;
    this.files = files;
    this.names = [...fields.keys()];
    this.wireNames = new Map(this.names.map((name) => [name, wireNameOf(parts.wireNames, name)]));
    this.byWireName = new Map([...this.wireNames].map(([name, wireName]) => [wireName, name]));
    const lost = this.names.find((name) => this.byWireName.get(this.wireNameOf(name)) !== name);
    if (lost !== undefined) throw new Error(`Another setting has the wire's name of ${lost} as well.`);
  }

  /** The settings that inputs or a state declare, those that this version does not have included. */
  declaredNames(inputs: SettingValues): string[] {
    const known = this.names.filter((name) => this.isGiven(inputs, name));
    const emptied = this.emptiedNames(inputs).filter((name) => !known.includes(name));
    return [...known, ...emptied, ...Object.keys(extraIn(inputs)).map((name) => EXTRA + name)];
  }

  /** The settings that the service empties with the declared ones. */
  emptiedNames(inputs: SettingValues): string[] {
    const emptying = (this.parts.emptiedBy ?? []).filter((name) => valueAt(inputs, name) === "");
    return emptying.flatMap((name) => {
      const group = name.slice(0, name.lastIndexOf(".") + 1);
      return this.names.filter((other) => other.startsWith(group) && other !== name);
    });
  }

  isGiven(inputs: SettingValues, name: string): boolean {
    const file = this.files.get(name);
    return isSet(valueAt(inputs, name)) || (file !== undefined && isSet(valueAt(inputs, file)));
  }

  /**
   * The declared settings in the wire's form, null for what is emptied with them; what is not declared within an object
   * stays as it is. A text in a file that is not read is there by its hash.
   */
  declared(inputs: SettingValues, current: SettingValues = {}): SettingValues {
    const extra = extraIn(inputs);
    return Object.fromEntries(
      this.declaredNames(inputs).map((name) => {
        const field = this.fields.get(name);
        if (field === undefined) return [name, extra[name.slice(EXTRA.length)]];
        const value = valueAt(inputs, name);
        const file = this.files.get(name);
        if (isSet(value)) return [name, toWire(field, value, this.parts.wireNames, name, current[name])];
        return [name, file !== undefined && this.isGiven(inputs, name) ? textByHash(inputs, file) : null];
      }),
    );
  }

  /** What an earlier version found of settings that it did not have is of those that this version has. */
  inThisVersion({ values, unset }: Found): Found {
    const nameNow = (name: string): string =>
      name.startsWith(EXTRA) ? (this.settingOf(name.slice(EXTRA.length)) ?? name) : name;
    const renamed = Object.entries(values).map(([name, value]) => [nameNow(name), value] as const);
    return { values: Object.fromEntries(renamed), unset: unset.map(nameNow) };
  }

  /** What the service has, by setting, as the declared ones are spelled. */
  settingsIn(answer: WireValues, inputs: SettingValues): SettingValues {
    const wire = this.spelled(answer, inputs);
    const known = [...this.byWireName].map(([wireName, name]) => [name, wire[wireName]] as const);
    const extra = Object.entries(unknownIn(this.parts.body, wire)).filter(([name]) => !this.isOutput(name));
    return Object.fromEntries([...known, ...extra.map(([name, value]) => [EXTRA + name, value] as const)]);
  }

  /** An answer as the declared settings are spelled. */
  spelled(wire: WireValues, inputs: SettingValues): WireValues {
    const { asDeclared } = this.parts;
    return asDeclared === undefined ? wire : asDeclared(wire, this.body(this.declared(inputs), "merge"));
  }

  /** The body that brings these values about; where a write replaces everything, what is absent is unset. */
  body(values: SettingValues, mode: "replace" | "merge"): Record<string, unknown> {
    const entries = Object.entries(values).filter(([, value]) => mode === "merge" || isSet(value));
    return Object.fromEntries(entries.map(([name, value]) => [this.wireNameOf(name), value ?? null]));
  }

  /** A value of the wire as a program declares it. */
  fromWire(name: string, value: unknown): unknown {
    const field = this.fields.get(name);
    return field === undefined ? value : fromWire(field, value, this.parts.wireNames, name);
  }

  /** The settings whose wanted value the service does not have, as far as it shows them. */
  differing(ref: string, current: SettingValues, wanted: SettingValues): string[] {
    return Object.keys(wanted).filter(
      (name) => this.shows(name) !== "nothing" && !this.isSame(ref, name, current[name], wanted[name]),
    );
  }

  isSameFor(ref: string): (name: string, one: unknown, other: unknown) => boolean {
    return (name, one, other) => this.isSame(ref, name, one, other);
  }

  /** Whether two values of the wire mean the same, where one may be the hash of the other. */
  isSame(ref: string, name: string, one: unknown, other: unknown): boolean {
    const field = this.fields.get(name);
    if (field === undefined) return differences(ANYTHING, one, other).length === 0;
    if (typeof one === "string" && typeof other === "string") {
      if (this.files.has(name) && isSameText(one, other)) return true;
      const hash = traitsOf(field).hashed;
      if (hash !== undefined) return one === other || hash(one, ref) === other || hash(other, ref) === one;
    }
    const [left, right] = [one, other].map((each) => (isSet(each) ? this.fromWire(name, each) : undefined));
    if (!isSet(left) && !isSet(right)) return true;
    return differences(field, left, right).length === 0 && differences(field, right, left).length === 0;
  }

  /** Whether the API takes null for it; of what it does not list nobody knows. */
  canBeUnset(name: string): boolean {
    return fieldOf(this.parts.body, this.wireNameOf(name))?.safeParse(null).success ?? true;
  }

  /** What the service shows of a setting. */
  shows(name: string): "value" | "presence" | "nothing" {
    const field = this.fields.get(name);
    if (field === undefined) return "value";
    const { writeOnly, hashed } = traitsOf(field);
    if (writeOnly === true) return "nothing";
    return hashed === undefined ? "value" : "presence";
  }

  /** The outputs that hold what was found. */
  toOutputs(found: Found): {
    __found: { values: SettingValues; unset: string[] };
    __foundSecrets?: SettingValues;
  } {
    const secrets = Object.entries(found.values).filter(([name]) => this.isSecret(name));
    const hasSecrets = this.names.some((name) => this.isSecret(name));
    return {
      ...this.withoutSecrets(found),
      ...(hasSecrets ? { __foundSecrets: Object.fromEntries(secrets) } : {}),
    };
  }

  /** What may stand elsewhere than in Pulumi's state. */
  withoutSecrets({ values, unset }: Found): { __found: { values: SettingValues; unset: string[] } } {
    const clear = Object.entries(values).filter(([name]) => !this.isSecret(name));
    return { __found: { values: Object.fromEntries(clear), unset: [...unset] } };
  }

  /** What other resources of the same configuration must know: what is declared, and what was found, without secrets. */
  shared(state: SettingValues): Record<string, unknown> {
    const declared = Object.entries(this.declared(state)).map(
      ([name, value]) => [name, this.isSecret(name) && isSet(value) ? SECRET_SET : value] as const,
    );
    return { ...Object.fromEntries(declared), ...this.withoutSecrets(foundIn(state)) };
  }

  /** What stands beside the settings. */
  outputsIn(wire: WireValues): Record<string, unknown> {
    return Object.fromEntries(Object.entries(wire).filter(([name]) => this.isOutput(name)));
  }

  /** The setting that has this name on the wire. */
  settingOf(wireName: string): string | undefined {
    return this.byWireName.get(wireName);
  }

  /** The program's path of a place in a body, as `smtp.host` of `smtp_host`. */
  programPath(place: string): string | undefined {
    const [wireName = "", ...below] = place.split(".");
    const name = this.settingOf(wireName);
    const field = name === undefined ? undefined : this.fields.get(name);
    if (name === undefined || field === undefined) return undefined;
    return name + programPathBelow(field, below, this.parts.wireNames, name);
  }

  wireNameOf(name: string): string {
    if (name.startsWith(EXTRA)) return name.slice(EXTRA.length);
    return this.wireNames.get(name) ?? wireNameOf(this.parts.wireNames, name);
  }

  /** The settings that a change of inputs concerns: of a group those that differ, or are not managed yet. */
  isConcerned(changed: ReadonlySet<string>, name: string, isAsBefore: (name: string) => boolean): boolean {
    if (name.startsWith(EXTRA)) return changed.has("extraSettings");
    const isChanged = changed.has(inputOf(name)) || (this.files.has(name) && changed.has(FILE_HASHES));
    return isChanged && !(isInGroup(name) && isAsBefore(name));
  }

  private isOutput(name: string): boolean {
    return Object.hasOwn(this.parts.outputs, name);
  }

  private isSecret(name: string): boolean {
    const field = this.fields.get(name);
    return field !== undefined && holdsSecret(field);
  }
}

export function extraIn(values: SettingValues): Record<string, unknown> {
  const { extraSettings } = values;
  return isObject(extraSettings) ? extraSettings : {};
}
