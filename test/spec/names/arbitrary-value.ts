import fc from "fast-check";
import type { z } from "zod";
import { alternativesOf, collectFields } from "../../../spec/names/alternatives";

/** Texts and keys that a user or a newer service could write, near to placeholders and to invented words. */
const NEAR = [
  "",
  "plain",
  "idp01",
  "vendorA",
  "pigeo",
  "external_idp01_newer",
  "external_acme-login_newer",
  "external_idp04_enabled",
  "SVC_URL",
  "ACME_URL",
  "legacy_pooler",
  "rest-layer",
  "say vendorA, not pigeo, in /rest-layer",
];

const near = fc.constantFrom(...NEAR);
const anything = fc.oneof(near, fc.integer(), fc.boolean(), fc.constant(null), fc.dictionary(near, near));

/** Any value along the schemas, whether or not its texts are valid: fields may be missing, and unknown ones be there. */
export function arbitraryOf(schemas: readonly z.core.$ZodType[]): fc.Arbitrary<unknown> {
  const { objects, records, elements, values } = alternativesOf(schemas);
  const options: fc.Arbitrary<unknown>[] = [];
  if (objects.length > 0) options.push(arbitraryObject(objects));
  if (records.length > 0) options.push(fc.dictionary(near, anything));
  if (elements.length > 0) options.push(fc.array(arbitraryOf(elements), { maxLength: 3 }));
  if (values.length > 0) options.push(fc.constantFrom(...values));
  return options.length === 0 ? anything : fc.oneof(...options);
}

function arbitraryObject(objects: Parameters<typeof collectFields>[0]): fc.Arbitrary<unknown> {
  const fields = [...collectFields(objects)].map(([name, schemas]) => [name, arbitraryOf(schemas)] as const);
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
  return fc
    .tuple(fc.dictionary(near, anything, { maxKeys: 2 }), known)
    .map(([more, own]) => ({ ...more, ...own }));
}
