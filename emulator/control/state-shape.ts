import { z } from "zod";
import { Refusal } from "../handler";
import { stateSchema } from "../world/state";
import { shapeText } from "./shape-text";

/** One change in many places breaks the same shape in each. */
const MOST_FAULTS = 5;

/** What may stand at a path of the state; undefined where nothing may. */
export function schemaAt(keys: readonly string[]): z.ZodType | undefined {
  let schema: z.ZodType | undefined = stateSchema;
  for (const key of keys) schema = schema && below(schema, key);
  return schema;
}

/** The value as the state holds it, with maps and bytes in place of their JSON. */
export function shapedFor(keys: readonly string[], value: unknown): unknown {
  const schema = schemaAt(keys);
  if (schema === undefined) {
    throw new Refusal(400, `Nothing was changed: "${keys.join(".")}" is no place in the state's shape`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw wrongShape(parsed.error.issues, keys);
}

export function requireShape(state: object): void {
  const checked = stateSchema.safeParse(state);
  if (!checked.success) throw wrongShape(checked.error.issues, []);
}

function wrongShape(issues: readonly z.core.$ZodIssue[], prefix: readonly string[]): Refusal {
  const faults = issues.slice(0, MOST_FAULTS).map((issue) => {
    const keys = [...prefix, ...issue.path.map(String)];
    const schema = schemaAt(keys);
    const taken = schema === undefined ? "" : `; it takes ${shapeText(schema)}`;
    return `"${keys.join(".")}": ${issue.message}${taken}`;
  });
  const more = issues.length > MOST_FAULTS ? `. And ${issues.length - MOST_FAULTS} more like these` : "";
  return new Refusal(
    400,
    `Nothing was changed, as the state would lose its shape. ${faults.join(". ")}${more}`,
  );
}

function below(schema: z.ZodType, key: string): z.ZodType | undefined {
  // The types of inner schemas are narrower than the one by which they are all known.
  const go = (inner: unknown): z.ZodType | undefined => below(inner as z.ZodType, key);
  if (schema instanceof z.ZodObject) return fieldOf(schema, key);
  if (schema instanceof z.ZodMap || schema instanceof z.ZodRecord) {
    const isKey = (schema.keyType as z.ZodType).safeParse(key).success;
    return isKey ? (schema.valueType as z.ZodType) : undefined;
  }
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType;
  if (schema instanceof z.ZodPipe) return go(schema.out);
  if (schema instanceof z.ZodUnion) return anyOf(schema.options.flatMap((option) => go(option) ?? []));
  if (schema instanceof z.ZodUnknown) return schema;
  const isWrapped =
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional;
  return isWrapped ? go(schema.unwrap()) : undefined;
}

/** What a schema does not name may stand in an object that is not strict. */
function fieldOf(schema: z.ZodObject, key: string): z.ZodType | undefined {
  if (Object.hasOwn(schema.shape, key)) return schema.shape[key] as z.ZodType;
  return schema.def.catchall instanceof z.ZodNever ? undefined : z.unknown();
}

function anyOf(options: readonly z.ZodType[]): z.ZodType | undefined {
  return options.length > 1 ? z.union(options) : options[0];
}
