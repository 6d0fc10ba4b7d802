import { z } from "zod";
import { childAt, shapeOf } from "../../../spec/shape-of";
import { stateSchema } from "../../service/world/state";
import { shapeText } from "./shape-text";
import { Refusal } from "../../service/answers/refusal";

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
  const shape = shapeOf(schema);
  switch (shape.kind) {
    case "object":
      // What a schema does not name may stand in an object that is not strict.
      return childAt(shape, key) ?? (shape.others === "refused" ? undefined : z.unknown());
    case "map":
    case "record":
      return shape.keys.safeParse(key).success ? shape.values : undefined;
    case "array":
      return shape.element;
    case "pipe":
      return below(shape.out, key);
    case "union":
      return anyOf(shape.options.flatMap((option) => below(option, key) ?? []));
    case "unknown":
      return shape.inner;
    default:
      return undefined;
  }
}

function anyOf(options: readonly z.ZodType[]): z.ZodType | undefined {
  return options.length > 1 ? z.union(options) : options[0];
}
