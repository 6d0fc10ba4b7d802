import type { ParseArgsConfig } from "node:util";
import type { EmulatorOptions } from "../emulator";
import { readCommandLine } from "../emulator/command-line";

/** Options of a tool that it passes on to the emulator it starts. */
export const emulatorFlags = {
  newer: { type: "boolean", default: false },
  limits: { type: "string" },
} as const satisfies ParseArgsConfig["options"];

export const emulatorFlagsUsage = `  --newer          the emulator's answers carry the fields that no document lists, and its bodies take them
  --limits         what it counts 120 calls a minute for: scope, which is the default, or operation
`;

interface Given {
  readonly newer: boolean;
  readonly limits?: string | undefined;
}

/** Read as the emulator's own command line, which refuses what is wrong. */
export function emulatorOptionsOf({ newer, limits }: Given): EmulatorOptions {
  const given = [...(newer ? ["--newer"] : []), ...(limits === undefined ? [] : ["--limits", limits])];
  const command = readCommandLine(given);
  return command.kind === "start" ? command.options : {};
}
