import * as pulumi from "@pulumi/pulumi";
import { functionByName } from "../catalog/catalog";
import { systemClock, type Clock } from "../client/clock";
import { InvalidInputError } from "../client/errors/errors";
import { providerConfig } from "../process/config";
import { listMarkedFields } from "../define/markers";
import type { AnyFunction } from "../define/function";
import type { Redaction } from "../engine/schema/describe-issue";
import { checkArguments, invokeFunction } from "../engine/invoke";
import { listSecretTexts, collectTexts } from "../engine/schema/secrets";
import { createSharedCalls, type RunCalls } from "../batching/shared-calls";
import { pick, type Values } from "../define/values";
import type { StatusLine } from "../process/status-reporter";
import { createProcessRuntime, type ProcessRuntime } from "../process/process-runtime";

type ProgramSettings = Readonly<Record<string, string | undefined>>;

/** The program's lines; one that gets lost is no reason to fail what it reports. */
const logToProgram = ({ severity, message, isEphemeral }: StatusLine): Promise<void> =>
  severity === "info"
    ? pulumi.log.info(message, undefined, undefined, isEphemeral)
    : pulumi.log.warn(message);

/** Calls functions for a program. */
export interface ProgramRuntime {
  /** `secretNames` are the arguments of which the program made a secret. */
  run(name: string, given: Values, secretNames?: readonly string[]): Promise<Values>;
}

export function createProgramRuntime(
  settings: ProgramSettings,
  env: NodeJS.ProcessEnv = process.env,
  log = logToProgram,
  clock: Clock = systemClock,
): ProgramRuntime {
  const process = createProcessRuntime(env, log, { clock });
  process.configure((name) => settings[name]);
  let turn: Promise<RunCalls> | undefined;

  /**
   * Calls made in one turn of the event loop share their reads. One made later may depend on what other processes have
   * made in between, and reads again.
   */
  const shareInTurn = (): Promise<RunCalls> =>
    (turn ??= new Promise((resolve) => {
      setImmediate(() => {
        turn = undefined;
        resolve(createSharedCalls(clock));
      });
    }));

  return {
    run: async (name, given, secretNames = []) => {
      const definition = functionByName(name);
      const lines = process.open();
      process.keepSecret([...listSecretTexts(definition, given), ...collectTexts(pick(given, secretNames))]);
      try {
        const redaction: Redaction = {
          redact: (text) => process.print(text),
          isSecret: (argument) => secretNames.includes(argument),
        };
        requireRight(definition, given, redaction);
        const runtime = { ...process.runtime(lines), shared: await shareInTurn() };
        return await invokeFunction(runtime, definition, given, redaction);
      } catch (error) {
        throw redactError(error, process);
      } finally {
        await lines.end();
      }
    },
  };
}

/** One runtime for each configuration: a process may run programs of several stacks. */
const runtimes = new Map<string, ProgramRuntime>();

/** Runs a function with the configuration of the environment first, then of the program's stack. */
export async function runFunction(
  name: string,
  given: Values,
  secretNames: readonly string[] = [],
): Promise<Values> {
  const settings: ProgramSettings = Object.fromEntries(
    listMarkedFields(providerConfig).map(([setting]) => [
      setting,
      pulumi.runtime.getConfig(`management:${setting}`),
    ]),
  );
  const key = JSON.stringify(settings);
  const runtime = runtimes.get(key) ?? createProgramRuntime(settings);
  runtimes.set(key, runtime);
  return runtime.run(name, given, secretNames);
}

function requireRight(definition: AnyFunction, given: Values, redaction: Redaction): void {
  const failures = Object.entries(given).flatMap(([path, value]) =>
    isLater(value)
      ? [
          {
            path,
            reason: `it is an Output or a Promise and not known yet: use \`${definition.name}Output\``,
          },
        ]
      : [],
  );
  if (failures.length === 0) failures.push(...checkArguments(definition, given, redaction));
  const [first] = failures;
  if (first === undefined) return;
  const lines = failures.map(({ path, reason }) => `${path}: ${reason}`);
  throw new InvalidInputError(
    first.path,
    `${definition.name} cannot run with these arguments.\n  ${lines.join("\n  ")}`,
  );
}

function isLater(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isLater);
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** The same error, with texts as they are printed. */
function redactError(error: unknown, process: ProcessRuntime): unknown {
  if (!(error instanceof Error)) return new Error(process.print(String(error)));
  error.message = process.print(error.message);
  if (error.stack !== undefined) error.stack = process.print(error.stack);
  return error;
}
