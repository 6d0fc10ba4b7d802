import { dirname, join } from "node:path";
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import type { Engine } from "../engine/engine";
import type { ChangeSummary } from "../engine/engine-events";
import { provisionEngine } from "../engine/provision";
import type { OperationResult, Workspace } from "../engine/workspace";
import { runMain } from "../run-main";

export type Say = (line: string) => void;

/** What a step did; a step that runs no command of the engine has only an exit code. */
export type Done = Pick<OperationResult, "exitCode"> & Partial<OperationResult>;

/** One step of a demo: what it says, does, and must come to. */
export interface Step {
  /** Its row of the closing table. */
  readonly title: string;
  /** Above its output; the title where it is absent. */
  readonly heading?: string;
  readonly says: string;
  readonly run: () => Promise<Done>;
  /** What the engine must report, the stack itself among the resources. */
  readonly counts?: Partial<ChangeSummary>;
  readonly callsAtMost?: number;
  /** The command must fail. */
  readonly isToFail?: true;
  /** What became of the resources, where no engine counts it. */
  readonly resources?: string;
  /** What is not as it must be once the step is done. */
  readonly check?: (done: Done) => readonly string[] | Promise<readonly string[]>;
  /** What is said of a step that is as it must be. */
  readonly shows?: () => string | Promise<string>;
}

/** A service whose log of calls is counted; undefined where nobody counts. */
export interface CountedService {
  countCalls(): number | undefined;
  clearCalls(): void;
}

/** One row of the closing table. */
export interface Row {
  readonly step: string;
  /** What became of the resources: "10 created". */
  readonly resources: string;
  /** Undefined against a real account, which keeps no log of calls for us. */
  readonly apiCalls: number | undefined;
  readonly seconds: number;
  readonly faults: readonly string[];
}

interface Demo<O extends ParseArgsOptionsConfig> {
  readonly usage: string;
  readonly flags: O;
  /** Returns the exit code. */
  readonly tell: (
    engine: Engine,
    values: ReturnType<typeof parseArgs<{ options: O }>>["values"],
  ) => Promise<number>;
}

export const say: Say = (line) => console.log(line);

/** The command of a demo: its flags, the engine, and then its story. */
export function runDemo<O extends ParseArgsOptionsConfig>({ usage, flags, tell }: Demo<O>): void {
  runMain(async () => {
    if (process.argv.slice(2).some((flag) => flag === "--help" || flag === "-h")) {
      say(usage);
      return 0;
    }
    const { values } = parseArgs({ options: flags });
    say(heading("the engine"));
    const engine = await provisionEngine({ log: (line) => say(`  ${line}`) });
    return tell(engine, values);
  });
}

export function heading(text: string): string {
  return `\n━━ ${text} ${"━".repeat(Math.max(4, 90 - text.length))}`;
}

/** Where the engine's lines go. */
export function shownTo(told: Say): { readonly onLine: (line: string) => void } {
  return { onLine: (line) => line.trim() !== "" && told(`  │ ${line}`) };
}

/** A row for each step; none after one that did not do what it must. */
export async function playSteps(
  steps: readonly Step[],
  service: CountedService,
  told: Say = say,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const step of steps) {
    told(heading(step.heading ?? step.title));
    told(step.says);
    service.clearCalls();
    const startedAt = performance.now();
    const done = await step.run();
    const seconds = (done.durationMs ?? performance.now() - startedAt) / 1_000;
    const apiCalls = service.countCalls();
    const faults = await findFaults(step, done, apiCalls);
    for (const fault of faults) told(`  ✗ ${fault}`);
    const resources = step.resources ?? (done.summary === undefined ? "-" : describeChanges(done.summary));
    rows.push({ step: step.title, resources, apiCalls, seconds, faults });
    if (faults.length > 0) break;
    if (step.shows !== undefined) told(`\n${await step.shows()}`);
  }
  return rows;
}

