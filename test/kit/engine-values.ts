import { createRequire } from "node:module";
import type { Values } from "../../provider/define/values";
import { isObject } from "../../spec/is-object";

/** Pulumi's resource protocol marks a secret within an object so; written out, as a test must not ask the product. */
const SIGNATURE_KEY = "4dabf18193072939515e22adb298388d";
const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";

interface StructClass {
  fromJavaScript(values: object): { serializeBinary(): Uint8Array };
  deserializeBinary(bytes: Uint8Array): { toJavaScript(): Values };
}

/** The very message class that the SDK's dynamic provider process uses. */
function structClass(): StructClass {
  const requireAsSdk = createRequire(require.resolve("@pulumi/pulumi"));
  // The package brings no types that this repository depends on; the members above are all that is used.
  return (requireAsSdk("google-protobuf/google/protobuf/struct_pb.js") as { Struct: StructClass }).Struct;
}

/** The values as they arrive on the other side; throws for what the protocol cannot carry, as `undefined` and BigInt. */
export function overTheWire(values: object): Values {
  const Struct = structClass();
  const arrived = Struct.deserializeBinary(Struct.fromJavaScript(values).serializeBinary()).toJavaScript();
  // A date, for one, would arrive as an empty object without a word.
  expect(arrived).toStrictEqual(values);
  return arrived;
}

function isSecret(value: unknown): value is { value: unknown } {
  return isObject(value) && value[SIGNATURE_KEY] === SECRET_SIGNATURE;
}

function map(value: unknown, onSecret: (value: unknown) => unknown): unknown {
  if (isSecret(value)) return onSecret(value.value);
  if (Array.isArray(value)) return value.map((inner) => map(inner, onSecret));
  if (!isObject(value)) return value;
  return mapped(value, onSecret);
}

function mapped(values: Values, onSecret: (value: unknown) => unknown): Values {
  return Object.fromEntries(Object.entries(values).map(([name, inner]) => [name, map(inner, onSecret)]));
}

/** As the engine hands values to a provider that does not accept secrets. */
export function inClear(values: Values): Values {
  return mapped(values, (value) => map(value, (inner) => inner));
}

/** What stands in plain sight: every secret is left out. */
export function inSight(values: Values): Values {
  return mapped(values, () => "[secret]");
}

/** The names of the properties that are wrapped as a whole. */
export function wrappedNames(values: Values): string[] {
  return Object.keys(values)
    .filter((name) => isSecret(values[name]))
    .sort();
}

/** The paths of the properties that are wrapped as a whole, those within others included. */
export function wrappedPaths(values: Values, prefix = ""): string[] {
  return Object.entries(values)
    .flatMap(([name, value]) => {
      if (isSecret(value)) return [prefix + name];
      return isObject(value) ? wrappedPaths(value, `${prefix}${name}.`) : [];
    })
    .sort();
}

/** The names of the properties that are wrapped or hold something wrapped. */
export function namesWithSecrets(values: Values): string[] {
  return Object.keys(values)
    .filter(
      (name) =>
        JSON.stringify(values[name] ?? null) !==
        JSON.stringify(inClear({ name: values[name] ?? null })["name"]),
    )
    .sort();
}

/** Every text within the wrapped values. */
export function wrappedTexts(values: Values): string[] {
  const texts: string[] = [];
  const collect = (value: unknown): unknown => {
    if (typeof value === "string") texts.push(value);
    else if (Array.isArray(value)) value.forEach(collect);
    else if (isObject(value)) Object.values(value).forEach(collect);
    return undefined;
  };
  mapped(values, collect);
  return texts;
}
