import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findIn } from "../../tools/engine/cache-folder";
import { DYNAMIC_PROVIDER } from "../../tools/engine/engine";
import { descendants, isProcessAlive } from "../../tools/engine/process-tree";
import type { OperationResult, Workspace } from "../../tools/engine/workspace";
import { engineForTests, PROVISIONING_TIMEOUT_MS, startProgram, type TestProgram } from "./harness";
import { waitUntil } from "../kit/wait-until";

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

/** As the engine's release has it: it starts node twice, and no signal goes through it. */
const SHIPPED_LAUNCHER = `#!/bin/sh
PULUMI_DYNAMIC_PROVIDER_SCRIPT_PATH=$(node -e "console.log(require.resolve('@pulumi/pulumi/cmd/dynamic-provider'))")
if [ ! -z "$PULUMI_DYNAMIC_PROVIDER_SCRIPT_PATH" ]; then
    node "$PULUMI_DYNAMIC_PROVIDER_SCRIPT_PATH" $@
fi
`;

let program: TestProgram | undefined;

beforeAll(() => engineForTests(), PROVISIONING_TIMEOUT_MS);
afterEach(() => program?.dispose());

test("dynamic providers are started by what the engine ships, word for word", async () => {
  const { binDir, source } = await engineForTests();
  // What is on PATH is its owner's, and may be of a later version.
  const launcher = findIn(binDir, DYNAMIC_PROVIDER);
  if (source === "path" || process.platform === "win32") expect(launcher).toBeDefined();
  else expect(readFileSync(launcher ?? "", "utf8")).toBe(SHIPPED_LAUNCHER);
});

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
  const { workspace, up, provider } = await startHanging();
  const processes = workspace.pids().flatMap((pid) => [pid, ...descendants(pid)]);
  expect(processes).toContain(provider);
  await workspace.kill();

  expect((await up).exitCode).toBe(-1);
  for (const pid of processes) await untilGone(pid);
  await workspace.cancel();
  const { deployment } = await workspace.exportStack();
  expect(deployment.pending_operations).toMatchObject([{ type: "creating" }]);
});

test("a provider outlives an engine that is killed alone, and is ended with the workspace", async () => {
  const { workspace, up, provider } = await startHanging();
  const [engine = -1] = workspace.pids();
  await workspace.processes.killAlone();

  expect((await up).exitCode).toBe(-1);
  expect(isProcessAlive(engine)).toBe(false);
  expect(workspace.processes.orphans().map(({ pid }) => pid)).toContain(provider);
  await workspace.dispose();
  await untilGone(provider);
});

test("an engine goes on when its provider is killed, and fails by itself", async () => {
  const { workspace, up, provider } = await startHanging();
  expect(workspace.processes.killProviders()).toBeGreaterThan(0);

  const { exitCode, stdout } = await up;
  expect(exitCode).toBeGreaterThan(0);
  expect(stdout).toContain("error");
  await untilGone(provider);
});

/** An `up` whose provider, a process with the id `provider`, never answers. */
async function startHanging(): Promise<{
  workspace: Workspace;
  up: Promise<OperationResult>;
  provider: number;
}> {
  program = await startProgram(HANGING_RESOURCE);
  const { workspace, projectDir } = program;
  const pidFile = join(projectDir, "pid");
  const up = workspace.up({ env: { PID_FILE: pidFile } });
  await waitUntil("the provider runs", () => existsSync(pidFile) && readFileSync(pidFile, "utf8") !== "");
  return { workspace, up, provider: Number(readFileSync(pidFile, "utf8")) };
}

async function untilGone(pid: number): Promise<void> {
  await waitUntil(`the process ${pid} is gone`, () => !isProcessAlive(pid));
}
