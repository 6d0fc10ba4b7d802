import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";
import type { OperationResult, Workspace } from "../../tools/engine/workspace";
import { startProgram } from "./harness";

/** A program on the real engine, an emulator it talks to, and a state folder of its own. */
export interface Stack {
  readonly emulator: Emulator;
  readonly workspace: Workspace;
  readonly projectDir: string;
  dispose(): Promise<void>;
}

/** A hundredth of the running service's settling times. */
export const PACE = 0.01;

export const PRELUDE = `
const pulumi = require("@pulumi/pulumi");
const management = require("pulumi-management");
`;

/** Declares the project that every program of these tests has. */
export const PROJECT = `${PRELUDE}
const project = new management.Project("app", {
  name: "shop", organizationSlug: "acme", dbPass: "db-password-of-the-test", region: "eu-central-1",
});
const projectRef = project.ref;
`;

export async function startStack(source: string, options: EmulatorOptions = {}): Promise<Stack> {
  const emulator = await startEmulator({ pace: PACE, ...options });
  const stateHome = mkdtempSync(join(tmpdir(), "management-state-"));
  const program = await startProgram(source, {
    name: "shop",
    env: {
      MANAGEMENT_BASE_URL: emulator.url,
      MANAGEMENT_ACCESS_TOKEN: emulator.accessToken,
      XDG_STATE_HOME: stateHome,
    },
  });
  return {
    emulator,
    workspace: program.workspace,
    projectDir: program.projectDir,
    dispose: async () => {
      await program.dispose();
      await emulator.close();
      rmSync(stateHome, { recursive: true, force: true });
    },
  };
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
