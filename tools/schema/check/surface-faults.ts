import type { z } from "zod";
import { listMarkedFields, traitsOf } from "../../../provider/define/markers";
import { shapeOf, type Shape, type UnionShape } from "../../../spec/shape-of";
import type { Surface } from "../package-schema";
import { fault, type Fault } from "./fault";

/** Where a schema stands: markers count on some fields only. */
type Position = "top" | "nested" | "element";

/** What is in the zod schemas of the catalog that a Pulumi schema has no word for. */
export function surfaceFaults({ resources, functions, config }: Surface): Fault[] {
  const owners = [...resources.map(({ type }) => type), ...functions.map(({ name }) => name)];
  return [
    ...doubles(owners),
    ...objectFaults(config, "config", "top"),
    ...[
      ...resources.map(({ type, inputs, outputs }) => ({ owner: type, inputs, outputs })),
      ...functions.map(({ name, inputs, outputs }) => ({ owner: name, inputs, outputs })),
    ].flatMap(({ owner, inputs, outputs }) => [
      ...objectFaults(inputs, `${owner}.inputs`, "top"),
      ...objectFaults(outputs, `${owner}.outputs`, "top"),
    ]),
  ];
}

function doubles(names: readonly string[]): Fault[] {
  return names
    .filter((name, index) => names.indexOf(name) !== index)
    .map((name) => fault(name, "is defined twice, of which one would be lost: rename one"));
}

function objectFaults(object: z.ZodObject, path: string, position: Position): Fault[] {
  const shape = shapeOf(object);
  const isOpen = shape.kind === "object" && shape.others === "kept";
  return [
    ...(isOpen
      ? [fault(path, "takes further fields, which a schema cannot say: name them, or make it a z.record")]
      : []),
    ...listMarkedFields(object).flatMap(([name, field]) => schemaFaults(field, `${path}.${name}`, position)),
  ];
}

function schemaFaults(schema: z.ZodType, path: string, position: Position): Fault[] {
  return [
    ...markerFaults(schema, path, position),
    ...formFaults(schema, path),
    ...constructFaults(schema, path),
  ];
}

/** Pulumi reads `secret` of fields only, and replaces by the fields of resources only. */
function markerFaults(schema: z.ZodType, path: string, position: Position): Fault[] {
  const { secret, replaces } = traitsOf(schema);
  return [
    ...(secret === true && position === "element"
      ? [fault(path, "is a secret that is no field, so that the marker is lost: mark the whole field")]
      : []),
    ...(replaces !== undefined && position !== "top"
      ? [fault(path, "replaces, though only a resource's own inputs can: mark the whole input")]
      : []),
  ];
}

function constructFaults(schema: z.ZodType, path: string): Fault[] {
  const shape = shapeOf(schema);
  const { isNullable, default: usual, inner } = shape;
  if (isNullable) {
    return [fault(path, "may be null, which Pulumi takes for absent: make it optional instead")];
  }
  if ("coerce" in inner.def && inner.def.coerce) {
    return [fault(path, "takes values of other types and coerces them: take one type")];
  }
  const isConstant = ["undefined", "string", "number", "boolean"].includes(typeof usual);
  return [
    ...(isConstant ? [] : [fault(path, "has a default that is no constant: apply it in `check` instead")]),
    ...kindFaults(shape, path),
  ];
}

function kindFaults(shape: Shape, path: string): Fault[] {
  switch (shape.kind) {
    case "array":
      return schemaFaults(shape.element, `${path}[]`, "element");
    case "record":
      return [
        ...(shapeOf(shape.keys).kind === "string"
          ? []
          : [fault(path, "has keys other than strings, which a map cannot say: make it a z.object")]),
        ...formFaults(shape.keys, `${path} keys`),
        ...schemaFaults(shape.values, `${path}{}`, "element"),
      ];
    case "object":
      return objectFaults(shape.inner, path, "nested");
    case "union":
      return unionFaults(shape, path);
    case "enum":
    case "literal":
      return valueFaults(shape.constants, path);
    case "string":
    case "number":
    case "boolean":
    case "unknown":
    case "any":
      return [];
    default:
      return [
        fault(path, `is a zod ${shape.kind}, which a Pulumi schema cannot say: ${adviceOn(shape.kind)}`),
      ];
  }
}

function unionFaults({ options, discriminator }: UnionShape, path: string): Fault[] {
  const objects = options.filter((option) => shapeOf(option).kind === "object");
  return [
    ...(objects.length > 1 && discriminator === undefined
      ? [fault(path, "is a union of objects that nothing tells apart: make it a z.discriminatedUnion")]
      : []),
    ...options.flatMap((option, index) => schemaFaults(option, `${path}|${index}`, "element")),
  ];
}

function valueFaults(values: readonly unknown[], path: string): Fault[] {
  const kinds = new Set(values.map((value) => typeof value));
  const isUsable =
    kinds.size === 1 && [...kinds].every((kind) => ["string", "number", "boolean"].includes(kind));
  return isUsable ? [] : [fault(path, "has values of several types, or none that JSON has: take one type")];
}

function adviceOn(kind: string): string {
  const advice: Readonly<Record<string, string>> = {
    tuple: "make it an object with a field for each place",
    intersection: "spread both shapes into one z.strictObject",
    pipe: "transform the value where it is sent instead",
    transform: "transform the value where it is sent instead",
    date: "take an ISO 8601 string",
    bigint: "take a string of digits",
    set: "take an array marked `asSet`",
    map: "take a z.record",
    lazy: "name the fields down to a fixed depth, or take z.unknown()",
    null: "make the field optional instead",
  };
  return advice[kind] ?? "take a string, number, boolean, enum, array, record or object";
}

/** A regular expression that a user would be shown for want of a sentence, and an example that breaks the rule it is of. */
function formFaults(schema: z.ZodType, path: string): Fault[] {
  const { form, example } = traitsOf(schema);
  if (form === undefined || example === undefined) {
    return hasPattern(schema)
      ? [fault(path, "has a pattern and no sentence that says what it asks for: give one with `formed`")]
      : [];
  }
  return schema.safeParse(example).success
    ? []
    : [fault(path, `has an example, ${JSON.stringify(example)}, that is not of its own form: correct one`)];
}

function hasPattern(schema: z.ZodType): boolean {
  const shape = shapeOf(schema);
  if (shape.kind !== "string") return false;
  // Zod types checks by its core interface, whose definitions are plain data.
  return (shape.inner.def.checks ?? []).some((check) => Reflect.get(check._zod.def, "format") === "regex");
}
