import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
  existsSync,
  readdirSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, basename } from "node:path";
import type { Engine, Environment } from "./engine";
import type { EngineEvent } from "@pulumi/pulumi/automation";
import { type ChangeSummary, parseEvents, readEventLog, summarize } from "./engine-events";
import type { CommandOptions, CommandResult } from "./engine-process";
import { engineEnvironment } from "./environment";
import { RunningEngines } from "./running-engines";

export interface WorkspaceOptions {
  engine: Engine;
  /** Folder of the program, with Pulumi.yaml; nothing is written into it. */
  projectDir: string;
  env?: Environment;
  /** Where state, configuration and logs go; a temporary folder when not given, removed by `dispose`. */
  folder?: string;
  /** Where the state goes instead. */
  backendUrl?: string;
}

export interface OperationOptions extends CommandOptions {
  parallel?: number;
  /** Prints events instead of text on stdout. */
  json?: boolean;
  /** Records events in a file; true by default. */
  eventLog?: boolean;
  extraArgs?: readonly string[];
}

export interface OperationResult extends CommandResult {
  events: EngineEvent[];
  summary: ChangeSummary;
  /** The recorded events as written by the engine, to be searched for what must not be in them. */
  eventLogFile: string | undefined;
}

export type OperationName = "preview" | "up" | "refresh" | "destroy";

/** A command that prepares or reads a stack and failed; the four operations return their exit code instead. */
export class EngineCommandError extends Error {
  constructor(
    args: readonly string[],
    readonly result: CommandResult,
  ) {
    // Arguments after the second may be secret values.
    super(
      `pulumi ${args.slice(0, 2).join(" ")} ended with ${result.exitCode}:\n${result.stdout}${result.stderr}`,
    );
    this.name = "EngineCommandError";
  }
}

/** One stack of one project on a backend of its own, run by the provisioned engine. */
export class Workspace {
  readonly folder: string;
  /** The folder that is the backend, unless the state goes elsewhere. */
  readonly backend: string;
  readonly env: Environment;
  readonly processes = new RunningEngines();
  private stack = "";
  private operations = 0;

  constructor(private readonly options: WorkspaceOptions) {
    this.folder = options.folder ?? mkdtempSync(join(tmpdir(), "management-engine-"));
    this.backend = join(this.folder, "backend");
    const folders = { home: join(this.folder, "home"), backend: this.backend };
    for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
    this.env = engineEnvironment(options.engine, folders, {
      ...(options.backendUrl === undefined ? {} : { PULUMI_BACKEND_URL: options.backendUrl }),
      ...options.env,
    });
  }

  async stackInit(name: string): Promise<void> {
    this.stack = name;
    // Run beside a copy of the project file: it writes the stack's configuration next to that.
    copyFileSync(join(this.options.projectDir, "Pulumi.yaml"), join(this.folder, "Pulumi.yaml"));
    await this.require(["stack", "init", name, "--no-select"], this.folder);
  }

  async config(
    key: string,
    value: string,
    options: { secret?: boolean; path?: boolean } = {},
  ): Promise<void> {
    const flags = [
      options.secret === true ? "--secret" : "--plaintext",
      ...(options.path === true ? ["--path"] : []),
    ];
    await this.require([
      "config",
      "set",
      ...flags,
      ...this.stackFlags(),
      ...this.configFlags(),
      "--",
      key,
      value,
    ]);
  }

  preview(options: OperationOptions = {}): Promise<OperationResult> {
    return this.operate("preview", [], options);
  }

  up(options: OperationOptions = {}): Promise<OperationResult> {
    return this.operate("up", ["--yes", "--skip-preview"], options);
  }

  refresh(options: OperationOptions = {}): Promise<OperationResult> {
    return this.operate("refresh", ["--yes", "--skip-preview"], options);
  }

  destroy(options: OperationOptions = {}): Promise<OperationResult> {
    return this.operate("destroy", ["--yes", "--skip-preview"], options);
  }

  /** Takes an existing object into the state; the declaration that it generates is written to `out`. */
  import(type: string, name: string, id: string, out: string): Promise<CommandResult> {
    return this.importing([type, name, id], out);
  }

  /** Imports what a file lists, all at once. */
  importFile(file: string, out: string): Promise<CommandResult> {
    return this.importing(["--file", file], out);
  }

  private importing(what: readonly string[], out: string): Promise<CommandResult> {
    const flags = ["--yes", "--skip-preview", "--protect=false", "--suppress-progress", "--out", out];
    return this.run(["import", ...what, ...flags, ...this.stackFlags(), ...this.configFlags()]);
  }

  /** Removes the lock that a killed engine left on the stack, and first an empty file of attributes (docs/daily-work.md). */
  async cancel(): Promise<void> {
    removeEmptyAttributes(this.backend, this.stack);
    await this.require(["cancel", "--yes", ...this.stackFlags()]);
  }

