import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { InvalidInputError } from "../client/errors/errors";
import { isSecret, SIGNATURE_KEY } from "../engine/schema/secrets";
import type { Path } from "../define/property-path";
import { isObject } from "../../spec/is-object";
import { UNKNOWN } from "../define/unknown";
import { omitUndefined, type Values } from "../define/values";

/** The engine has a sentinel for unknown values of each kind (Pulumi's resource protocol). */
const UNKNOWNS = new Set([
  UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

const OUTPUT_SIGNATURE = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
const REFERENCE_SIGNATURE = "5cf8f73096256a8f31e491e813e4eb8e";

/** Properties as the handlers take them, and which of them held a secret. */
export interface UnmarshalledStruct {
  /** Secrets in clear; `UNKNOWN` for what is not known yet. */
  readonly values: Values;
  readonly secretNames: ReadonlySet<string>;
  /** Where in them each secret is. */
  readonly secretPaths: readonly Path[];
}

/** Takes apart what the engine sends. Throws `InvalidInputError` for an asset, which no property of ours takes. */
export function unmarshal(struct: Struct | undefined): UnmarshalledStruct {
  const secretPaths: Path[] = [];
  const values: Values = {};
  for (const [name, value] of Object.entries(struct?.toJavaScript() ?? {})) {
    values[name] = unwrapValue(value, [name], (path) => void secretPaths.push(path));
  }
  return { values, secretPaths, secretNames: new Set(secretPaths.map(([name]) => String(name))) };
}

/** Properties as the engine takes them; what is undefined or null is left out. */
export function marshal(values: Values): Struct {
  return Struct.fromJavaScript(toPlainObject(values));
}

function unwrapValue(value: unknown, path: Path, foundSecret: (path: Path) => void): unknown {
  if (typeof value === "string") return UNKNOWNS.has(value) ? UNKNOWN : value;
  if (Array.isArray(value))
    return value.map((element, index) => unwrapValue(element, [...path, index], foundSecret));
  if (!isObject(value)) return value;
  const signature = value[SIGNATURE_KEY];
  if (signature === undefined) {
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [key, unwrapValue(child, [...path, key], foundSecret)]),
    );
  }
  if (isSecret(value)) {
    foundSecret(path);
    return unwrapValue(value["value"], path, foundSecret);
  }
  if (signature === OUTPUT_SIGNATURE) {
    if (value["secret"] === true) foundSecret(path);
    return "value" in value ? unwrapValue(value["value"], path, foundSecret) : UNKNOWN;
  }
  // A resource passed for a string means its id.
  if (signature === REFERENCE_SIGNATURE) return unwrapValue(value["id"] ?? value["urn"], path, foundSecret);
  throw new InvalidInputError(
    String(path[0]),
    "Assets and archives are not supported: read the file in the program and pass its text.",
  );
}

function toPlainObject(values: Values): Record<string, JavaScriptValue> {
  return Object.fromEntries(
    Object.entries(omitUndefined(values)).map(([key, value]) => [key, toPlain(value)]),
  );
}

/** Only what the protocol knows is left: no `undefined`, no exotic objects. */
function toPlain(value: unknown): JavaScriptValue {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(toPlain);
  return isObject(value) ? toPlainObject(value) : null;
}
