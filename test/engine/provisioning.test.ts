import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { descendants, isProcessAlive, killProcessTree } from "../../tools/engine/process-tree";
import { engineForTests, PROVISIONING_TIMEOUT_MS, startProgram, type TestProgram } from "./harness";

jest.setTimeout(120_000);

const DYNAMIC_RESOURCE = `
const pulumi = require("@pulumi/pulumi");
const config = new pulumi.Config();
const provider = {
  create: async (inputs) => ({ id: "thing-1", outs: inputs }),
  read: async (id, props) => ({ id, props: { ...props, size: 2 } }),
  diff: async (id, olds, news) => ({ changes: olds.size !== news.size }),
  update: async (id, olds, news) => ({ outs: news }),
  delete: async () => undefined,
};
class Thing extends pulumi.dynamic.Resource {
  constructor(name, props) { super(provider, name, { label: undefined, ...props }); }
}
const thing = new Thing("thing", { size: 1, label: config.requireSecret("label") });
exports.label = thing.label;
`;

const HANGING_RESOURCE = `
const pulumi = require("@pulumi/pulumi");
const provider = {
  create: async (inputs) => {
    require("node:fs").writeFileSync(inputs.file, String(process.pid));
    await new Promise((resolve) => setTimeout(resolve, 600000));
    return { id: "never", outs: inputs };
  },
};
class Thing extends pulumi.dynamic.Resource {
  constructor(name, props) { super(provider, name, props); }
}
new Thing("thing", { file: process.env.PID_FILE });
`;

const TYPESCRIPT = `
import * as pulumi from "@pulumi/pulumi";
const greeting: pulumi.Output<string> = pulumi.output("hello");
export const said = greeting.apply((text: string) => text.toUpperCase());
`;

let program: TestProgram;

beforeAll(() => engineForTests(), PROVISIONING_TIMEOUT_MS);
afterEach(() => program.dispose());

test("a dynamic resource is previewed, created, left alone, refreshed, repaired and destroyed", async () => {
  program = await startProgram(DYNAMIC_RESOURCE);
  const { workspace } = program;
  await workspace.config("label", "not to be seen", { secret: true });

  const preview = await workspace.preview();
  expect(preview).toMatchObject({ exitCode: 0, summary: { create: 2, same: 0 } });

  const up = await workspace.up({ parallel: 4 });
  expect(up).toMatchObject({
    exitCode: 0,
    summary: { create: 2, update: 0, delete: 0, replace: 0, same: 0 },
  });
  expect(up.stdout + up.stderr).not.toContain("warning");
  expect(await workspace.outputs()).toEqual({ label: "[secret]" });
  expect(await workspace.outputs({ showSecrets: true })).toEqual({ label: "not to be seen" });

  expect(await workspace.up()).toMatchObject({ exitCode: 0, summary: { same: 2, update: 0 } });

  const refresh = await workspace.refresh();
  expect(refresh).toMatchObject({ exitCode: 0, summary: { update: 1, same: 1 } });

  const repair = await workspace.up();
  expect(repair).toMatchObject({ exitCode: 0, summary: { update: 1, same: 1 } });

  expect(workspace.readStateFile()).not.toContain("not to be seen");
  for (const { eventLogFile } of [up, refresh, repair]) {
    expect(readFileSync(eventLogFile ?? "", "utf8")).not.toContain("not to be seen");
  }

  expect(await workspace.destroy()).toMatchObject({ exitCode: 0, summary: { delete: 2 } });
  expect((await workspace.exportStack()).deployment.resources ?? []).toEqual([]);
});

test("a TypeScript program runs, and prints its events as JSON when asked", async () => {
  program = await startProgram(TYPESCRIPT, { typescript: true });

  const up = await program.workspace.up({ json: true, eventLog: false });

  expect(up).toMatchObject({ exitCode: 0, summary: { create: 1 } });
  expect(await program.workspace.outputs()).toEqual({ said: "HELLO" });
});

test("a program that fails gives its exit code and message, not an exception", async () => {
  program = await startProgram(`throw new Error("this program is broken");`);

  const up = await program.workspace.up();

  expect(up.exitCode).not.toBe(0);
  expect(up.stdout).toContain("this program is broken");
});

test("an exported stack is imported again", async () => {
  program = await startProgram(DYNAMIC_RESOURCE);
  const { workspace } = program;
  await workspace.config("label", "any", { secret: true });
  await workspace.up();

  const state = await workspace.exportStack();
  await workspace.importStack({ ...state, deployment: { ...state.deployment, resources: [] } });

  expect((await workspace.exportStack()).deployment.resources ?? []).toEqual([]);
});

test("a killed operation leaves no process behind, and the stack can be used again after cancel", async () => {
  program = await startProgram(HANGING_RESOURCE);
  const { workspace, projectDir } = program;
  const pidFile = join(projectDir, "pid");

  const up = workspace.up({ env: { PID_FILE: pidFile } });
  while (!existsSync(pidFile) || readFileSync(pidFile, "utf8") === "") await nextTurn();
  const provider = Number(readFileSync(pidFile, "utf8"));
  const processes = workspace.pids().flatMap((pid) => [pid, ...descendants(pid)]);
  expect(processes).toContain(provider);
  await workspace.kill();

  expect((await up).exitCode).toBe(-1);
  for (const pid of processes) await untilGone(pid);
  await workspace.cancel();
  const { deployment } = await workspace.exportStack();
  expect(deployment.pending_operations).toMatchObject([{ type: "creating" }]);
});

test("a provider ends when only the engine is killed", async () => {
  program = await startProgram(HANGING_RESOURCE);
  const { workspace, projectDir } = program;
  const pidFile = join(projectDir, "pid");

  const up = workspace.up({ env: { PID_FILE: pidFile } });
  while (!existsSync(pidFile) || readFileSync(pidFile, "utf8") === "") await nextTurn();
  const provider = Number(readFileSync(pidFile, "utf8"));
  const [engine = -1] = workspace.pids();
  const others = descendants(engine).filter((pid) => pid !== provider);
  process.kill(engine, "SIGKILL");

  await untilGone(provider);
  // The language host notices nothing; that is not what this test is about.
  others.filter(isProcessAlive).forEach(killProcessTree);
  expect((await up).exitCode).toBe(-1);
});

async function untilGone(pid: number): Promise<void> {
  while (isProcessAlive(pid)) await nextTurn();
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}
