import { openApiDocument } from "../../spec/openapi";
import { operations } from "../../spec/table";

/** The text of `spec/openapi.json`. */
export function openApiText(): string {
  return JSON.stringify(openApiDocument(operations));
}
