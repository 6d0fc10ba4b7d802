import { readFileSync } from "node:fs";
import type { Emulator, EmulatorOptions } from "../../emulator";
import { startEmulatedProgram, type Stack } from "../../tools/engine/emulated-program";
import type { OperationResult } from "../../tools/engine/workspace";
import { engineForTests } from "./harness";

export { PACE } from "../../tools/engine/emulated-program";
export type { Stack } from "../../tools/engine/emulated-program";

export const PRELUDE = `
const pulumi = require("@pulumi/pulumi");
const management = require("pulumi-management");
`;

/** A pace at which nothing settles while a test runs: hours for what takes the service seconds. */
export const HELD = 1_000;

/** Every project is settled from now on, whatever the pace. */
export function settleProjects({ control }: Emulator): void {
  control.edit(({ projects }) => {
    for (const project of projects.values()) project.activity = { ...project.activity, kind: "rest" };
  });
}

/** Declares the project that every program of these tests has. */
export const PROJECT = `${PRELUDE}
const project = new management.Project("app", {
  name: "shop", organizationSlug: "acme", dbPass: "db-password-of-the-test", region: "eu-central-1",
});
const projectRef = project.ref;
`;

export async function startStack(source: string, options: EmulatorOptions = {}): Promise<Stack> {
  return startEmulatedProgram(source, { ...options, engine: await engineForTests() });
}

/** Everything that a command showed or wrote, to be searched for what must not be in it. */
export function everythingShown(stack: Stack, ...results: OperationResult[]): string {
  const logs = results.flatMap(({ eventLogFile }) =>
    eventLogFile === undefined ? [] : [readFileSync(eventLogFile, "utf8")],
  );
  return [
    stack.workspace.readStateFile(),
    ...logs,
    ...results.flatMap(({ stdout, stderr }) => [stdout, stderr]),
  ].join("\n");
}

/** The command's whole output, for a test's failure message. */
export function outputOf({ stdout, stderr }: OperationResult): string {
  return `${stdout}\n${stderr}`;
}

/** Fails with the command's output where it did not succeed. */
export function expectSuccess(result: OperationResult): void {
  if (result.exitCode !== 0) throw new Error(`The command failed:\n${outputOf(result)}`);
}
