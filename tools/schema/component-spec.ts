import type { z } from "zod";
import type { ComponentDefinition } from "../../provider/define/component";
import { fieldsOf, type FieldTraits } from "../../provider/define/markers";
import { asFlags } from "./flag-text";
import type { NamedTypes } from "./named-types";
import type { PropertySpec, ResourceSpec } from "./package-spec";
import { fieldPlace, placeOf, type Place } from "./place";
import { propertySpec, requiredOf } from "./type-spec";

/** A component: its arguments and outputs. */
export function componentSpec(
  { type, description, inputs, outputs }: ComponentDefinition,
  types: NamedTypes,
): ResourceSpec {
  const propertiesOf = (schema: z.ZodObject, side: Place["side"]): Record<string, PropertySpec> =>
    Object.fromEntries(
      fieldsOf(schema).map(([name, field, traits]) => {
        const place = fieldPlace(placeOf(type, side), name);
        return [name, propertySpec(field, inSettings(place, traits), types)];
      }),
    );
  const { required: requiredInputs } = requiredOf(inputs);
  return {
    isComponent: true,
    description,
    properties: propertiesOf(outputs, "outputs"),
    ...requiredOf(outputs),
    inputProperties: asFlags(propertiesOf(inputs, "inputs")),
    ...(requiredInputs === undefined ? {} : { requiredInputs }),
  };
}

/** The types within the settings of a resource are those of that resource. */
function inSettings(place: Place, { settingsOf }: FieldTraits): Place {
  return settingsOf === undefined ? place : { ...place, name: placeOf(settingsOf, place.side).name };
}
