import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Emulator } from "../../emulator";
import { startEmulated, type Stack } from "../engine/emulated-program";
import type { ChangeSummary } from "../engine/engine-events";
import {
  copyPreviewRepository,
  makeParentProject,
  previewConfig,
  previewNamed,
  listPreviews,
} from "../engine/preview-repository";
import { provisionEngine } from "../engine/provision";
import type { OperationResult } from "../engine/workspace";
import { runMain } from "../run-main";
import { findFaults } from "../demo/expectations";
import { conclude, heading, type Row } from "../demo/report";
import { describeChanges } from "../demo/steps";

const USAGE = `npm run demo:previews

Plays the life of a pull request with the program of examples/preview-environments, the real Pulumi engine and the
emulator on this machine: opened, pushed, changed, closed. Ends with 1 if a step is not as it must be.
`;

const PULL_REQUEST = 7;
/** The stack, the component and the four resources that the example declares on the branch, with the branch itself. */
const ALL = 6;

const say = (line: string): void => console.log(line);

interface Step {
  readonly title: string;
  readonly says: string;
  readonly run: () => Promise<OperationResult>;
  readonly counts: Partial<ChangeSummary>;
  /** What is not as it must be on the service afterwards. */
  readonly after: () => Promise<readonly string[]>;
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { help: { type: "boolean", short: "h" } } });
  if (values.help === true) {
    say(USAGE);
    return 0;
  }
  say(heading("the engine"));
  const engine = await provisionEngine({ log: (line) => say(`  ${line}`) });
  const repository = copyPreviewRepository();
  const stack = await startEmulated(() => repository.projectDir, { engine });
  try {
    const rows = await play(stack, repository.folder);
    return conclude(rows, say) ? 0 : 1;
  } finally {
    await stack.dispose();
    repository.dispose();
  }
}

async function play({ emulator, workspace }: Stack, repository: string): Promise<Row[]> {
  const project = makeParentProject(emulator);
  for (const [name, value] of Object.entries(previewConfig(project, PULL_REQUEST, "feature/search"))) {
    await workspace.config(name, value);
  }
  const shown = { onLine: (line: string) => line.trim() !== "" && say(`  │ ${line}`) };
  const change = (path: string, text: string): void => writeFileSync(join(repository, path), text);
  const previews = (): string[] => listPreviews(emulator, project);
  const isThere = (): string[] =>
    previews().join() === previewNamed(project, PULL_REQUEST)
      ? []
      : [`the previews are ${previews().join() || "none"}`];
  const query = async (sql: string, wanted: unknown): Promise<string[]> => {
    const ref = String((await workspace.outputs())["ref"]);
    const rows = await emulator.control.call("runQuery", { ref, body: { query: sql } });
    say(`  ${sql}: ${JSON.stringify(rows)}`);
    return JSON.stringify(rows) === JSON.stringify(wanted) ? [] : [`${sql} gave ${JSON.stringify(rows)}`];
  };
  const steps: readonly Step[] = [
    {
      title: "opened",
      says: "The job makes the branch, applies the migrations and the seed, and deploys the functions.",
      run: () => workspace.up(shown),
      counts: { create: ALL },
      after: async () => [
        ...isThere(),
        ...(await query("select count(*)::int as orders from orders", [{ orders: 1 }])),
      ],
    },
    {
      title: "run again",
      says: "The job runs once more, with nothing changed.",
      run: () => workspace.up(shown),
      counts: { same: ALL, create: 0, update: 0, delete: 0 },
      after: () => Promise.resolve(isThere()),
    },
    {
      title: "pushed",
      says: "A commit adds a migration and changes a function: these two are changed, and nothing else.",
      run: () => {
        change(
          "database/migrations/20260201090000_add_total.sql",
          "alter table orders add total integer default 5;\n",
        );
        change("functions/orders/index.ts", "Deno.serve(() => Response.json({ orders: [], total: 0 }));\n");
        return workspace.up(shown);
      },
      counts: { update: 2, create: 0, delete: 0, replace: 0 },
      after: () => query("select total from orders", [{ total: 5 }]),
    },
    {
      title: "pushed, and wrong",
      says: "A migration that the database refuses: the job fails, and what was applied before stays.",
      run: () => {
        change("database/migrations/20260202090000_wrong.sql", "create tabel customers ();\n");
        return workspace.up(shown).then((failed) => ({ ...failed, exitCode: failed.exitCode === 0 ? 1 : 0 }));
      },
      counts: { create: 0, delete: 0, replace: 0 },
      after: () => query("select total from orders", [{ total: 5 }]),
    },
    {
      title: "changed",
      says: "The next commit corrects it, and the job goes on where it stopped.",
      run: () => {
        change("database/migrations/20260202090000_wrong.sql", "create table customers ();\n");
        return workspace.up(shown);
      },
      counts: { update: 1, create: 0, delete: 0, replace: 0 },
      after: () => query("select count(*)::int as customers from customers", [{ customers: 0 }]),
    },
    {
      title: "closed",
      says: "One delete takes the branch with all that is on it.",
      run: () => workspace.destroy(shown),
      counts: { delete: ALL },
      after: () => Promise.resolve(previews().map((name) => `${name} is still there`)),
    },
  ];
  const rows: Row[] = [];
  for (const step of steps) {
    const row = await played(emulator, step);
    rows.push(row);
    for (const fault of row.faults) say(`  ✗ ${fault}`);
    if (row.faults.length > 0) break;
    if (step.title === "opened") say(`\n${String((await workspace.outputs())["summary"])}`);
  }
  return rows;
}

async function played({ control }: Emulator, { title, says, run, counts, after }: Step): Promise<Row> {
  say(heading(title));
  say(says);
  control.clearCalls();
  const result = await run();
  const apiCalls = control.countCalls();
  return {
    step: title,
    resources: describeChanges(result.summary),
    apiCalls,
    seconds: result.durationMs / 1_000,
    faults: [...findFaults(result, counts), ...(result.exitCode === 0 ? await after() : [])],
  };
}

runMain(main);
