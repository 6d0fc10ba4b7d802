import { startPluginServer } from "./server";
import { schemaText } from "./schema-text";

const [, , engineAddress] = process.argv;

startPluginServer({ env: process.env, schema: schemaText, engineAddress, end: () => process.exit(1) }).then(
  // The engine reads the port from the first line.
  ({ port }) => process.stdout.write(`${port}\n`),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
