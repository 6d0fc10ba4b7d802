import { z } from "zod";
import { IDENTIFIER } from "../../../spec/identifier";
import type { Success } from "../../../spec/operation";
import { valueOf } from "./schema-values";

/** What becomes of the fields that are not required. */
export type Others = "absent" | "null";

/** The answer that has what is required and nothing else, with one object in each list that needs to tell them apart. */
export function emptiestAnswer({ schema, header, contentType, isOfNamed }: Success, others: Others): unknown {
  if (header !== undefined || contentType !== "application/json") return valueOf(schema, "required");
  const isRequired = (field: z.core.$ZodType): boolean =>
    isOfNamed !== true && z.globalRegistry.get(field)?.[IDENTIFIER] === true;

  const needs = (field: z.core.$ZodType): boolean => {
    if (isRequired(field)) return true;
    if (field instanceof z.ZodArray) return needs(field.element);
    return field instanceof z.ZodObject && fieldsOf(field).some(([, inner]) => needs(inner));
  };

  const emptiest = (field: z.core.$ZodType): unknown => {
    if (isRequired(field)) return valueOf(withoutNull(field), "required");
    if (field instanceof z.ZodArray) {
      return field.element instanceof z.ZodObject ? [emptiest(field.element)] : [];
    }
    if (!(field instanceof z.ZodObject)) return valueOf(field, "required");
    return Object.fromEntries(
      fieldsOf(field).flatMap(([name, inner]): [string, unknown][] => {
        if (needs(inner)) return [[name, emptiest(inner)]];
        return others === "null" ? [[name, null]] : [];
      }),
    );
  };
  return emptiest(schema);
}

function fieldsOf(schema: z.ZodObject): [string, z.core.$ZodType][] {
  return Object.entries<z.core.$ZodType>(schema.shape);
}

function withoutNull(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? withoutNull(schema.unwrap())
    : schema;
}
