import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diff } from "deep-diff";
import { startEmulator, type Emulator } from "../../emulator";
import { run } from "../../import/run";
import { growProject, MAIL_PASSWORD, PAYMENT_TOKEN } from "../engine/grown-project";
import { migrateByTool } from "../engine/migrate-by-tool";
import { playSteps, shownTo, type Row, type Say, type Step } from "../demo/runner";
import type { Engine } from "../engine/engine";
import { readEventLog, summarize } from "../engine/engine-events";
import { PACE } from "../engine/emulated-program";
import { findPackageRoot } from "../engine/package-root";
import {
  copyPreviewRepository,
  listPreviews,
  previewConfig,
  previewNamed,
} from "../engine/preview-repository";
import { createWorkspace, type OperationResult, type Workspace } from "../engine/workspace";

const PULL_REQUEST = 7;
/** The stack, the component and the four resources that the program of previews declares on the branch, with the branch itself. */
const ALL_OF_A_PREVIEW = 6;
const PRODUCTION = "production";
const FIRST = "20260101120000_create_orders.sql";
const SECOND = "20260201090000_add_total.sql";
/** What no line of the output and no file of the program may have. */
export const SECRETS = [PAYMENT_TOKEN, MAIL_PASSWORD, "secret-of-the-provider", "initial-password"];

/** A project made by hand comes under Pulumi and goes on as a team works; a row for each step, none after one that failed. */
export async function playAdoption(engine: Engine, say: Say): Promise<Row[]> {
  const emulator = await startEmulator({ pace: PACE });
  const repository = copyPreviewRepository();
  const out = join(repository.folder, "infrastructure");
  const env = {
    MANAGEMENT_BASE_URL: emulator.url,
    MANAGEMENT_ACCESS_TOKEN: emulator.accessToken,
    XDG_STATE_HOME: join(repository.folder, ".state"),
  };
  const production = createWorkspace({ engine, projectDir: out, env });
  const preview = createWorkspace({ engine, projectDir: repository.projectDir, env });
  try {
    return await playSteps(
      stepsOf({ emulator, folder: repository.folder, out, production, preview, say }),
      emulator.control,
      say,
    );
  } finally {
    await production.dispose();
    await preview.dispose();
    await emulator.close();
    repository.dispose();
  }
}

interface Scene {
  readonly emulator: Emulator;
  /** The team's repository: its functions, its migrations and the program of its previews. */
  readonly folder: string;
  /** Where the program of production comes to be. */
  readonly out: string;
  readonly production: Workspace;
  readonly preview: Workspace;
  readonly say: Say;
}

