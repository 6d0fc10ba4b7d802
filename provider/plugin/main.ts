import { startPluginServer } from "./server";
import { schemaText } from "./schema-text";

const PARENT_CHECK_MS = 1_000;

const [, , engineAddress] = process.argv;

// A plugin whose engine was killed must not go on alone.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.exit(1);
}, PARENT_CHECK_MS).unref();

startPluginServer({ env: process.env, schema: schemaText, engineAddress }).then(
  // The engine reads the port from the first line.
  ({ port }) => process.stdout.write(`${port}\n`),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