  async exportStack(options: { showSecrets?: boolean } = {}): Promise<StackExport> {
    const flags = options.showSecrets === true ? ["--show-secrets"] : [];
    const { stdout } = await this.require(["stack", "export", ...flags, ...this.stackFlags()]);
    // The engine's own format, of which only documented members are read.
    return JSON.parse(stdout) as StackExport;
  }

  async importStack(state: StackExport): Promise<void> {
    const file = join(this.folder, "import.json");
    writeFileSync(file, JSON.stringify(state));
    await this.require(["stack", "import", "--file", file, ...this.stackFlags()]);
  }

  /** The stack's outputs; secret ones as "[secret]" unless asked for. */
  async outputs(options: { showSecrets?: boolean } = {}): Promise<Record<string, unknown>> {
    const flags = options.showSecrets === true ? ["--show-secrets"] : [];
    const { stdout } = await this.require(["stack", "output", "--json", ...flags, ...this.stackFlags()]);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  /** The state file as it lies on the backend, to be searched for what must not be in it. */
  readStateFile(): string {
    const [file] = stateFiles(this.backend, `${this.stack}.json`);
    if (file === undefined) throw new Error(`The backend has no state of the stack "${this.stack}"`);
    return readFileSync(file, "utf8");
  }

  /** Any command; returns its exit code. Flags for stack and configuration file are the caller's. */
  run(
    args: readonly string[],
    options: CommandOptions = {},
    cwd = this.options.projectDir,
  ): Promise<CommandResult> {
    const command = {
      pulumi: this.options.engine.pulumi,
      // No prompts that would wait for ever, no control characters in what tests read.
      args: [...args.slice(0, 1), "--non-interactive", "--color", "never", ...args.slice(1)],
      cwd,
      env: this.env,
    };
    return this.processes.run(command, options);
  }

  get engine(): Engine {
    return this.options.engine;
  }

  /** Process ids of the engines that are running. */
  pids(): number[] {
    return this.processes.pids();
  }

  /** Ends the engine, the program and the providers at once. */
  kill(): Promise<void> {
    return this.processes.killEverything();
  }

  async dispose(): Promise<void> {
    await this.processes.dispose();
    if (this.options.folder === undefined)
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private async operate(
    name: OperationName,
    flags: readonly string[],
    options: OperationOptions,
  ): Promise<OperationResult> {
    this.operations += 1;
    const logged = options.eventLog !== false;
    const eventLogFile = logged ? join(this.folder, `events-${this.operations}-${name}.jsonl`) : undefined;
    const result = await this.run(
      [
        name,
        ...flags,
        ...this.stackFlags(),
        ...this.configFlags(),
        ...(options.parallel === undefined ? [] : ["--parallel", String(options.parallel)]),
        ...(options.json === true ? ["--json"] : ["--suppress-progress"]),
        ...(eventLogFile === undefined ? [] : ["--event-log", eventLogFile]),
        ...(options.extraArgs ?? []),
      ],
      options,
    );
    const events = eventLogFile === undefined ? parseEvents(result.stdout) : readEventLog(eventLogFile);
    return { ...result, events, summary: summarize(events), eventLogFile };
  }

  private async require(args: readonly string[], cwd?: string): Promise<CommandResult> {
    const result = await this.run(args, {}, cwd);
    if (result.exitCode !== 0) throw new EngineCommandError(args, result);
    return result;
  }

  private stackFlags(): string[] {
    return ["--stack", this.stack];
  }

  private configFlags(): string[] {
    return ["--config-file", join(this.folder, `Pulumi.${this.stack}.yaml`)];
  }
}

export function createWorkspace(options: WorkspaceOptions): Workspace {
  return new Workspace(options);
}

/** A stack's export, with the members that are read here. */
interface StackExport {
  version: number;
  deployment: {
    resources?: ExportedResource[];
    pending_operations?: { type: string; resource: ExportedResource }[];
    [key: string]: unknown;
  };
}

interface ExportedResource {
  urn: string;
  type: string;
  id?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
  initErrors?: string[];
  [key: string]: unknown;
}

/** The paths of files of this name below a folder that is a backend; none where the state is elsewhere. */
export function stateFiles(backend: string, name: string): string[] {
  const stacks = join(backend, ".pulumi", "stacks");
  if (!existsSync(stacks)) return [];
  const entries = readdirSync(stacks, { recursive: true, encoding: "utf8" });
  return entries.filter((entry) => basename(entry) === name).map((entry) => join(stacks, entry));
}

/** What a user does where the engine died as it wrote the attributes of a state (docs/daily-work.md). */
function removeEmptyAttributes(backend: string, stack: string): void {
  for (const file of stateFiles(backend, `${stack}.json.attrs`)) {
    if (statSync(file).size === 0) rmSync(file);
  }
}
