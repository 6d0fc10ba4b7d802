/** The package schema as JSON; building the plugin puts the generated file into it. */
export function schemaText(): string {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- read when it is asked for, not at every start
  const schema: unknown = require("../../schema.json");
  return JSON.stringify(schema);
}
