#!/usr/bin/env node
import "../provider/core/node-version";
import { toPrintable } from "../spec/printed-text";
import { saveCompileCache } from "./compile-cache";
import { type Command, describeStart, readCommandLine } from "./command-line";
import { EmulatorCommandError } from "./parse-command";
import { exportFolder, exportRunning } from "./export-world";
import { importWorld as importIntoFolder } from "./desk/worlds/import-world";
import { environmentOf, ProgramError, runProgram } from "./run-program";
import { startEmulator } from "./desk/start-emulator";

async function main(): Promise<void> {
  const command = readCommandLine(process.argv.slice(2));
  if (command.kind === "print") process.stdout.write(command.text);
  else if (command.kind === "exec") await exec(command);
  else if (command.kind === "export") await exportWorld(command);
  else if (command.kind === "import") importWorld(command);
  else await start(command);
}

async function start({ options }: Extract<Command, { kind: "start" }>): Promise<void> {
  const emulator = await startEmulator(options);
  process.stdout.write(toPrintable(describeStart({ ...emulator, ...options })));
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

async function exportWorld({ file, from }: Extract<Command, { kind: "export" }>): Promise<void> {
  if ("url" in from) {
    await exportRunning(from.url, file, process.env["MANAGEMENT_EMULATOR_CONTROL_TOKEN"]);
  } else {
    await exportFolder(from.dataFolder, file, from.names);
  }
  process.stdout.write(toPrintable(`The world is in ${file}, which holds secrets: only you can read it\n`));
}

function importWorld({ file, dataFolder }: Extract<Command, { kind: "import" }>): void {
  importIntoFolder(file, dataFolder);
  process.stdout.write(toPrintable(`The world is in ${dataFolder}: start it with --data ${dataFolder}\n`));
}

main().catch((error: unknown) => {
  process.stderr.write(
    toPrintable(`management-emulator: ${error instanceof Error ? error.message : String(error)}\n`),
  );
  if (error instanceof ProgramError) process.exitCode = error.exitCode;
  else process.exitCode = error instanceof EmulatorCommandError ? 2 : 1;
});
