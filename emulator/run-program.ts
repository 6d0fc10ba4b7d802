import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import type { Emulator, EmulatorOptions } from "./desk/emulator";

/** How a program ended: with a code, or by a signal. */
export type ProgramEnding = { readonly code: number } | { readonly signal: NodeJS.Signals };

const PASSED_ON = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Of a shell, for a program that is not there and for one that cannot be run. */
const NOT_FOUND = 127;
const NOT_RUNNABLE = 126;

/** A program that could not be started; the message is all that the user needs to see. */
export class ProgramError extends Error {
  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

/** Runs a program with the environment in which Pulumi programs and clients call the emulator, and passes signals on to it. */
export function runProgram(
  program: string,
  args: readonly string[],
  env: Readonly<NodeJS.ProcessEnv>,
): Promise<ProgramEnding> {
  return new Promise((settle, reject) => {
    // In the group of a terminal the program can read from it, and has the terminal's Ctrl-C from there. Without one, a group
    // of its own lets every signal reach it once, whether ours was sent to this process alone or to its group.
    const hasGroup = process.platform !== "win32" && !hasTerminal();
    const child = spawn(program, args, { env, stdio: "inherit", detached: hasGroup });
    const passOn = (signal: NodeJS.Signals): void => {
      if (signal === "SIGINT" && hasTerminal()) return;
      send(child, signal, hasGroup);
    };
    for (const signal of PASSED_ON) process.on(signal, passOn);
    const end = (): void => {
      for (const signal of PASSED_ON) process.off(signal, passOn);
    };
    child.once("error", (error: NodeJS.ErrnoException) => {
      end();
      const isMissing = error.code === "ENOENT";
      const reason = isMissing ? "there is no such program" : error.message;
      const exitCode = isMissing ? NOT_FOUND : NOT_RUNNABLE;
      reject(new ProgramError(`${program} cannot be run: ${reason}`, exitCode));
    });
    child.once("exit", (code, signal) => {
      end();
      settle(signal === null ? { code: code ?? 1 } : { signal });
    });
  });
}

function hasTerminal(): boolean {
  return process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
}

function send(child: ChildProcess, signal: NodeJS.Signals, toGroup: boolean): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (toGroup) process.kill(-child.pid, signal);
  else child.kill(signal);
}

/** Of a real account, with which the provider would renew its token. */
const OF_AN_ACCOUNT = ["MANAGEMENT_REFRESH_TOKEN", "MANAGEMENT_CLIENT_ID", "MANAGEMENT_CLIENT_SECRET"];

/** What makes programs and clients call this emulator, and nobody else. */
export function environmentOf(
  { url, accessToken }: Pick<Emulator, "url" | "accessToken">,
  { names, controlToken }: Pick<EmulatorOptions, "names" | "controlToken">,
  env: Readonly<NodeJS.ProcessEnv>,
): NodeJS.ProcessEnv {
  const others = Object.entries(env).filter(([name]) => !OF_AN_ACCOUNT.includes(name));
  return {
    ...Object.fromEntries(others),
    MANAGEMENT_BASE_URL: url,
    MANAGEMENT_ACCESS_TOKEN: accessToken,
    ...(names !== undefined && { MANAGEMENT_NAMES: resolve(names) }),
    ...(controlToken !== undefined && { MANAGEMENT_EMULATOR_CONTROL_TOKEN: controlToken }),
  };
}
