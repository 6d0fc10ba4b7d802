import { listChildSchemas, shapeOf } from "../../spec/shape-of";
import { operations } from "../../spec/table";
import type { Exchange } from "./exchange";

/** What of a run may be kept as it is, and what must never be. */
export interface Known {
  /** Texts that stand for something: a name of the run by what replaces it. */
  readonly named: ReadonlyMap<string, string>;
  /** Texts that the run itself sent, and that are no secrets. */
  readonly texts: ReadonlySet<string>;
}

/**
 * The exchanges without secrets and identities. A text is kept only if it is harmless for certain: a word of the
 * specification, a state, or what the run itself sent. Of any other one remains what kind of text it is.
 */
export function maskExchanges(exchanges: readonly Exchange[], known: Known): Exchange[] {
  return exchanges.map((exchange) => ({
    ...exchange,
    query: maskQuery(exchange.query, known),
    ...(exchange.sent !== undefined && { sent: maskValue(exchange.sent, known) }),
    ...(exchange.answer !== undefined && {
      answer: exchange.status < 400 ? maskValue(exchange.answer, known) : maskRefusal(exchange.answer, known),
    }),
  }));
}

function maskQuery(query: Exchange["query"], known: Known): Exchange["query"] {
  return Object.fromEntries(
    Object.entries(query).map(([name, text]) => [
      name,
      text
        .split(",")
        .map((each) => maskText(each, known))
        .join(","),
    ]),
  );
}

function maskValue(value: unknown, known: Known, key = ""): unknown {
  if (typeof value === "string") return maskText(value, known);
  if (typeof value === "number") return maskNumber(value, key);
  if (Array.isArray(value)) return value.map((element) => maskValue(element, known, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [maskKey(name, known), maskValue(inner, known, name)]),
  );
}

/** A refusal is a sentence for people: it is kept, without what identifies somebody. */
function maskRefusal(value: unknown, known: Known): unknown {
  if (typeof value === "string") return maskSentence(value, known);
  if (Array.isArray(value)) return value.map((element) => maskRefusal(element, known));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskRefusal(inner, known)]));
}

/** Names of fields are the API's; the keys of a map may be anything. */
function maskKey(name: string, known: Known): string {
  return /^[A-Za-z][A-Za-z_]*\d{0,3}[A-Za-z_]*\d?$/.test(name) ? name : maskText(name, known);
}

/** Times, sizes of a bill and numeric identifiers say who it is. */
function maskNumber(value: number, key: string): number | string {
  return /(?:^|_)(?:id|at)$/i.test(key) || Math.abs(value) > 1e9 ? "<number>" : value;
}

function maskText(text: string, known: Known): string {
  if (text === "") return "";
  const named = known.named.get(text);
  if (named !== undefined) return named;
  if (MEASURE.test(text)) return text;
  if (known.texts.has(text) || wordsOfTheTable().has(text) || /^[A-Z]+(?:_[A-Z]+)*$/.test(text)) return text;
  // A text may look like a token by chance.
  return (
    KINDS.filter(([kind]) => kind !== "<token>").find(([, pattern]) =>
      new RegExp(`^(?:${pattern})$`).test(text),
    )?.[0] ?? "<text>"
  );
}

function maskSentence(sentence: string, { named }: Known): string {
  let masked = sentence;
  // The longest first: one name may begin with another.
  for (const [text, stands] of [...named].toSorted(([left], [right]) => right.length - left.length)) {
    if (text.length >= 3) masked = masked.replaceAll(text, stands);
  }
  for (const [kind, pattern] of KINDS)
    masked = masked.replaceAll(new RegExp(`(?<![\\w<])(?:${pattern})(?![\\w>])`, "g"), kind);
  return masked;
}

/** A number with its unit, as in settings of a database. */
const MEASURE = /^\d{1,6}(?:ms|s|min|h|d|kB|MB|GB)$/;

/** Kinds of texts by what they look like, those first that others would match in part. */
const KINDS: readonly (readonly [kind: string, pattern: string])[] = [
  ["<jwt>", String.raw`eyJ[\w-]+\.[\w-]+\.[\w-]+`],
  ["<uuid>", String.raw`[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}`],
  ["<time>", String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?(?:\d\d)?)?`],
  ["<url>", String.raw`[a-z][a-z+.-]*://[^\s"')]+`],
  ["<email>", String.raw`[^\s@"'<>]+@[^\s@"'<>]+\.[A-Za-z]+`],
  ["<ip>", String.raw`\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?|(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?:/\d{1,3})?`],
  ["<hex>", String.raw`[\da-f]{32,}`],
  ["<ref>", String.raw`[a-z]{20}`],
  ["<host>", String.raw`(?:[\w-]+\.)+[a-z]{2,}`],
  ["<token>", String.raw`[\w+/=.-]*\d[\w+/=.-]{15,}|[\w+/=.-]{16,}\d[\w+/=.-]*`],
];

let collected: ReadonlySet<string> | undefined;

/** Every constant of the operation table: enum values and literals of requests and answers. */
function wordsOfTheTable(): ReadonlySet<string> {
  if (collected !== undefined) return collected;
  const words = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (schema: Parameters<typeof shapeOf>[0]): void => {
    if (seen.has(schema)) return;
    seen.add(schema);
    const shape = shapeOf(schema);
    if (shape.kind === "enum" || shape.kind === "literal") {
      for (const constant of shape.constants) if (typeof constant === "string") words.add(constant);
    }
    if (shape.kind === "pipe") visit(shape.out);
    for (const child of listChildSchemas(shape)) visit(child);
  };
  for (const { body, success, query } of Object.values(operations)) {
    visit(success.schema);
    visit(query);
    if (body !== undefined) visit(body.schema);
  }
  return (collected = words);
}
