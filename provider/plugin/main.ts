import { startPluginServer } from "./server";
import { schemaText } from "./schema-text";

const PARENT_CHECK_MS = 1_000;

const [, , engineAddress] = process.argv;

/** Without its engine a plugin must not go on: what it finished now would be in no state, and in no journal either. */
function endAlone(): void {
  process.exit(1);
}

const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) endAlone();
}, PARENT_CHECK_MS).unref();

startPluginServer({ env: process.env, schema: schemaText, engineAddress, onAbandoned: endAlone }).then(
  // The engine reads the port from the first line.
  ({ port }) => process.stdout.write(`${port}\n`),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
