import { z } from "zod";
import { differences } from "../define/compare";
import { fieldOf, traitsOf } from "../define/markers";
import type { CheckFailure } from "../define/resource";
import { holdsSecret } from "../define/secret-fields";
import { foundIn, isFound, isSet, type Found, type SettingValues } from "./found-settings";
import { ExtraSettings, EXTRA } from "./extra-settings";
import { completed, nested, schemaAt, settingsOf, valueAt, type Setting } from "./setting-paths";
import { fromWire, toWire, type WireNames } from "./wire-names";

/** A configuration as the API has it, by the wire's names. */
export type WireValues = Readonly<Record<string, unknown>>;

const ANYTHING = z.unknown();

/** Stands for a secret that is set, where only that it is set matters. */
const SET = "[secret]";

interface Parts {
  readonly settings: Readonly<Record<string, z.ZodType>>;
  readonly outputs: Readonly<Record<string, z.ZodType>>;
  readonly wireNames: WireNames;
  readonly body: z.ZodObject;
}

/** Takes the settings of a configuration from a program's form into the wire's and back, and compares them. */
export class SettingsForm {
  /** The inputs that hold settings. */
  readonly properties: readonly string[];
  readonly names: readonly string[];
  private readonly settings: readonly Setting[];
  private readonly fields: ReadonlyMap<string, z.ZodType>;
  private readonly extra: ExtraSettings;

  constructor(private readonly parts: Parts) {
    this.properties = Object.keys(parts.settings);
    this.settings = settingsOf(parts.settings, parts.wireNames);
    this.fields = new Map(this.settings.map(({ name, schema }) => [name, schema]));
    this.names = [...this.fields.keys()];
    this.extra = new ExtraSettings(this.settings, parts.body);
  }

  /** The settings that inputs or a state declare, those that this version does not have included. */
  declaredNames(inputs: SettingValues): string[] {
    const known = this.names.filter((name) => isSet(declaredAt(inputs, name)));
    return [...known, ...this.extra.in(inputs).keys()];
  }

  /** The declared settings in the wire's form; what is not declared within an object stays as it is. */
  declared(inputs: SettingValues, current: SettingValues = {}): SettingValues {
    const extra = this.extra.in(inputs);
    return Object.fromEntries(
      this.declaredNames(inputs).map((name) => {
        const field = this.fields.get(name);
        if (field === undefined) return [name, extra.get(name)];
        return [name, toWire(field, declaredAt(inputs, name), this.parts.wireNames, name, current[name])];
      }),
    );
  }

  /** What an earlier version found of settings that it did not have is of those that this version has. */
  inThisVersion({ values, unset }: Found): Found {
    const renamed = Object.entries(values).flatMap(([name, value]) => {
      const now = this.extra.knownBy(name);
      return now.length === 0
        ? [[name, value] as const]
        : now.map(({ name: known, below }) => [known, valueAt(value, below)] as const);
    });
    const unsetNow = unset.flatMap((name) => {
      const now = this.extra.knownBy(name).map((known) => known.name);
      return now.length === 0 ? [name] : now;
    });
    return { values: Object.fromEntries(renamed), unset: unsetNow };
  }

  /** Whether a setting is among changed inputs. */
  isAmong(changed: ReadonlySet<string>, name: string): boolean {
    const [property = name] = name.split(".", 1);
    return changed.has(property);
  }

  /** What the service has, by setting. */
  settingsIn(wire: WireValues): SettingValues {
    const known = this.settings.map(({ name, wirePath }) => [name, valueAt(wire, wirePath)] as const);
    const shown = Object.entries(wire).filter(([name]) => !this.isOutput(name));
    return Object.fromEntries([...known, ...this.extra.shownIn(Object.fromEntries(shown))]);
  }