function stepsOf({ emulator, folder, out, production, preview, say }: Scene): Step[] {
  const { control } = emulator;
  let ref = "";
  let stored = "";
  let operations = 0;
  const shown = shownTo(say);
  const onProduction = async (name: "preview" | "up", ...flags: string[]): Promise<OperationResult> => {
    operations += 1;
    const eventLogFile = join(production.folder, `events-${operations}.jsonl`);
    const args = ["--stack", PRODUCTION, "--suppress-progress", "--event-log", eventLogFile, ...flags];
    const result = await production.run([name, ...args], shown);
    const events = readEventLog(eventLogFile);
    return { ...result, events, summary: summarize(events), eventLogFile };
  };
  const migrations = join(folder, "database", "migrations");
  const totals = async (of: string): Promise<number> => {
    const query =
      "select count(*)::int as found from information_schema.columns where table_name = 'orders' and column_name = 'total'";
    const [row] = await control.call("runQuery", { ref: of, body: { query } });
    return Number(row?.["found"]);
  };
  const bodyOf = (of: string): string =>
    Buffer.from(control.call("getFunctionBody", { ref: of, function_slug: "orders" })).toString();
  const previewRef = (): string =>
    control.call("listBranches", { ref }).find(({ name }) => name === previewNamed(ref, PULL_REQUEST))
      ?.project_ref ?? "";

  return [
    {
      title: "made by hand",
      says: "A project as it is after years: keys, secrets, settings, network restrictions, two functions, a branch and a history of migrations.",
      run: async () => {
        control.setPace(0);
        ref = growProject(emulator);
        await migrateByTool({ emulator }, ref, { [FIRST]: readFileSync(join(migrations, FIRST), "utf8") });
        deployByHand(emulator, ref, readFileSync(join(folder, "functions", "orders", "index.ts")));
        // The branch has its schema by now, as one has that is years old.
        control.setPace(PACE);
        stored = JSON.stringify(control.snapshot());
        return { exitCode: 0 };
      },
    },
    {
      title: "management-import",
      says: "One command writes the program, takes all of it into the stack `production`, and ends with a preview without a change.",
      run: async () => {
        mkdirSync(out, { recursive: true });
        symlinkSync(join(findPackageRoot(), "node_modules"), join(out, "node_modules"), "junction");
        writeFileSync(join(folder, "secrets.env"), `PAYMENT_TOKEN=${PAYMENT_TOKEN}\n`);
        const about = ["--project", ref, "--out", out, "--dotenv", join(folder, "secrets.env")];
        const folders = ["--functions", join(folder, "functions"), "--migrations", migrations];
        const lines = (text: string): void => {
          for (const line of text.split("\n")) shown.onLine(line.replaceAll(folder, ""));
        };
        const exitCode = await run([...about, ...folders], { out: lines, err: lines }, production.env);
        if (exitCode === 0) {
          say("\nThe program, index.ts:\n");
          lines(readFileSync(join(out, "index.ts"), "utf8"));
        }
        return { exitCode };
      },
      check: () => {
        const files = ["index.ts", "README.md", "import.json", ".env.example", `Pulumi.${PRODUCTION}.yaml`];
        const written = files.map((name) => readFileSync(join(out, name), "utf8")).join("\n");
        return [
          ...SECRETS.filter((secret) => written.includes(secret)).map(() => "a file has a secret in clear"),
          ...differencesFrom(stored, control),
        ];
      },
    },
    {
      title: "pulumi preview",
      says: "The program and the service agree: everything is declared, and nothing is to be done.",
      run: () => onProduction("preview", "--expect-no-changes"),
      counts: { create: 0, update: 0, delete: 0, replace: 0 },
      check: () => differencesFrom(stored, control),
    },
    {
      title: "one setting, pulumi up",
      says: "The program allows 150 connections in place of 120: one resource is updated, and nothing else.",
      run: () => {
        const program = readFileSync(join(out, "index.ts"), "utf8");
        writeFileSync(join(out, "index.ts"), program.replace("maxConnections: 120", "maxConnections: 150"));
        return onProduction("up", "--yes", "--skip-preview", "--diff");
      },
      counts: { create: 0, update: 1, delete: 0, replace: 0 },
      check: () => {
        const { max_connections: most, statement_timeout: timeout } = control.call("getPostgresConfig", {
          ref,
        });
        return most === 150 && timeout === "30s"
          ? []
          : [`the settings are ${JSON.stringify({ most, timeout })}`];
      },
    },
    {
      title: "a pull request",
      says: "It adds a migration and changes a function. Its preview has both on a branch of its own; production has neither.",
      run: async () => {
        writeFileSync(join(migrations, SECOND), "alter table orders add total integer default 5;\n");
        const source = "Deno.serve(() => Response.json({ orders: [], total: 0 }));\n";
        writeFileSync(join(folder, "functions", "orders", "index.ts"), source);
        await preview.stackInit(previewNamed(ref, PULL_REQUEST));
        const config = previewConfig(ref, PULL_REQUEST, "feature/totals");
        for (const [name, value] of Object.entries(config)) await preview.config(name, value);
        return preview.up(shown);
      },
      counts: { create: ALL_OF_A_PREVIEW },
      check: async () => {
        const has = { preview: await totals(previewRef()), production: await totals(ref) };
        return [
          ...(has.preview === 1 && has.production === 0
            ? []
            : [`the new column is there: ${JSON.stringify(has)}`]),
          ...(bodyOf(previewRef()).includes("total") ? [] : ["the preview has the old function"]),
          ...(bodyOf(ref).includes("total") ? ["production has the new function"] : []),
        ];
      },
    },
    {
      title: "closed",
      says: "The pull request is merged: one delete takes its preview with all that is on it.",
      run: () => preview.destroy(shown),
      counts: { delete: ALL_OF_A_PREVIEW },
      check: () => {
        const left = listPreviews(emulator, ref);
        return left.join() === "staging" ? [] : [`the branches are ${left.join() || "none"}`];
      },
    },
    {
      title: "merged, pulumi up",
      says: "The program of production runs on the main branch: it applies the migration and deploys the function, and nothing else.",
      run: () => onProduction("up", "--yes", "--skip-preview", "--diff"),
      counts: { create: 0, update: 2, delete: 0, replace: 0 },
      check: async () => [
        ...((await totals(ref)) === 1 ? [] : ["production lacks the new column"]),
        ...(bodyOf(ref).includes("total") ? [] : ["production has the old function"]),
      ],
    },
  ];
}

/** What the project has otherwise than when it was stored: a line that names the places, or none. */
function differencesFrom(stored: string, control: Emulator["control"]): string[] {
  const present = JSON.stringify(control.snapshot());
  if (present === stored) return [];
  const changes = diff<unknown>(JSON.parse(stored), JSON.parse(present)) ?? [];
  const places = changes.map(({ path = [] }) => path.join("."));
  return [`the project is not as it was before: ${places.join(", ") || "the order alone"}`];
}

function deployByHand({ control }: Emulator, ref: string, content: Uint8Array<ArrayBuffer>): void {
  const file = [{ name: "index.ts", content }];
  control.call("deployFunction", {
    ref,
    slug: "orders",
    body: { file, metadata: { entrypoint_path: "index.ts" } },
  });
}