async function findFaults(step: Step, done: Done, apiCalls: number | undefined): Promise<string[]> {
  const { counts = {}, callsAtMost = Infinity, isToFail = false } = step;
  const isAsExpected = (done.exitCode === 0) !== isToFail;
  const ended = isToFail ? "the command did not fail" : `the command ended with exit code ${done.exitCode}`;
  const miscounted = Object.entries(counts).flatMap(([kind, count]) => {
    const seen = done.summary?.[kind as keyof ChangeSummary];
    return seen === count ? [] : [`${count} resources should be "${kind}", seen: ${seen ?? "no summary"}`];
  });
  return [
    ...(isAsExpected ? [] : [ended]),
    ...miscounted,
    ...(apiCalls !== undefined && apiCalls > callsAtMost
      ? [`at most ${callsAtMost} API calls expected, made: ${apiCalls}`]
      : []),
    ...(isAsExpected ? ((await step.check?.(done)) ?? []) : []),
  ];
}

function describeChanges(summary: ChangeSummary): string {
  const words: [keyof ChangeSummary, string][] = [
    ["create", "created"],
    ["update", "updated"],
    ["replace", "replaced"],
    ["delete", "deleted"],
    ["same", "unchanged"],
  ];
  const parts = words.flatMap(([kind, word]) => (summary[kind] > 0 ? [`${summary[kind]} ${word}`] : []));
  return parts.length === 0 ? "none" : parts.join(", ");
}

/** Prints what happened; 0 where every step did what it must. */
export function conclude(rows: readonly Row[], told: Say = say): number {
  told(heading("what happened"));
  told(tableText(rows));
  const isRight = rows.every(({ faults }) => faults.length === 0);
  told(isRight ? "\nEvery step did what it must." : "\nA step did not do what it must: see above.");
  return isRight ? 0 : 1;
}

/** The rows as a table for a terminal. */
function tableText(rows: readonly Row[]): string {
  const cells = [
    ["step", "resources", "API calls", "seconds", ""],
    ...rows.map((row) => [
      row.step,
      row.resources,
      row.apiCalls === undefined ? "-" : String(row.apiCalls),
      row.seconds.toFixed(1),
      row.faults.length === 0 ? "as it must be" : "NOT as it must be",
    ]),
  ];
  const widths =
    cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  const isNumber = (column: number): boolean => column === 2 || column === 3;
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  const [head = [], ...body] = cells;
  return [line(head), widths.map((width) => "─".repeat(width)).join("  "), ...body.map(line)].join("\n");
}

/** A stack that its user may go on with by hand. */
export interface KeptStack {
  readonly workspace: Workspace;
  readonly name: string;
  /** Variables of the environment that the provider needs; a user's own ones are never printed. */
  readonly variables: readonly string[];
}

/** `--keep`: makes the stack, says how to work with it and, where it ends with this process, waits for Ctrl-C. */
export async function keepForUser(
  stack: KeptStack,
  { stays, isLasting, also }: { readonly stays: string; readonly isLasting: boolean; readonly also: string },
): Promise<number> {
  const { exitCode } = await stack.workspace.up(shownTo(say));
  if (exitCode !== 0) return exitCode;
  say(heading("explore"));
  say(`${stays} In another terminal, in this folder:\n`);
  sayHowToGoOn(stack);
  if (isLasting) return 0;
  say(`\n${also}\n`);
  await new Promise<void>((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
  return 0;
}

/** Destroys what a failed step left. Where that fails, `remains` is said, with how to go on; whether nothing is left. */
export async function cleanUp(stack: KeptStack, remains: string): Promise<boolean> {
  const { workspace } = stack;
  const { deployment } = await workspace.exportStack();
  if ((deployment.resources ?? []).every(({ type }) => !type.includes("management:"))) return true;
  say(heading("clean-up"));
  const { exitCode } = await workspace.destroy(shownTo(say));
  if (exitCode === 0) return true;
  say(`\n${remains}`);
  sayHowToGoOn(stack);
  return false;
}

/** The environment and the commands with which the stack is handled by hand. */
function sayHowToGoOn({ workspace, name, variables }: KeptStack): void {
  const { env, folder } = workspace;
  say(`  export PATH="${dirname(workspace.engine.pulumi)}:${dirname(process.execPath)}:$PATH"`);
  for (const variable of ["PULUMI_HOME", "PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE", ...variables])
    say(`  export ${variable}=${JSON.stringify(env[variable] ?? "")}`);
  const flags = `--stack ${name} --config-file ${join(folder, `Pulumi.${name}.yaml`)}`;
  for (const command of ["up", "refresh", "destroy"]) say(`  pulumi ${command} ${flags}`);
}