  /** The body that brings these values about; where a write replaces everything, what is absent is unset. */
  body(values: SettingValues, mode: "replace" | "merge", wire: WireValues): Record<string, unknown> {
    const entries = Object.entries(values).filter(([, value]) => mode === "merge" || isSet(value));
    const body = nested(entries.map(([name, value]) => [this.wirePathOf(name), value ?? null] as const));
    if (mode === "replace") return body;
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        completed(fieldOf(this.parts.body, name), value, wire[name]),
      ]),
    );
  }

  /** The inputs as the service has them: null for what is not set there, absent for what it does not show. */
  observed(wire: WireValues, state: SettingValues, ref: string): Record<string, unknown> {
    const known = this.properties.map((name) => [name, this.observedInput(name, wire, state, ref)] as const);
    if (!isSet(state["extraSettings"])) return Object.fromEntries(known);
    return { ...Object.fromEntries(known), extraSettings: this.extra.observed(wire, state) };
  }

  /** Of an object only the fields that are managed are seen; all of them where none is, as by an import. */
  private observedInput(property: string, wire: WireValues, state: SettingValues, ref: string): unknown {
    const of = ({ name, schema, wirePath }: Setting): unknown =>
      this.observedValue(name, schema, valueAt(wire, wirePath), declaredAt(state, name), ref);
    const own = this.settings.find(({ name }) => name === property);
    if (own !== undefined) return of(own);
    const found = foundIn(state);
    const within = this.settings.filter(({ name }) => name.startsWith(`${property}.`));
    const managed = within.filter(({ name }) => isSet(declaredAt(state, name)) || isFound(found, name));
    const seen = (managed.length === 0 ? within : managed).flatMap((setting) => {
      const value = of(setting);
      const { name } = setting;
      // What the service does not show stays as it is declared.
      const shown = value === undefined ? declaredAt(state, name) : value;
      return isSet(shown) ? [[name.split(".").slice(1), shown] as const] : [];
    });
    return seen.length === 0 ? null : nested(seen);
  }

  private observedValue(
    name: string,
    field: z.ZodType,
    value: unknown,
    known: unknown,
    ref: string,
  ): unknown {
    if (this.shows(name) === "nothing") return undefined;
    if (!isSet(value)) return null;
    if (this.shows(name) === "value") return fromWire(field, value, this.parts.wireNames, name);
    // A hash that is not the known value's is drift; of what was never declared it says nothing.
    if (!isSet(known)) return undefined;
    return this.isSame(ref, name, known, value) ? known : value;
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
  private isSame(ref: string, name: string, one: unknown, other: unknown): boolean {
    const field = this.fields.get(name);
    if (field === undefined || !isSet(one) || !isSet(other))
      return differences(ANYTHING, one, other).length === 0;
    const hash = traitsOf(field).hashed;
    if (hash !== undefined && typeof one === "string" && typeof other === "string") {
      return one === other || hash(one, ref) === other || hash(other, ref) === one;
    }
    const [left, right] = [one, other].map((each) => fromWire(field, each, this.parts.wireNames, name));
    return differences(field, left, right).length === 0 && differences(field, right, left).length === 0;
  }

  /** Whether the API takes null for it; of what it does not list nobody knows. */
  canBeUnset(name: string): boolean {
    return schemaAt(this.parts.body, this.wirePathOf(name))?.safeParse(null).success ?? true;
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
      ([name, value]) => [name, this.isSecret(name) ? SET : value] as const,
    );
    return { ...Object.fromEntries(declared), ...this.withoutSecrets(foundIn(state)) };
  }

  /** A setting that this version has is declared by its own name. */
  extraFailures(extra: unknown): CheckFailure[] {
    return this.extra.failures(extra);
  }

  /** What stands beside the settings. */
  outputsIn(wire: WireValues): Record<string, unknown> {
    return Object.fromEntries(Object.entries(wire).filter(([name]) => this.isOutput(name)));
  }

  private isOutput(name: string): boolean {
    return Object.hasOwn(this.parts.outputs, name);
  }

  private isSecret(name: string): boolean {
    const field = this.fields.get(name);
    return field !== undefined && holdsSecret(field);
  }

  private wirePathOf(name: string): readonly string[] {
    if (name.startsWith(EXTRA)) return this.extra.wirePathOf(name);
    return this.settings.find((setting) => setting.name === name)?.wirePath ?? [name];
  }
}

function declaredAt(inputs: SettingValues, name: string): unknown {
  return valueAt(inputs, name.split("."));
}
