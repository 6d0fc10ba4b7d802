import { resolve } from "node:path";
import type { ParseArgsConfig } from "node:util";
import type { EmulatorOptions } from "../emulator";
import { readCommandLine } from "../emulator/command-line";

/** Options of a tool that it passes on to the emulator it starts. */
export const emulatorFlags = {
  newer: { type: "boolean", default: false },
  limits: { type: "string" },
  names: { type: "string" },
} as const satisfies ParseArgsConfig["options"];

export const emulatorFlagsUsage = `  --newer          the emulator's answers carry the fields that no document lists, and its bodies take them
  --limits         what it counts 120 calls a minute for: scope, which is the default, or operation
  --names          a names file (docs/names.md): the emulator and its callers speak its words with each other
`;

interface Given {
  readonly newer: boolean;
  readonly limits?: string | undefined;
  readonly names?: string | undefined;
}

/** Read as the emulator's own command line, which refuses what is wrong. The names file's path is absolute. */
export function emulatorOptionsOf({ newer, limits, names }: Given): EmulatorOptions {
  const given = [
    ...(newer ? ["--newer"] : []),
    ...(limits === undefined ? [] : ["--limits", limits]),
    ...(names === undefined ? [] : ["--names", resolve(names)]),
  ];
  const command = readCommandLine(given);
  return command.kind === "start" ? command.options : {};
}
