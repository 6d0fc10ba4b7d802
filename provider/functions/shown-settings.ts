import { z } from "zod";
import { fieldsOf, traitsOf } from "../define/markers";
import { shapeOf } from "../../spec/shape-of";

/** The settings that a read can return: neither secrets of which the service shows a hash nor names of local files. */
export function shownSettings(settings: Readonly<Record<string, z.ZodType>>): Record<string, z.ZodType> {
  const shown = Object.entries(settings).filter(([, field]) => isShown(field));
  return Object.fromEntries(shown.map(([name, field]) => [name, shownIn(field)]));
}

function isShown(field: z.ZodType): boolean {
  const { hashed, textOf } = traitsOf(field);
  return hashed === undefined && textOf === undefined;
}

/** A group that lacks something here is a type of its own, as no type can have two contents. */
function shownIn(field: z.ZodType): z.ZodType {
  const shape = shapeOf(field);
  const { group, description = "" } = traitsOf(field);
  if (group !== true || shape.kind !== "object") return field;
  const all = Object.fromEntries(fieldsOf(shape.inner).map(([name, each]) => [name, each]));
  const shown = shownSettings(all);
  const isWhole = Object.keys(all).length === Object.keys(shown).length;
  if (isWhole && Object.keys(all).every((name) => all[name] === shown[name])) return field;
  return z
    .object(shown)
    .meta({ id: `Get${idOf(shape.inner)}`, description })
    .describe(description)
    .optional();
}

/** The name of a type, which a copy made for one field has from its original. */
function idOf(schema: z.core.$ZodType): string {
  const id = z.globalRegistry.get(schema)?.id;
  const { parent } = schema._zod;
  return id ?? (parent === undefined ? "" : idOf(parent));
}
