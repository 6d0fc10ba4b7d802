import { createHash } from "node:crypto";
import type { Credentials, ManagementClient } from "../client";
import { systemClock, type Clock } from "../client/clock";
import { toPrintable } from "../../spec/printed-text";
import { addOwnWords } from "../client/redaction/own-words";
import { Redactor } from "../client/redaction/redactor";
import {
  listConnectionFaults,
  resolveConnection,
  installationOf,
  listSecretSettings,
  type ConfigLookup,
  type ConfiguredConnection,
} from "./config";
import type { CheckFailure } from "../define/resource";
import { Ledger } from "../ledger/ledger";
import { systemProcesses } from "../core/process-identity";
import { ProgramIndex } from "../ledger/program-index";
import type { Runtime } from "../engine/step/runtime";
import { createSharedCalls, type WorkQueues } from "../batching/shared-calls";
import { StatusReporter, type StatusLine, type StepReporter } from "./status-reporter";
import { findPulumiBackend } from "./pulumi-backend";
import { openRefreshTokenFile } from "./refresh-token-file";
import { findStateFolder } from "../core/state-folder";
import { openTraceFile } from "./trace-file";

/** The one runtime of a process, a provider's or a program's, built when a step or a call first needs it. */
export interface ProcessRuntime {
  /** `environment` is what wins over `configured`; the process's own by default. */
  configure(configured: ConfigLookup, environment?: NodeJS.ProcessEnv): void;
  /** Why the service cannot be reached with this configuration; reported once in a process, as it holds for every resource. */
  configurationFaults(): readonly CheckFailure[];
  /** What a step reports, on the row of `urn` or of the stack; the step ends it. */
  open(urn?: string): StepReporter;
  /** `lines` are those of the step that it is for. */
  runtime(lines?: StepReporter): Runtime;
  /** What earlier runs of a process that outlives them have seen counts no longer. */
  beginRun(): void;
  keepSecret(texts: readonly string[]): void;
  /** A text as it leaves the process, for a person or a log: redacted, and with nothing in it that a terminal or a forge acts on. */
  print(text: string): string;
}

export interface ProcessRuntimeOptions {
  readonly clock?: Clock | undefined;
  /** Aborts when every wait of the process is to end. */
  readonly signal?: AbortSignal;
  /** Whether a stack's configuration can hold the credentials; true when absent. */
  readonly hasStack?: boolean;
}

export function createProcessRuntime(
  env: NodeJS.ProcessEnv,
  send: (line: StatusLine) => Promise<void>,
  { clock = systemClock, signal = new AbortController().signal, hasStack = true }: ProcessRuntimeOptions = {},
): ProcessRuntime {
  let configured: ConfigLookup = () => undefined;
  let winning = env;
  let shared: Omit<Runtime, keyof StepReporter> | undefined;
  let client: ManagementClient | undefined;
  let areFaultsReported = false;
  const queues: WorkQueues = new Map();
  const redactor = new Redactor();
  const redact = (text: string): string => redactor.redact(text);
  const print = (text: string): string => toPrintable(redact(text));
  const lines = new StatusReporter(send, print);
  /** For what no step reports. */
  const own = lines.open();
  const connection = (): ConfiguredConnection => resolveConnection(winning, configured);
  const connect = (): ManagementClient => {
    const { ManagementClient } = loadClient();
    const { baseUrl, credentials, names, expectedAccount } = connection();
    const kept = openRefreshTokenFile(findStateFolder(env), { baseUrl, credentials }, own.warn);
    return new ManagementClient({
      baseUrl,
      names,
      expectedAccount,
      credentials: credentials.kind === "oauth" ? { ...credentials, kept } : credentials,
      tokenAdvice: formatConfigAdvice(credentials.kind, hasStack),
      clock,
      redactor,
      trace: openTraceFile(env["MANAGEMENT_TRACE"], print, own.warn),
    });
  };
  return {
    configure: (values, environment = env) => {
      configured = values;
      winning = environment;
    },
    configurationFaults: () => {
      if (areFaultsReported) return [];
      for (const text of listSecretSettings(winning, configured)) redactor.add(text);
      const faults = listConnectionFaults(winning, configured);
      areFaultsReported = faults.length > 0;
      return faults.map(({ path, reason }) => ({ path: `management:${path}`, reason }));
    },
    open: (urn) => lines.open(urn),
    runtime: ({ progress, info, warn } = own) => {
      shared ??= {
        client: () => (client ??= connect()),
        baseUrl: () => connection().baseUrl,
        baseUrlAliases: () => connection().baseUrlAliases ?? [],
        installation: () => installationOf(winning, configured),
        clock,
        shared: createSharedCalls(clock, queues),
        ledger: new Ledger({
          folder: findStateFolder(env),
          backend: findPulumiBackend(env, process.cwd()),
          clock,
          processes: systemProcesses(),
          service: () => {
            const { baseUrl, credentials } = connection();
            return { baseUrl, account: accountOf(credentials) };
          },
          warn: own.warn,
        }),
        program: new ProgramIndex(),
        redact,
        signal,
      };
      return { ...shared, progress, info, warn };
    },
    beginRun: () => {
      shared = undefined;
    },
    keepSecret: (texts) => {
      for (const text of texts) redactor.add(text);
    },
    print,
  };
}

/** What to do about a refused access token, within a sentence. */
function formatConfigAdvice(kind: Credentials["kind"], hasStack: boolean): string {
  const [advice, key] =
    kind === "token"
      ? ["set a valid one in the environment variable MANAGEMENT_ACCESS_TOKEN", "accessToken"]
      : [
          "authorize the OAuth application again, and set its new refresh token in the environment variable MANAGEMENT_REFRESH_TOKEN",
          "refreshToken",
        ];
  const text = hasStack ? `${advice}, or run "pulumi config set --secret management:${key}"` : advice;
  addOwnWords(text);
  return text;
}

/** Distinguishes credentials without revealing them. */
function accountOf(credentials: Credentials): string {
  const token = credentials.kind === "token" ? credentials.accessToken() : undefined;
  const identity =
    credentials.kind === "token"
      ? [typeof token === "string" ? token : ""]
      : [credentials.clientId, credentials.refreshToken];
  return createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 16);
}

/** Loaded on first use: a run that changes nothing needs no HTTP client. */
function loadClient(): typeof import("../client/management-client") {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at the start
  return require("../client/management-client") as typeof import("../client/management-client");
}
