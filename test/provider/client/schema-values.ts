import { z } from "zod";
import { IDENTIFIER } from "../../../spec/identifier";

/** Texts of which some satisfy every pattern and format in the table of operations. */
const TEXTS = [
  "a/b?c=d&e f+é",
  "abcdefghijklmnopqrst",
  "shop",
  "20260102030405",
  "5f1c0a7e-9b1d-4c3e-8f2a-1b2c3d4e5f60",
  "2026-01-02T03:04:05Z",
  "2026-01-02T03:04:05.000Z",
  "https://example.com/a?b=c",
  "name@example.com",
  "192.0.2.1",
  "2001:db8::1",
  "192.0.2.0/24",
  "db.example.com",
  "128MB",
  "10s",
  "15550100=123456",
  "1",
  "a".repeat(64),
];

/** Which fields a made value has: those it must have, or all. */
export type Extent = "required" | "all";

/** A value that the schema takes, made by its structure. */
export function valueOf(schema: z.core.$ZodType, extent: Extent): unknown {
  const value = made(schema, extent);
  const result = z.safeParse(schema, value);
  if (!result.success)
    throw new Error(`${JSON.stringify(value)} is not taken: ${z.prettifyError(result.error)}`);
  return value;
}

function made(schema: z.core.$ZodType, extent: Extent): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return made(schema.def.innerType, extent);
  }
  if (schema instanceof z.ZodReadonly) return made(schema.def.innerType, extent);
  if (schema instanceof z.ZodObject) return madeObject(schema, extent);
  if (schema instanceof z.ZodArray) return madeArray(schema, extent);
  if (schema instanceof z.ZodTuple) return schema.def.items.map((item) => made(item, extent));
  if (schema instanceof z.ZodRecord) {
    const key = String(made(schema.def.keyType, extent));
    return extent === "required" ? {} : { [key]: made(schema.def.valueType, extent) };
  }
  if (schema instanceof z.ZodUnion)
    return firstTaken(
      schema,
      schema.options.map((option) => made(option, extent)),
    );
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return [...schema.values][0];
  if (schema instanceof z.ZodBoolean) return true;
  if (schema instanceof z.ZodNumber) return firstTaken(schema, [7, 10, 100, 1_000, 1, 0]);
  if (schema instanceof z.ZodVoid) return undefined;
  if (schema instanceof z.ZodUnknown) return { any: ["thing", 1, null] };
  if (schema instanceof z.ZodCustom) return Uint8Array.from({ length: 256 }, (_, index) => index);
  return firstTaken(schema, TEXTS);
}

function madeObject(schema: z.ZodObject, extent: Extent): unknown {
  return Object.fromEntries(
    Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, field]) =>
      extent === "required" && field._zod.optin === "optional" && !isIdentifier(field)
        ? []
        : [[name, made(field, extent)]],
    ),
  );
}

function isIdentifier(field: z.core.$ZodType): boolean {
  return z.globalRegistry.get(field)?.[IDENTIFIER] === true;
}

/** Several elements where the schema takes several. */
function madeArray(schema: z.ZodArray, extent: Extent): unknown {
  const element = made(schema.element, extent);
  return firstTaken(
    schema,
    extent === "required" ? [[element], [element, element]] : [[element, element], [element]],
  );
}

function firstTaken(schema: z.core.$ZodType, candidates: readonly unknown[]): unknown {
  const taken = candidates.find((candidate) => z.safeParse(schema, candidate).success);
  if (taken === undefined) throw new Error(`no value is known for a schema of type ${schema._zod.def.type}`);
  return taken;
}
