import type { Names } from "../../spec/names/names";
import { openApiDocument } from "../../spec/openapi";
import { operations } from "../../spec/table";

/** The OpenAPI document in the callers' own words, so that other clients can be made from it. */
export function documentIn({ toWire }: Names): unknown {
  return JSON.parse(toWire.text(JSON.stringify(openApiDocument(operations, "/"))));
}
