#!/usr/bin/env node
import "../provider/core/node-version";
import { run } from "./run";

// Who read it is gone, as of a job that was cancelled.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

void run(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
}).then((code) => {
  process.exitCode = code;
});
