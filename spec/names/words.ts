import type { NamesFile } from "./names-file";
import type { Pairs } from "./permutation";
import type { Vocabulary } from "./vocabulary";

/** The words of a names file, with what of the operation table they concern. */
export class Words {
  readonly #file: NamesFile;
  readonly #ordinary: ReadonlySet<string>;
  /** Every field that the table has. */
  readonly fieldNames: readonly string[];
  /** Longer ones first. */
  readonly #prefixes: readonly (readonly [string, string])[];

  constructor(file: NamesFile, { objects, enums, paths }: Vocabulary) {
    this.#file = file;
    this.fieldNames = [...new Set(objects.flat())];
    this.#prefixes = Object.entries(file.fieldPrefixes).toSorted(([a], [b]) => b.length - a.length);
    this.#ordinary = new Set([
      ...this.fieldNames,
      ...enums.flatMap(({ values }) => values),
      ...paths.flatMap((path) => path.split("/")),
    ]);
  }

  /** Segments of paths. */
  get paths(): Pairs {
    return new Map(Object.entries(this.#file.paths));
  }

  /** Values of whatever field. */
  get values(): Pairs {
    return new Map(Object.values(this.#file.values).flatMap((words) => Object.entries(words)));
  }

  /** Prefixes of names that the service reserves. */
  get reserved(): Pairs {
    return new Map(Object.entries(this.#file.reservedPrefixes));
  }

  isOrdinary(word: string): boolean {
    return this.#ordinary.has(word);
  }

  /** How a field of the table is mapped, and by which entry of the file. */
  field(name: string): { readonly word: string; readonly entry?: readonly [string, string] } {
    const whole = this.#file.fields[name];
    if (whole !== undefined) return { word: whole, entry: ["fields", name] };
    const found = this.#prefixes.find(([prefix]) => name.startsWith(prefix));
    if (found === undefined) return { word: name };
    const [prefix, word] = found;
    return { word: word + name.slice(prefix.length), entry: ["fieldPrefixes", prefix] };
  }

  /** Of an object with these fields: those that are mapped otherwise, and the prefixes of more like them. */
  pickFields(names: readonly string[]): { readonly whole: Pairs; readonly prefixes: Pairs } {
    const mapped = names.map((name): [string, string] => [name, this.field(name).word]);
    return {
      whole: new Map(mapped.filter(([name, word]) => name !== word)),
      prefixes: new Map(this.#prefixes.filter(([prefix]) => names.some((name) => name.startsWith(prefix)))),
    };
  }

  /** Of a text with these values. */
  pickValues(field: string, values: readonly string[]): Pairs {
    const words = Object.entries(this.#file.values[field] ?? {});
    return new Map(
      words.filter(([placeholder, word]) => values.includes(placeholder) && placeholder !== word),
    );
  }

  /** Of names with these prefixes. */
  pickReserved(prefixes: readonly string[]): Pairs {
    return new Map([...this.reserved].filter(([placeholder]) => prefixes.includes(placeholder)));
  }
}
