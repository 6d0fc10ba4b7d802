import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { listPreviews } from "../../tools/engine/preview-repository";
import { waitUntil } from "../kit/wait-until";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { CLI, startPreviewRunners, type PreviewRunners } from "./preview-runners";

// A forge kills a job some seconds after it was cancelled, whatever it is waiting for.

let folder: string;
let all: PreviewRunners;
beforeAll(async () => {
  await engineForTests();
  folder = mkdtempSync(join(tmpdir(), "management-states-"));
  all = await startPreviewRunners(pathToFileURL(folder).href);
}, PROVISIONING_TIMEOUT_MS);
afterAll(async () => {
  await all.dispose();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const locks = (): string[] =>
  readdirSync(join(folder, ".pulumi", "locks"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".json"),
  );

it("a job that is cancelled while a write has no answer ends, with the stack unlocked, and the next one goes on", async () => {
  const { control } = all.emulator;
  const first = await all.runner();
  // The branch is made, and no answer ever says so.
  control.addFault({ operation: "createBranch", hold: "after" });
  const { workspace, projectDir: cwd, upArgs } = first;
  const args = ["run", ...all.about, "--", "pulumi", ...upArgs];
  const job = spawn(process.execPath, [CLI, ...args], { cwd, env: workspace.env, stdio: "ignore" });
  const ended = once(job, "exit");
  await waitUntil("the branch is made", () => listPreviews(all.emulator, all.project).length > 0);
  job.kill("SIGINT");
  expect(await ended).toEqual([130, null]);
  expect(locks()).toEqual([]);
  await first.dispose();

  const second = await all.runner();
  const { exitCode, lastLines } = await second.previews(
    "run",
    ...all.about,
    "--",
    "pulumi",
    ...second.upArgs,
  );
  expect({ exitCode, said: exitCode === 0 ? [] : lastLines }).toEqual({ exitCode: 0, said: [] });
  expect(listPreviews(all.emulator, all.project)).toEqual([all.name]);
  expect(control.countCalls({ operation: "createBranch", status: 201 })).toBeLessThanOrEqual(1);
});
