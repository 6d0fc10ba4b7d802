import * as grpc from "@grpc/grpc-js";
import { systemClock, type Clock } from "../client/clock";
import type { StepRunner } from "../process/exit-with-engine";
import { createEngineLines } from "../process/engine-log/engine-lines";
import { createCancellation } from "../client/cancel-file";
import { createProcessRuntime } from "../process/process-runtime";
import type { StepReporter } from "../process/status-reporter";
import type { Runtime } from "../engine/step/runtime";

export interface ProcessOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly clock?: Clock | undefined;
  /** Aborts when the engine cancels the run: every wait ends, and what is half-made is kept. */
  readonly cancelling: AbortSignal;
  /** Where the lines to the user go; undefined without an engine. */
  readonly engineAddress: () => string | undefined;
  /** What the steps run in, where the engine is watched. */
  readonly steps?: StepRunner | undefined;
}

/** What all requests of one plugin process share. */
export interface PluginProcess {
  readonly env: NodeJS.ProcessEnv;
  configure(configured: (name: string) => string | undefined, environment: NodeJS.ProcessEnv): void;
  /** What a request reports, on the row of `urn`; the request ends it. */
  open(urn: string): StepReporter;
  /** The runtime of the request that tells `lines`; `timeoutSeconds` is the engine's, 0 for none. */
  runtime(lines: StepReporter, timeoutSeconds?: number): Runtime;
  /** Runs a step that calls the service. */
  run<T>(step: () => Promise<T>): Promise<T>;
  keepSecret(texts: readonly string[]): void;
  readonly print: (text: string) => string;
}

export function createPluginProcess(options: ProcessOptions): PluginProcess {
  const { env, clock = systemClock } = options;
  const cancelling = new AbortController();
  options.cancelling.addEventListener("abort", () => cancelling.abort(createCancellation(env)));
  const { steps } = options;
  const signals = [cancelling.signal, ...(steps === undefined ? [] : [steps.signal])];
  const shared = createProcessRuntime(
    env,
    createEngineLines(options.engineAddress, () => grpc),
    {
      clock,
      signal: AbortSignal.any(signals),
    },
  );
  return {
    env,
    configure: (configured, environment) => {
      shared.beginRun();
      shared.configure(configured, environment);
    },
    open: (urn) => shared.open(urn),
    runtime: (lines, timeoutSeconds = 0) => ({
      ...shared.runtime(lines),
      ...(timeoutSeconds > 0 ? { timeoutSeconds } : {}),
    }),
    run: (step) => (steps === undefined ? step() : steps.run(step)),
    keepSecret: (texts) => shared.keepSecret(texts),
    print: (text) => shared.print(text),
  };
}
