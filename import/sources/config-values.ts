import { parseVariable, type ConfigTables } from "../../provider/resources/functions/shared/tool-config";
import { isObject } from "../../spec/is-object";
import type { Conversion, FieldKey } from "./config-keys";
import { ConfigValue, JoinedText, type ConfigKind } from "./config-value";
import { decryptValue, isEncrypted } from "./encrypted-value";
import { SourceError } from "./source-error";
import { UNIT_SECONDS } from "../duration-units";

export interface ConfigReaderOptions {
  readonly tables: ConfigTables;
  /** Values of variables that are at hand, for `env(NAME)`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly privateKeys: readonly string[];
  place(path: readonly string[]): string;
}

/** Classes of characters, as the tool calls them and as the API lists them. */
const CHARACTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "": "",
    letters_digits: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789",
    lower_upper_letters_digits: "abcdefghijklmnopqrstuvwxyz:ABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789",
    lower_upper_letters_digits_symbols:
      "abcdefghijklmnopqrstuvwxyz:ABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789:!@#$%^&*()_+-=[]{};'\\\\:\"|<>?,./`~",
  }),
);

/** What a key has in the unit or sense of the API, as a sentence says it. */
const CONVERTED: Readonly<Record<Exclude<Conversion, "joined">, { kind: ConfigKind; says: string }>> = {
  inverted: { kind: "boolean", says: "the opposite of the variable" },
  seconds: { kind: "number", says: "the variable's duration in seconds" },
  hours: { kind: "number", says: "the variable's duration in hours" },
  size: { kind: "number", says: "the variable's size in bytes" },
  characters: { kind: "string", says: "the classes of characters as the API lists them" },
};

/** Reads typed values out of the tables, whose texts may stand for variables. */
export class ConfigReader {
  readonly notes: string[] = [];

  constructor(private readonly options: ConfigReaderOptions) {}

  place(path: string): string {
    return this.options.place(path.split("."));
  }

  note(path: string, text: string): void {
    this.notes.push(`${this.place(path)}: ${text}`);
  }

  fail(path: string, text: string): never {
    throw new SourceError(`${this.place(path)}: ${text}`);
  }

