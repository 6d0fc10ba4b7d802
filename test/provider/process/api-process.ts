import { createInterface } from "node:readline";
import { createProcessRuntime } from "../../../provider/process/process-runtime";

// A process of its own that calls the API once for each line it reads, and tells on a line how that ended.

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const api = createProcessRuntime(process.env, ({ severity, message }) => {
  if (severity === "warning") say(`warning: ${message}`);
  return Promise.resolve();
});

say("ready");
createInterface({ input: process.stdin }).on("line", () => {
  api
    .runtime()
    .client()
    .listOrganizations()
    .then(
      (found) => say(`found: ${found.length}`),
      (error: unknown) => say(`failed: ${error instanceof Error ? error.message : String(error)}`),
    );
});
