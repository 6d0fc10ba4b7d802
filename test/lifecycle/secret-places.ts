import type { z } from "zod";
import { isObject } from "../../spec/is-object";
import { shapeOf } from "../../spec/shape-of";
import { listMarkedFields, traitsOf } from "../../provider/define/markers";
import { keysAt } from "../../provider/engine/schema/secrets";
import type { Values } from "../../provider/define/values";
import { field } from "../../tools/fixtures/fixture";
import { resourceOf, type Sample } from "../kit/samples";

export type SecretPlace = readonly string[];

/** The places of all secret texts among the inputs of a resource, by its schema. */
export function secretPlaces(sample: Sample): SecretPlace[] {
  return placesIn(resourceOf(sample).inputs, declaredBy(sample));
}

function placesIn(schema: z.ZodType, value: unknown, isWithin = false): SecretPlace[] {
  const isSecret = isWithin || traitsOf(schema).secret === true;
  const shape = shapeOf(schema);
  const below = (name: string, inner: z.ZodType): SecretPlace[] =>
    placesIn(inner, field(value, name), isSecret).map((place) => [name, ...place]);
  switch (shape.kind) {
    case "object":
      return listMarkedFields(shape.inner).flatMap(([name, inner, { computed }]) =>
        computed === true ? [] : below(name, inner),
      );
    case "record":
      return below("TOKEN", shape.values);
    case "array":
      return below("0", shape.element);
    case "union":
      // Which of the alternatives it is, the sample decides.
      return isSecret ? Object.keys(value ?? {}).map((name) => [name]) : [];
    default:
      return isSecret ? [[]] : [];
  }
}

/** What the sample declares, with this value in this place. */
export function placed(sample: Sample, place: SecretPlace, value: unknown): Values {
  return placedIn(declaredBy(sample), place, value);
}

export function placedIn(values: Values, [name = "", ...below]: SecretPlace, value: unknown): Values {
  const [next] = below;
  const inner = values[name];
  const given = next === undefined ? value : placedIn(isObject(inner) ? inner : {}, below, value);
  return { ...values, [name]: given };
}

/** Places beside one that is within another property: its neighbour, and one of no known name. */
export function placesBeside(sample: Sample, place: SecretPlace): SecretPlace[] {
  const above = place.slice(0, -1);
  if (above.length === 0) return [];
  const [neighbour] = keysAt(resourceOf(sample).inputs, above).filter((name) => name !== place.at(-1));
  return [...(neighbour === undefined ? [] : [neighbour]), "zzzzzzzz"].map((name) => [...above, name]);
}

function declaredBy({ inputs, secretInputs }: Sample): Values {
  return { ...inputs("abcdefghijklmnopqrst"), ...secretInputs };
}
