import type { z } from "zod";

/** What lies around a schema, and the schema below. */
interface Layers<S extends z.ZodType = z.ZodType> {
  readonly inner: S;
  readonly isOptional: boolean;
  readonly isNullable: boolean;
  /** What counts when nothing is given; undefined where nothing does. */
  readonly default: unknown;
}

interface Of<K extends string, S extends z.ZodType = z.ZodType> extends Layers<S> {
  readonly kind: K;
}

export interface ObjectShape extends Of<"object", z.ZodObject> {
  readonly fields: Readonly<Record<string, z.ZodType>>;
  /** What becomes of keys that are no fields. */
  readonly others: "refused" | "dropped" | "kept";
}

/** A plain object (`record`) or a `Map`. */
export interface KeyedShape extends Of<"record" | "map"> {
  readonly keys: z.ZodType;
  readonly values: z.ZodType;
}

interface ArrayShape extends Of<"array"> {
  readonly element: z.ZodType;
}

export interface UnionShape extends Of<"union"> {
  readonly options: readonly z.ZodType[];
  /** The field whose constant tells the options apart. */
  readonly discriminator: string | undefined;
}

/** Constants; those of an enum are strings and numbers. */
export interface ConstantsShape extends Of<"enum" | "literal"> {
  readonly constants: readonly z.core.util.Literal[];
}

interface PipeShape extends Of<"pipe"> {
  /** What comes out of it. */
  readonly out: z.ZodType;
}

type Wrapper = "optional" | "nullable" | "default" | "readonly";
type WithParts = "object" | "record" | "map" | "array" | "union" | "enum" | "literal" | "pipe";
/** Kinds of which a walk needs nothing but the kind, or what it finds at `inner`. */
type OtherKind = Exclude<z.core.$ZodTypes["_zod"]["def"]["type"], Wrapper | WithParts | "string" | "number">;

/** A schema as a walk over schemas meets it: by kind, with the schemas within it, and without the layers around it. */
export type Shape =
  | ObjectShape
  | KeyedShape
  | ArrayShape
  | UnionShape
  | ConstantsShape
  | PipeShape
  | Of<"string", z.ZodString | z.ZodStringFormat>
  | Of<"number", z.ZodNumber>
  | { [K in OtherKind]: Of<K> }[OtherKind];

type KnownSchema =
  | (z.ZodObject | z.ZodRecord | z.ZodMap | z.ZodArray | z.ZodUnion | z.ZodEnum | z.ZodLiteral | z.ZodPipe)
  | (z.ZodString | z.ZodStringFormat | z.ZodNumber)
  | { [K in OtherKind]: z.ZodType & { readonly type: K } }[OtherKind];

/** Nothing changes in a schema once it is made, and every value that is read asks for the shape of its own. */
const knownShapes = new WeakMap<z.core.$ZodType, Shape>();

/** The one place that depends on how zod stores the schemas within a schema. */
export function shapeOf(schema: z.core.$ZodType): Shape {
  const known = knownShapes.get(schema);
  if (known !== undefined) return known;
  const shape = readShape(schema);
  knownShapes.set(schema, shape);
  return shape;
}

function readShape(schema: z.core.$ZodType): Shape {
  const layers = layersOf(schema);
  // The classes by their own discriminant; a kind that a later zod adds is one of the others.
  const inner = layers.inner as KnownSchema;
  switch (inner.type) {
    case "object":
      return { ...layers, kind: inner.type, inner, fields: readFields(inner), others: readCatchall(inner) };
    case "record":
    case "map":
      return {
        ...layers,
        kind: inner.type,
        keys: toClassic(inner.keyType),
        values: toClassic(inner.valueType),
      };
    case "array":
      return { ...layers, kind: inner.type, element: toClassic(inner.element) };
    case "union":
      return {
        ...layers,
        kind: inner.type,
        options: inner.options.map(toClassic),
        discriminator: "discriminator" in inner.def ? String(inner.def.discriminator) : undefined,
      };
    case "enum":
      return { ...layers, kind: inner.type, constants: inner.options };
    case "literal":
      return { ...layers, kind: inner.type, constants: [...inner.values] };
    case "pipe":
      return { ...layers, kind: inner.type, out: toClassic(inner.out) };
    case "string":
      return { ...layers, kind: inner.type, inner };
    case "number":
      return { ...layers, kind: inner.type, inner };
    default:
      return { ...layers, kind: inner.type };
  }
}

/** The schema without its optional, nullable, default and read-only layers. */
export function unwrapSchema(schema: z.core.$ZodType): z.ZodType {
  return layersOf(schema).inner;
}

/** The schema of what a value has under a key: of a field, an element, a value of a map. */
export function childAt(shape: Shape, key: PropertyKey): z.ZodType | undefined {
  switch (shape.kind) {
    case "object":
      // Every object has a `constructor`, which is no field.
      return Object.hasOwn(shape.fields, key) ? shape.fields[String(key)] : undefined;
    case "array":
      return shape.element;
    case "record":
    case "map":
      return shape.values;
    default:
      return undefined;
  }
}

/** The schema of what a value has at a path; undefined where the schema names nothing there. */
export function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined {
  return path.reduce<z.ZodType | undefined>(
    (at, key) => (at === undefined ? undefined : childAt(shapeOf(at), key)),
    schema,
  );
}

/** The schemas within, without those of a map's keys. */
export function listChildSchemas(shape: Shape): readonly z.ZodType[] {
  switch (shape.kind) {
    case "object":
      return Object.values(shape.fields);
    case "array":
      return [shape.element];
    case "record":
    case "map":
      return [shape.values];
    case "union":
      return shape.options;
    default:
      return [];
  }
}

function layersOf(schema: z.core.$ZodType): Layers {
  let inner = toClassic(schema);
  let isOptional = false;
  let isNullable = false;
  let usual: unknown;
  for (;;) {
    // The wrappers by their own discriminant, and whatever else there is.
    const layer = inner as z.ZodOptional | z.ZodNullable | z.ZodDefault | z.ZodReadonly;
    switch (layer.type) {
      case "optional":
        isOptional = true;
        break;
      case "nullable":
        isNullable = true;
        break;
      case "default":
        usual ??= layer.def.defaultValue;
        break;
      case "readonly":
        break;
      default:
        return { inner, isOptional, isNullable, default: usual };
    }
    inner = toClassic(layer.def.innerType);
  }
}

function readFields({ shape }: z.ZodObject): ObjectShape["fields"] {
  return shape;
}

function readCatchall({ def: { catchall } }: z.ZodObject): ObjectShape["others"] {
  if (catchall === undefined) return "dropped";
  return catchall._zod.def.type === "never" ? "refused" : "kept";
}

function toClassic(schema: z.core.$ZodType): z.ZodType {
  // Zod types the schemas within one by its core interface; every schema here is made by the classic API.
  return schema as z.ZodType;
}
