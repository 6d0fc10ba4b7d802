import type { z } from "zod";
import type { CheckFailure } from "../define/resource";
import { isObject } from "../define/unknown";
import { isSet, type SettingValues } from "./found-settings";
import { unknownIn } from "./keep-unknown";
import { nested, valueAt, type Setting } from "./setting-paths";

/** Before the wire's name of a setting that this version does not have. */
export const EXTRA = "extraSettings.";

/** Settings that this version does not have, by their paths on the wire: also those of an object that it knows. */
export class ExtraSettings {
  constructor(
    private readonly known: readonly Setting[],
    private readonly body: z.ZodObject,
  ) {}

  /** What inputs or a state declare of them. */
  in({ extraSettings }: SettingValues): ReadonlyMap<string, unknown> {
    return new Map(this.below(extraSettings, []).map(([path, value]) => [nameOf(path), value]));
  }

  /** What an answer shows of them. */
  shownIn(wire: Readonly<Record<string, unknown>>): readonly (readonly [name: string, value: unknown])[] {
    const outer = Object.entries(wire).filter(([name]) => this.isObjectOfSettings([name]));
    const unknown = { ...unknownIn(this.body, wire), ...Object.fromEntries(outer) };
    return this.below(unknown, [])
      .filter(([path, value]) => isSet(value) && !this.isKnown(path))
      .map(([path, value]) => [nameOf(path), value]);
  }

  /** The input as the service has it, as far as it is declared. */
  observed(wire: unknown, state: SettingValues): Record<string, unknown> {
    const paths = [...this.in(state).keys()].map((name) => this.wirePathOf(name));
    const entries = paths.map((path) => [path, valueAt(wire, path)] as const);
    return nested(entries.filter(([, value]) => isSet(value)));
  }

  wirePathOf(name: string): readonly string[] {
    const keys = name.slice(EXTRA.length).split(".");
    const path: string[] = [];
    while (keys.length > 1 && this.isObjectOfSettings([...path, keys[0] ?? ""]))
      path.push(keys.shift() ?? "");
    return [...path, keys.join(".")];
  }

  /** The settings of this version that an earlier one had under this name, with their paths below it. */
  knownBy(name: string): { readonly name: string; readonly below: readonly string[] }[] {
    if (!name.startsWith(EXTRA)) return [];
    const path = name.slice(EXTRA.length).split(".");
    return this.known
      .filter(({ wirePath }) => path.every((key, at) => wirePath[at] === key))
      .map((setting) => ({ name: setting.name, below: setting.wirePath.slice(path.length) }));
  }

  /** A setting that this version has is declared by its own name. */
  failures(extra: unknown): CheckFailure[] {
    return this.below(extra, []).flatMap(([path]) => {
      const at = nameOf(path);
      const [known] = this.knownBy(at);
      if (known !== undefined) {
        const name = known.name.split(".").slice(0, path.length).join(".");
        return [{ path: at, reason: `declare \`${name}\` instead, which this version has` }];
      }
      const isPart = path.length === 1 && Object.hasOwn(this.body.shape, path[0] ?? "");
      return isPart ? [{ path: at, reason: "it is no setting, but part of how a change is made" }] : [];
    });
  }

  /** Each value by its path; an object of which this version knows settings is taken apart. */
  private below(values: unknown, above: readonly string[]): (readonly [readonly string[], unknown])[] {
    if (!isObject(values)) return [];
    return Object.entries(values).flatMap(([key, value]) => {
      const path = [...above, key];
      return isObject(value) && this.isObjectOfSettings(path)
        ? this.below(value, path)
        : [[path, value] as const];
    });
  }

  private isObjectOfSettings(path: readonly string[]): boolean {
    return this.known.some(
      ({ wirePath }) => wirePath.length > path.length && path.every((key, at) => wirePath[at] === key),
    );
  }

  private isKnown(path: readonly string[]): boolean {
    return this.knownBy(nameOf(path)).length > 0;
  }
}

function nameOf(path: readonly string[]): string {
  return EXTRA + path.join(".");
}
