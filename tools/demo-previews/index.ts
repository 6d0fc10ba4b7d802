import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulated, type Stack } from "../engine/emulated-program";
import { findPackageRoot } from "../engine/package-root";
import {
  copyPreviewRepository,
  makeParentProject,
  previewConfig,
  previewNamed,
  listPreviews,
  REPOSITORY,
} from "../engine/preview-repository";
import { runProcess } from "../engine/run-process";
import { conclude, playSteps, runDemo, say, shownTo, type Done, type Step } from "../demo/runner";

const USAGE = `npm run demo:previews

Plays the life of a pull request with the program of examples/preview-environments, the real Pulumi engine and the
emulator on this machine: opened, pushed, changed, closed. Ends with 1 if a step is not as it must be.
`;

const PULL_REQUEST = 7;
const GIT_BRANCH = "feature/search";
const LONGEST_JOB_MS = 300_000;
/** The stack, the component and the four resources that the example declares on the branch, with the branch itself. */
const ALL = 6;

runDemo({
  usage: USAGE,
  flags: {},
  tell: async (engine) => {
    const repository = copyPreviewRepository();
    const stack = await startEmulated(() => repository.projectDir, { engine });
    try {
      return conclude(await playSteps(await stepsOf(stack, repository.folder), stack.emulator.control));
    } finally {
      await stack.dispose();
      repository.dispose();
    }
  },
});

async function stepsOf({ emulator, workspace, projectDir }: Stack, repository: string): Promise<Step[]> {
  const project = makeParentProject(emulator);
  await workspace.stackInit(previewNamed(project, PULL_REQUEST));
  for (const [name, value] of Object.entries(previewConfig(project, PULL_REQUEST, GIT_BRANCH))) {
    await workspace.config(name, value);
  }
  const shown = shownTo(say);
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
  const runJob = (): Promise<Done> =>
    runProcess(
      process.execPath,
      [join(findPackageRoot(), "dist/previews/cli.js"), "ci", "--comment-file", "-"],
      {
        ...{ cwd: projectDir, timeoutMs: LONGEST_JOB_MS, ...shown },
        env: {
          ...{ ...workspace.env, PARENT_PROJECT_REF: project, REPOSITORY, PREVIEW_EVENT: "push" },
          ...{ PREVIEW_PULL_REQUEST: String(PULL_REQUEST), PREVIEW_GIT_BRANCH: GIT_BRANCH },
        },
      },
    );
  return [
    {
      title: "opened",
      says: "The job makes the branch, applies the migrations and the seed, and deploys the functions.",
      run: () => workspace.up(shown),
      counts: { create: ALL },
      check: async () => [
        ...isThere(),
        ...(await query("select count(*)::int as orders from orders", [{ orders: 1 }])),
      ],
      shows: async () => String((await workspace.outputs())["summary"]),
    },
    {
      title: "run again",
      says: "The job runs once more, with nothing changed: `management-previews ci`, with the comment that it writes.",
      run: runJob,
      resources: "unchanged",
      check: ({ stdout = "" }) => [
        ...isThere(),
        ...(stdout.includes("ready, unchanged") ? [] : ["the job does not say that nothing has changed"]),
      ],
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
      check: () => query("select total from orders", [{ total: 5 }]),
    },
    {
      title: "pushed, and wrong",
      says: "A migration that the database refuses: the job fails, and what was applied before stays.",
      run: () => {
        change("database/migrations/20260202090000_wrong.sql", "create tabel customers ();\n");
        return workspace.up(shown);
      },
      isToFail: true,
      counts: { create: 0, delete: 0, replace: 0 },
      check: () => query("select total from orders", [{ total: 5 }]),
    },
    {
      title: "changed",
      says: "The next commit corrects it, and the job goes on where it stopped.",
      run: () => {
        change("database/migrations/20260202090000_wrong.sql", "create table customers ();\n");
        return workspace.up(shown);
      },
      counts: { update: 1, create: 0, delete: 0, replace: 0 },
      check: () => query("select count(*)::int as customers from customers", [{ customers: 0 }]),
    },
    {
      title: "closed",
      says: "One delete takes the branch with all that is on it.",
      run: () => workspace.destroy(shown),
      counts: { delete: ALL },
      check: () => previews().map((name) => `${name} is still there`),
    },
  ];
}
