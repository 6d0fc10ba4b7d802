import { z } from "zod";
import { differences } from "../define/compare";
import { fieldOf, traitsOf } from "../define/markers";
import type { CheckFailure } from "../define/resource";
import { holdsSecret } from "../define/secret-fields";
import { isObject } from "../define/unknown";
import { foundIn, isSet, type Found, type SettingValues } from "./found-settings";
import { unknownIn } from "./keep-unknown";
import { fromWire, toWire, wireNameOf, type WireNames } from "./wire-names";

/** A configuration as the API has it, by the wire's names. */
export type WireValues = Readonly<Record<string, unknown>>;

/** Before the wire's name of a setting that this version does not have. */
const EXTRA = "extraSettings.";

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
  readonly names: readonly string[];
  private readonly fields: ReadonlyMap<string, z.ZodType>;
  private readonly byWireName: ReadonlyMap<string, string>;

  constructor(private readonly parts: Parts) {
    this.fields = new Map(Object.entries(parts.settings));
    this.names = [...this.fields.keys()];
    this.byWireName = new Map(this.names.map((name) => [wireNameOf(parts.wireNames, name), name]));
  }

  /** The settings that inputs or a state declare, those that this version does not have included. */
  declaredNames(inputs: SettingValues): string[] {
    const known = this.names.filter((name) => isSet(inputs[name]));
    return [...known, ...Object.keys(extraIn(inputs)).map((name) => EXTRA + name)];
  }

  /** The declared settings in the wire's form; what is not declared within an object stays as it is. */
  declared(inputs: SettingValues, current: SettingValues = {}): SettingValues {
    const extra = extraIn(inputs);
    return Object.fromEntries(
      this.declaredNames(inputs).map((name) => {
        const field = this.fields.get(name);
        if (field === undefined) return [name, extra[name.slice(EXTRA.length)]];
        return [name, toWire(field, inputs[name], this.parts.wireNames, name, current[name])];
      }),
    );
  }

  /** What an earlier version found of settings that it did not have is of those that this version has. */
  inThisVersion({ values, unset }: Found): Found {
    const nameNow = (name: string): string =>
      name.startsWith(EXTRA) ? (this.byWireName.get(name.slice(EXTRA.length)) ?? name) : name;
    const renamed = Object.entries(values).map(([name, value]) => [nameNow(name), value] as const);
    return { values: Object.fromEntries(renamed), unset: unset.map(nameNow) };
  }

  /** Whether a setting is among changed inputs. */
  isAmong(changed: ReadonlySet<string>, name: string): boolean {
    return changed.has(name.startsWith(EXTRA) ? "extraSettings" : name);
  }

  /** What the service has, by setting. */
  settingsIn(wire: WireValues): SettingValues {
    const known = [...this.byWireName].map(([wireName, name]) => [name, wire[wireName]] as const);
    const extra = Object.entries(unknownIn(this.parts.body, wire)).filter(([name]) => !this.isOutput(name));
    return Object.fromEntries([...known, ...extra.map(([name, value]) => [EXTRA + name, value] as const)]);
  }

  /** The body that brings these values about; where a write replaces everything, what is absent is unset. */
  body(values: SettingValues, mode: "replace" | "merge"): Record<string, unknown> {
    const entries = Object.entries(values).filter(([, value]) => mode === "merge" || isSet(value));
    return Object.fromEntries(entries.map(([name, value]) => [this.wireNameOf(name), value ?? null]));
  }

  /** The inputs as the service has them: null for what is not set there, absent for what it does not show. */
  observed(wire: WireValues, state: SettingValues, ref: string): Record<string, unknown> {
    const known = [...this.fields].map(([name, field]) => {
      const value = wire[this.wireNameOf(name)];
      return [name, this.observedValue(name, field, value, state[name], ref)] as const;
    });
    const extra = Object.keys(extraIn(state)).filter((name) => isSet(wire[name]));
    if (!isSet(state["extraSettings"])) return Object.fromEntries(known);
    return {
      ...Object.fromEntries(known),
      extraSettings: Object.fromEntries(extra.map((name) => [name, wire[name]])),
    };
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
      ([name, value]) => [name, this.isSecret(name) ? SET : value] as const,
    );
    return { ...Object.fromEntries(declared), ...this.withoutSecrets(foundIn(state)) };
  }

  /** A setting that this version has is declared by its own name. */
  extraFailures(extra: unknown): CheckFailure[] {
    return Object.keys(isObject(extra) ? extra : {}).flatMap((wireName) => {
      const path = `extraSettings.${wireName}`;
      const name = this.byWireName.get(wireName);
      if (name !== undefined)
        return [{ path, reason: `declare \`${name}\` instead, which this version has` }];
      const isKnown = Object.hasOwn(this.parts.body.shape, wireName);
      return isKnown ? [{ path, reason: "it is no setting, but part of how a change is made" }] : [];
    });
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

  private wireNameOf(name: string): string {
    return name.startsWith(EXTRA) ? name.slice(EXTRA.length) : wireNameOf(this.parts.wireNames, name);
  }
}

function extraIn(values: SettingValues): Record<string, unknown> {
  const { extraSettings } = values;
  return isObject(extraSettings) ? extraSettings : {};
}
