import { startPluginServer } from "./server";

const [, , engineAddress] = process.argv;

startPluginServer({
  env: process.env,
  schema: loadSchemaText,
  engineAddress,
  end: () => process.exit(1),
}).then(
  // The engine reads the port from the first line.
  ({ port }) => process.stdout.write(`${port}\n`),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);

/** The package schema as JSON; building the plugin puts the generated file beside it. */
function loadSchemaText(): string {
  // oxlint-disable-next-line typescript/no-require-imports -- read when it is asked for, not at every start
  const schema: unknown = require("../../schema.json");
  return JSON.stringify(schema);
}
