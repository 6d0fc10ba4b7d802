import { types } from "node:util";
import { sha256Hex } from "../../service/world/derived-bytes";

/** Bytes from this length on are kept apart, so that a record which holds them is compared and written without them. */
const APART_FROM_BYTES = 1_024;

/**
 * Plain data as JSON, with an object of one key for what JSON lacks: `{"#map": [[key, value], …]}`, `{"#set": […]}`,
 * `{"#bytes": base64}`, `{"#apart": id in the store}`, `{"#number": "Infinity"}`, and `{"#object": …}` around an object
 * that looks like one of these. V8's own format would make maps of another realm, as test runners have several.
 */
export function pack(value: unknown, store: ByteStore): string {
  return JSON.stringify(toJson(value, store));
}

export function unpack(text: string, store: ByteStore): unknown {
  return fromJson(JSON.parse(text), store);
}

function toJson(value: unknown, store: ByteStore): unknown {
  switch (typeof value) {
    case "object":
      return value === null ? null : objectToJson(value, store);
    case "number":
      return Number.isFinite(value) ? value : { "#number": String(value) };
    case "string":
    case "boolean":
    case "undefined":
      return value;
    default:
      throw new TypeError(`The state holds a ${typeof value}, which cannot be kept`);
  }
}

function objectToJson(value: object, store: ByteStore): unknown {
  if (Array.isArray(value)) return value.map((element) => toJson(element, store));
  if (types.isMap(value)) {
    return { "#map": Array.from(value, ([key, child]) => [toJson(key, store), toJson(child, store)]) };
  }
  if (types.isSet(value)) return { "#set": Array.from(value, (child) => toJson(child, store)) };
  if (types.isUint8Array(value)) {
    if (value.byteLength >= APART_FROM_BYTES) return { "#apart": store.put(value) };
    return { "#bytes": Buffer.from(value).toString("base64") };
  }
  if (Object.prototype.toString.call(value) !== "[object Object]") {
    throw new TypeError(`The state holds a ${value.constructor.name}, which cannot be kept`);
  }
  const json: Record<string, unknown> = {};
  let isSpecial = false;
  for (const [key, child] of Object.entries(value)) {
    json[key] = toJson(child, store);
    isSpecial ||= key.startsWith("#");
  }
  return isSpecial ? { "#object": json } : json;
}

function fromJson(json: unknown, store: ByteStore): unknown {
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return json.map((element) => fromJson(element, store));
  const [first] = Object.entries(json);
  if (first?.[0].startsWith("#") === true) return specialFrom(first[0], first[1], store);
  return plainFrom(json, store);
}

function plainFrom(json: object, store: ByteStore): object {
  return Object.fromEntries(Object.entries(json).map(([key, child]) => [key, fromJson(child, store)]));
}

/** The content is what `pack` has put there. */
function specialFrom(kind: string, content: unknown, store: ByteStore): unknown {
  switch (kind) {
    case "#map":
      return new Map(fromJson(content, store) as [unknown, unknown][]);
    case "#set":
      return new Set(fromJson(content, store) as unknown[]);
    case "#bytes":
      return Uint8Array.from(Buffer.from(content as string, "base64"));
    case "#apart":
      return store.get(content as string);
    case "#number":
      return Number(content);
    case "#object":
      return plainFrom(content as object, store);
    default:
      throw new Error(`${kind} is unknown`);
  }
}

/** Bytes that are kept apart from the records which hold them, by their SHA-256. */
export class ByteStore {
  /** Bytes in the state are replaced, never changed: the same object has the same content. */
  private readonly idByObject = new WeakMap<Uint8Array, string>();
  private readonly used = new Set<string>();

  constructor(
    private readonly write: (id: string, bytes: Uint8Array) => void,
    private readonly read: (id: string) => Uint8Array,
  ) {}

  put(bytes: Uint8Array): string {
    const known = this.idByObject.get(bytes);
    if (known !== undefined) return known;
    const id = sha256Hex(bytes);
    this.write(id, bytes);
    return this.remember(id, bytes);
  }

  get(id: string): Uint8Array {
    const bytes = this.read(id);
    this.remember(id, bytes);
    return bytes;
  }

  /** Whether a value that was read or written so far holds these bytes. */
  isUsed(id: string): boolean {
    return this.used.has(id);
  }

  private remember(id: string, bytes: Uint8Array): string {
    this.idByObject.set(bytes, id);
    this.used.add(id);
    return id;
  }
}
