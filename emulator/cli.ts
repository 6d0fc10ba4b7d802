#!/usr/bin/env node
import "../provider/node-version";
import { saveCompileCache } from "./compile-cache";
import { type Command, CommandLineError, describeStart, readCommandLine } from "./command-line";
import { environmentOf, ProgramError, runProgram } from "./run-program";
import { startEmulator } from "./start-emulator";

async function main(): Promise<void> {
  const command = readCommandLine(process.argv.slice(2));
  if (command.kind === "print") process.stdout.write(command.text);
  else if (command.kind === "exec") await exec(command);
  else await start(command);
}

async function start({ options }: Extract<Command, { kind: "start" }>): Promise<void> {
  const emulator = await startEmulator(options);
  process.stdout.write(describeStart({ ...emulator, ...options }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void emulator.close());
  setImmediate(saveCompileCache);
}

/** Ends as the program ends, also where that was by a signal. */
async function exec({ options, program, args }: Extract<Command, { kind: "exec" }>): Promise<void> {
  const emulator = await startEmulator(options);
  try {
    const ending = await runProgram(program, args, environmentOf(emulator, options, process.env));
    if ("code" in ending) process.exitCode = ending.code;
    else process.once("exit", () => process.kill(process.pid, ending.signal));
  } finally {
    await emulator.close();
    saveCompileCache();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`management-emulator: ${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof ProgramError) process.exitCode = error.exitCode;
  else process.exitCode = error instanceof CommandLineError ? 2 : 1;
});
