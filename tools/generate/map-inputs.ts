import type { z } from "zod";
import type { MapInput } from "../../provider/dynamic/map-inputs";
import { listMarkedFields } from "../../provider/define/markers";
import { listChildSchemas, shapeOf } from "../../spec/shape-of";

/** Where maps stand among the fields of a schema, at any depth. */
export function findMaps(schema: z.ZodObject): readonly MapInput[] {
  const given = listMarkedFields(schema).filter(([, , { computed }]) => computed !== true);
  const found = given.flatMap(([name, field]) => mapsIn(field, [name]));
  return found.filter(
    ({ at }, index) => found.findIndex((other) => String(other.at) === String(at)) === index,
  );
}

function mapsIn(schema: z.ZodType, at: readonly string[]): readonly MapInput[] {
  const shape = shapeOf(schema);
  switch (shape.kind) {
    case "object":
      return Object.entries(shape.fields).flatMap(([name, field]) => mapsIn(field, [...at, name]));
    case "array":
      return mapsIn(shape.element, [...at, "*"]);
    case "union":
      return shape.options.flatMap((option) => mapsIn(option, at));
    case "pipe":
      return mapsIn(shape.out, at);
    case "record":
    case "map":
      return [
        { at, ...(isOpen(shape.values) && { isOpen: true as const }) },
        ...mapsIn(shape.values, [...at, "*"]),
      ];
    default:
      return [];
  }
}

/** Whether a value may be an object that no schema describes. */
function isOpen(schema: z.ZodType): boolean {
  const shape = shapeOf(schema);
  if (shape.kind === "unknown" || shape.kind === "any") return true;
  return shape.kind === "union" && listChildSchemas(shape).some(isOpen);
}
