import type { z } from "zod";
import type { CheckFailure } from "../../define/resource";
import { isObject } from "../../../spec/is-object";
import { isSet, type SettingValues } from "./original-values";
import { pickUnknown } from "./keep-unknown";
import { putBelow, readBelow, type WirePath } from "./setting-fields";

/** Before the API's name of a setting that this version does not have. */
export const EXTRA = "extraSettings.";

/** A setting that this version has, and the path below it. */
interface KnownSetting {
  readonly name: string;
  readonly below: WirePath;
}

/** Settings that this version does not have, by their paths in the API: also those of an object that it knows. */
export class ExtraSettings {
  /** The settings by their places in the API, as `features.image_transformation.is_enabled`. */
  private readonly byPlace: ReadonlyMap<string, string>;
  /** The places of the objects that hold settings. */
  private readonly objects: ReadonlySet<string>;

  constructor(
    private readonly wirePaths: ReadonlyMap<string, WirePath>,
    private readonly body: z.ZodObject,
  ) {
    const paths = [...wirePaths.values()];
    this.byPlace = new Map([...wirePaths].map(([name, path]) => [formatWirePath(path), name]));
    this.objects = new Set(
      paths.flatMap((path) => path.slice(1).map((_, index) => formatWirePath(path.slice(0, index + 1)))),
    );
    const lost = [...wirePaths].find(([name, path]) => this.byPlace.get(formatWirePath(path)) !== name);
    if (lost !== undefined)
      throw new Error(`Another setting already has the API name of ${lost[0]} as well.`);
  }

  /** What inputs or a state declare of them. */
  readDeclared({ extraSettings }: SettingValues): ReadonlyMap<string, unknown> {
    return new Map(this.listBelow(extraSettings, []).map(([path, value]) => [formatExtraName(path), value]));
  }

  /** What an answer shows of them. */
  listShown(wire: SettingValues): readonly (readonly [name: string, value: unknown])[] {
    const outer = Object.entries(wire).filter(([name]) => this.objects.has(name));
    const unknown = { ...pickUnknown(this.body, wire), ...Object.fromEntries(outer) };
    return this.listBelow(unknown, [])
      .filter(([path, value]) => isSet(value) && !this.isKnown(formatWirePath(path)))
      .map(([path, value]) => [formatExtraName(path), value]);
  }

  /** The input as the service has it, as far as it is declared. */
  pickObserved(wire: SettingValues, state: SettingValues): Record<string, unknown> {
    const observed: Record<string, unknown> = {};
    for (const name of this.readDeclared(state).keys()) {
      const path = this.wirePathOf(name);
      const value = readBelow(wire, path);
      if (isSet(value)) putBelow(observed, path, value);
    }
    return observed;
  }

  wirePathOf(name: string): WirePath {
    const keys = name.slice(EXTRA.length).split(".");
    const path: string[] = [];
    // Only what is known to hold settings is taken apart: any other name may have dots in it.
    while (keys.length > 1 && this.objects.has(formatWirePath([...path, keys[0] ?? ""])))
      path.push(keys.shift() ?? "");
    return [...path, keys.join(".")];
  }

  /** The settings of this version that an earlier one had under this name. */
  findKnown(name: string): KnownSetting[] {
    if (!name.startsWith(EXTRA)) return [];
    const place = name.slice(EXTRA.length);
    const known = this.byPlace.get(place);
    return known === undefined ? this.listWithin(place) : [{ name: known, below: [] }];
  }

  /** The program's path of a place in the API. */
  findProgramPath(place: string): string | undefined {
    const known = this.byPlace.get(place);
    if (known !== undefined) return known;
    const depth = place.split(".").length;
    const [within] = this.listWithin(place);
    return within?.name.split(".").slice(0, depth).join(".");
  }

  /** A setting that this version has is declared by its own name. */
  listFailures(extra: unknown): CheckFailure[] {
    return this.listBelow(extra, []).flatMap(([path]) => {
      const at = formatExtraName(path);
      const name = this.findProgramPath(formatWirePath(path));
      if (name !== undefined)
        return [{ path: at, reason: `declare \`${name}\` instead, which this version supports` }];
      const isPart = path.length === 1 && Object.hasOwn(this.body.shape, path[0] ?? "");
      return isPart ? [{ path: at, reason: "it is not a setting but an instruction for a change" }] : [];
    });
  }

  /** Each value by its path; an object of which this version knows settings is taken apart. */
  private listBelow(values: unknown, above: WirePath): (readonly [WirePath, unknown])[] {
    if (!isObject(values)) return [];
    return Object.entries(values).flatMap(([key, value]) => {
      const path = [...above, key];
      return isObject(value) && this.objects.has(formatWirePath(path))
        ? this.listBelow(value, path)
        : [[path, value] as const];
    });
  }

  private listWithin(place: string): KnownSetting[] {
    if (!this.objects.has(place)) return [];
    const depth = place.split(".").length;
    return [...this.wirePaths].flatMap(([name, path]) =>
      formatWirePath(path).startsWith(`${place}.`) ? [{ name, below: path.slice(depth) }] : [],
    );
  }

  private isKnown(place: string): boolean {
    return this.byPlace.has(place) || this.objects.has(place);
  }
}

function formatWirePath(path: WirePath): string {
  return path.join(".");
}

function formatExtraName(path: WirePath): string {
  return EXTRA + formatWirePath(path);
}