  readRaw(path: string): unknown {
    return path
      .split(".")
      .reduce<unknown>(
        (at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
        this.options.tables,
      );
  }

  has(path: string): boolean {
    return this.readRaw(path) !== undefined;
  }

  /** The keys of a section. */
  listKeys(path: string): string[] {
    const table = this.readRaw(path);
    return isObject(table) ? Object.keys(table) : [];
  }

  text(path: string, isSecret = false): string | ConfigValue | undefined {
    const value = this.readRaw(path);
    if (value === undefined) return undefined;
    if (typeof value !== "string") return this.failMisfit(path, "a text");
    return this.resolveScalar(path, value, "string", isSecret);
  }

  readNumber(path: string): number | ConfigValue | undefined {
    const value = this.readRaw(path);
    if (value === undefined || (typeof value === "number" && Number.isInteger(value))) return value;
    // TOML's integers beyond what a number holds exactly are none of these.
    return this.findVariable(path, value, "number") ?? this.failMisfit(path, "a whole number");
  }

  readFlag(path: string): boolean | ConfigValue | undefined {
    const value = this.readRaw(path);
    if (value === undefined || typeof value === "boolean") return value;
    return this.findVariable(path, value, "boolean") ?? this.failMisfit(path, "`true` or `false`");
  }

  readList(path: string): (string | ConfigValue)[] | ConfigValue | undefined {
    const value = this.readRaw(path);
    if (value === undefined) return undefined;
    if (typeof value === "string") {
      const whole = this.resolveScalar(path, value, "list", false);
      return whole instanceof ConfigValue ? whole : whole.split(",");
    }
    if (!Array.isArray(value)) return this.failMisfit(path, "a list of texts");
    return value.map((each: unknown) =>
      typeof each === "string"
        ? this.resolveScalar(path, each, "string", false)
        : this.failMisfit(path, "a list of texts"),
    );
  }

  /** The value of a key that is one field, as the API has it. */
  readField(section: string, { key, kind, as }: FieldKey): unknown {
    const path = `${section}.${key}`;
    if (as === "joined") return joinList(this.readList(path));
    if (as === "size") return this.readSize(path);
    const value =
      kind === "boolean" ? this.readFlag(path) : kind === "number" ? this.readNumber(path) : this.text(path);
    return as === undefined || value === undefined ? value : this.convertKnown(path, value, as);
  }

  /** A size with a unit, always to base 1024. */
  readSize(path: string): number | ConfigValue | undefined {
    const value = this.readRaw(path);
    if (typeof value === "number") return value;
    const text = this.text(path);
    if (text === undefined) return undefined;
    return this.convertKnown(path, text, "size") as number | ConfigValue;
  }

  private convertKnown(
    path: string,
    value: string | number | boolean | ConfigValue,
    as: Exclude<Conversion, "joined">,
  ) {
    if (!(value instanceof ConfigValue)) return this.convert(path, value, as);
    const { kind, says } = CONVERTED[as];
    const name = toConfigName(path);
    this.note(path, `the value is that of the variable ${value.name}. The input of the program is ${says}.`);
    const known = value.value === undefined ? undefined : this.convert(path, toScalar(value), as);
    return new ConfigValue(name, kind, value.isSecret, known === undefined ? undefined : String(known));
  }

  private convert(
    path: string,
    value: string | number | boolean,
    as: Exclude<Conversion, "joined">,
  ): string | number | boolean {
    switch (as) {
      case "inverted":
        return value !== true;
      case "seconds":
        return this.parseSeconds(path, value);
      case "hours":
        return Math.round((this.parseSeconds(path, value) / 3600) * 1e6) / 1e6;
      case "size":
        return (
          parseSize(String(value)) ??
          this.fail(path, "expected a size such as `50MiB`: a number with `B`, `KB`, `MB`, `GB` or `TB`.")
        );
      case "characters":
        return (
          CHARACTERS.get(String(value)) ??
          this.fail(
            path,
            `this is none of ${[...CHARACTERS.keys()].map((each) => `\`${each}\``).join(", ")}.`,
          )
        );
    }
  }

  private parseSeconds(path: string, value: unknown): number {
    const found = parseDuration(String(value));
    return found ?? this.fail(path, "expected a duration such as `1m30s`: numbers with `h`, `m`, `s`, `ms`.");
  }

  /** A variable in place of a value that is no text. */
  private findVariable(path: string, value: unknown, kind: ConfigKind): ConfigValue | undefined {
    if (typeof value !== "string" || parseVariable(value) === undefined) return undefined;
    const found = this.resolveScalar(path, value, kind, false);
    return found instanceof ConfigValue ? found : undefined;
  }

  private resolveScalar(
    path: string,
    value: string,
    kind: ConfigKind,
    isSecret: boolean,
  ): string | ConfigValue {
    const variable = parseVariable(value);
    const given = variable === undefined ? value : this.options.environment[variable];
    if (isSecret && isEncrypted(given)) {
      const open = decryptValue(given, this.options.privateKeys);
      const name = variable ?? toConfigName(path);
      if (open === undefined)
        this.note(
          path,
          "the value is encrypted, and no key in DOTENV_PRIVATE_KEY decrypts it. Set the key and run the command again, or declare the value in the program.",
        );
      return new ConfigValue(name, kind, true, open);
    }
    if (variable !== undefined) {
      return new ConfigValue(variable, kind, isSecret, given === "" ? undefined : given);
    }
    return isSecret && value !== "" ? new ConfigValue(toConfigName(path), kind, true, value) : value;
  }

  private failMisfit(path: string, wanted: string): never {
    return this.fail(path, `\`${path}\` is ${wanted} in this file. Correct it.`);
  }
}

export function joinList(list: readonly (string | ConfigValue)[] | ConfigValue | undefined): unknown {
  if (list === undefined || list instanceof ConfigValue) {
    // A variable has the list as the API takes it: with commas.
    return list === undefined ? undefined : new ConfigValue(list.name, "string", list.isSecret, list.value);
  }
  const isClear = list.every((each) => typeof each === "string");
  return isClear ? list.join(",") : new JoinedText(list, ",");
}

function toScalar({ typed = "" }: ConfigValue): string | number | boolean {
  return typeof typed === "object" ? typed.join(",") : typed;
}

/** `authSmtpPass` for `auth.smtp.pass`. */
function toConfigName(path: string): string {
  return path.replace(/[._-]+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** A duration as Go writes it. */
function parseDuration(text: string): number | undefined {
  if (text === "0") return 0;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|us|µs|ns|s)/g)];
  if (parts.length === 0 || parts.map(([each]) => each).join("") !== text) return undefined;
  return parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * (UNIT_SECONDS[unit ?? ""] ?? Number.NaN),
    0,
  );
}

function parseSize(text: string): number | undefined {
  const [, count, unit = ""] = /^\s*(\d+(?:\.\d+)?)\s*([kmgtp]?)i?b?\s*$/i.exec(text) ?? [];
  if (count === undefined) return undefined;
  return Math.round(Number(count) * 1024 ** ["", "k", "m", "g", "t", "p"].indexOf(unit.toLowerCase()));
}
