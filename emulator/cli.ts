#!/usr/bin/env node
import "../provider/node-version";
import { saveCompileCache } from "./compile-cache";
import { CommandLineError, describeStart, readCommandLine } from "./command-line";
import { startEmulator } from "./start-emulator";

async function main(): Promise<void> {
  const command = readCommandLine(process.argv.slice(2));
  if (command.kind === "print") {
    process.stdout.write(command.text);
    return;
  }
  const emulator = await startEmulator(command.options);
  process.stdout.write(describeStart({ ...emulator, ...command.options }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void emulator.close());
  setImmediate(saveCompileCache);
}

main().catch((error: unknown) => {
  process.stderr.write(`management-emulator: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof CommandLineError ? 2 : 1;
});
