import { isObject } from "../is-object";
import type { z } from "zod";
import { alternativesOf, collectFields, type Alternatives } from "./alternatives";
import { type Direction, KeyMapping } from "./key-mapping";
import { ReservedNameError, type NameMapping } from "./names";
import { toPermutation, invertPairs, type Pairs } from "./permutation";
import { TextMapping } from "./text-mapping";
import type { Words } from "./words";

type Rewrite = (value: unknown) => unknown;

/** Maps the names in values along the schemas of the operation table, so that nothing is touched that a user wrote. */
export class SchemaMapping implements NameMapping {
  readonly #words: Words;
  readonly #direction: Direction;
  readonly #refusesReserved: boolean;
  /** Made when the first message comes. */
  #text: TextMapping | undefined;
  /** By schema; undefined where it has nothing to map. */
  readonly #rewrites = new WeakMap<z.core.$ZodType, { readonly rewrite: Rewrite | undefined }>();

  constructor(words: Words, direction: Direction, { refusesReserved = false } = {}) {
    this.#words = words;
    this.#direction = direction;
    this.#refusesReserved = refusesReserved;
  }

  key(schema: z.ZodType, key: string): string {
    const { objects } = alternativesOf([schema]);
    return this.#keysOf(objects).mapKey(key);
  }

  value(schema: z.ZodType, value: unknown): unknown {
    let found = this.#rewrites.get(schema);
    if (found === undefined) {
      found = { rewrite: this.#rewriteOf([schema], "") };
      this.#rewrites.set(schema, found);
    }
    return found.rewrite === undefined ? value : found.rewrite(value);
  }

  text(text: string): string {
    this.#text ??= new TextMapping(this.#words, this.#direction);
    return this.#text.mapText(text);
  }

  #rewriteOf(schemas: readonly z.core.$ZodType[], field: string): Rewrite | undefined {
    const alternatives = alternativesOf(schemas);
    const ofRecord = this.#recordRewrite(alternatives, field);
    const ofObject = this.#objectRewrite(alternatives) ?? ofRecord;
    const ofElement =
      alternatives.elements.length === 0 ? undefined : this.#rewriteOf(alternatives.elements, field);
    const ofText = this.#textRewrite(alternatives, field);
    if (ofObject === undefined && ofElement === undefined && ofText === undefined) return undefined;
    return (value) => {
      if (typeof value === "string") return ofText === undefined ? value : ofText(value);
      if (isList(value)) return ofElement === undefined ? value : value.map((item) => ofElement(item));
      return ofObject !== undefined && isObject(value) ? ofObject(value) : value;
    };
  }

  #objectRewrite({ objects }: Alternatives): ((value: ObjectFields) => unknown) | undefined {
    const keys = this.#keysOf(objects);
    const fields = new Map<string, Rewrite>();
    for (const [name, schemas] of collectFields(objects)) {
      const rewrite = this.#rewriteOf(schemas, name);
      if (rewrite !== undefined) fields.set(name, rewrite);
    }
    if (keys.changesNothing && fields.size === 0) return undefined;
    return (value) =>
      Object.fromEntries(
        Object.entries(value).map(([key, item]) => {
          const mapped = keys.mapKey(key);
          const rewrite = fields.get(this.#direction === "toWire" ? key : mapped);
          return [mapped, rewrite === undefined ? item : rewrite(item)];
        }),
      );
  }

  /** Keys that a user wrote stay, unless they are names of which the service reserves some. */
  #recordRewrite({ records }: Alternatives, field: string): ((value: ObjectFields) => unknown) | undefined {
    if (records.length === 0) return undefined;
    const keyTypes = records.map(({ keys }) => keys);
    const valueTypes = records.map(({ values }) => values);
    const ofKey = this.#rewriteOf(keyTypes, field);
    const ofValue = this.#rewriteOf(valueTypes, field);
    if (ofKey === undefined && ofValue === undefined) return undefined;
    return (value) =>
      Object.fromEntries(
        Object.entries(value).map(([key, item]) => [
          ofKey === undefined ? key : String(ofKey(key)),
          ofValue === undefined ? item : ofValue(item),
        ]),
      );
  }

  #textRewrite({ values, reservedPrefixes }: Alternatives, field: string): Rewrite | undefined {
    const exchange = toPermutation(this.#words.pickValues(field, values));
    const listed = this.#direction === "toWire" ? exchange : invertPairs(exchange);
    const reserved = this.#words.pickReserved(reservedPrefixes);
    if (listed.size === 0 && reserved.size === 0) return undefined;
    return (value) => {
      const text = String(value);
      return listed.get(text) ?? this.#reservedName(reserved, text);
    };
  }

  #reservedName(reserved: Pairs, name: string): string {
    for (const [placeholder, word] of reserved) {
      if (name.startsWith(placeholder)) return word + name.slice(placeholder.length);
      if (!name.startsWith(word)) continue;
      if (this.#refusesReserved) throw new ReservedNameError(name, word);
      return placeholder + name.slice(word.length);
    }
    return name;
  }

  #keysOf(objects: Alternatives["objects"]): KeyMapping {
    const names = objects.flatMap(({ fields }) => Object.keys(fields));
    const { whole, prefixes } = this.#words.pickFields(names);
    return new KeyMapping(whole, prefixes, names, this.#direction);
  }
}

type ObjectFields = Readonly<Record<string, unknown>>;

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
