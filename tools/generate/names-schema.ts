import { namesJsonSchema } from "../../spec/names/names-file";
import { standInsOf, vocabularyOf } from "../../spec/names/vocabulary";
import { operations } from "../../spec/table";

/** The text of `names.schema.json`. */
export function namesSchemaText(): string {
  return JSON.stringify(namesJsonSchema(standInsOf(vocabularyOf(operations))));
}
