import { z } from "zod";
import { fieldsOf, traitsOf } from "../../../provider/define/markers";
import type { Surface } from "../package-schema";
import { fault, type Fault } from "./fault";
import { formFaults } from "./form-faults";

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
  const rest = object.def.catchall;
  const isOpen = rest !== undefined && !(rest instanceof z.ZodNever);
  return [
    ...(isOpen
      ? [fault(path, "takes further fields, which a schema cannot say: name them, or make it a z.record")]
      : []),
    ...fieldsOf(object).flatMap(([name, field]) => schemaFaults(field, `${path}.${name}`, position)),
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
  // Zod types children by its core interface; every schema here is made by the classic API.
  if (schema instanceof z.ZodOptional) return constructFaults(schema.def.innerType as z.ZodType, path);
  if (schema instanceof z.ZodDefault) {
    const value: unknown = schema.def.defaultValue;
    const isConstant = ["string", "number", "boolean"].includes(typeof value);
    return [
      ...(isConstant ? [] : [fault(path, "has a default that is no constant: apply it in `check` instead")]),
      ...constructFaults(schema.def.innerType as z.ZodType, path),
    ];
  }
  if (schema instanceof z.ZodNullable) {
    return [fault(path, "may be null, which Pulumi takes for absent: make it optional instead")];
  }
  if ("coerce" in schema.def && schema.def.coerce === true) {
    return [fault(path, "takes values of other types and coerces them: take one type")];
  }
  if (schema instanceof z.ZodArray) return schemaFaults(schema.element as z.ZodType, `${path}[]`, "element");
  if (schema instanceof z.ZodRecord) {
    return [
      ...(isAnyString(schema.keyType)
        ? []
        : [fault(path, "has keys other than strings, which a map cannot say: make it a z.object")]),
      ...formFaults(schema.keyType as z.ZodType, `${path} keys`),
      ...schemaFaults(schema.valueType as z.ZodType, `${path}{}`, "element"),
    ];
  }
  if (schema instanceof z.ZodObject) return objectFaults(schema, path, "nested");
  if (schema instanceof z.ZodUnion) return unionFaults(schema, path);
  if (schema instanceof z.ZodEnum) return valueFaults(schema.options, path);
  if (schema instanceof z.ZodLiteral) return valueFaults([...schema.values], path);
  if (isScalar(schema)) return [];
  return [fault(path, `is a zod ${schema.def.type}, which a Pulumi schema cannot say: ${adviceOn(schema)}`)];
}

function unionFaults(union: z.ZodUnion, path: string): Fault[] {
  const objects = union.options.filter((option) => option instanceof z.ZodObject);
  return [
    ...(objects.length > 1 && !(union instanceof z.ZodDiscriminatedUnion)
      ? [fault(path, "is a union of objects that nothing tells apart: make it a z.discriminatedUnion")]
      : []),
    // As above: made by the classic API.
    ...union.options.flatMap((option, index) =>
      schemaFaults(option as z.ZodType, `${path}|${index}`, "element"),
    ),
  ];
}

function valueFaults(values: readonly unknown[], path: string): Fault[] {
  const kinds = new Set(values.map((value) => typeof value));
  const isUsable =
    kinds.size === 1 && [...kinds].every((kind) => ["string", "number", "boolean"].includes(kind));
  return isUsable ? [] : [fault(path, "has values of several types, or none that JSON has: take one type")];
}

/** The key of a map is any string; what it must look like is checked and described, as for every string. */
function isAnyString(key: unknown): boolean {
  return key instanceof z.ZodString || key instanceof z.ZodStringFormat;
}

function isScalar(schema: z.ZodType): boolean {
  return [z.ZodString, z.ZodStringFormat, z.ZodNumber, z.ZodBoolean, z.ZodUnknown, z.ZodAny].some(
    (kind) => schema instanceof kind,
  );
}

function adviceOn(schema: z.ZodType): string {
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
  return advice[schema.def.type] ?? "take a string, number, boolean, enum, array, record or object";
}
