import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PACE } from "../../tools/engine/emulated-program";
import type { CommandResult } from "../../tools/engine/engine-process";
import { findPostgres } from "../../tools/engine/postgres-cluster";
import { listPreviews } from "../../tools/engine/preview-repository";
import { startS3Server } from "../../tools/engine/s3-server";
import { startSlowBackend } from "../../tools/engine/slow-backend";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { heldUp, runnerAfterAKill, startPreviewRunners, type PreviewRunners } from "./preview-runners";

// Previews whose states are on a backend that runners share.

beforeAll(() => engineForTests(), PROVISIONING_TIMEOUT_MS);

/** How the CLI names who has the stack. */
const HOLDER =
  /the stack is currently locked by 1 lock\(s\)[^]*created by \S+@\S+ \(pid \d+\) at \d{4}-\d\d-\d\dT/;
/** Of two that begin at once one may find the other's lock, or both each other's, or one that goes while it is read; or the stack that the other is making. */
const REFUSED =
  /the stack is currently locked by|already exists|could not create stack: blob \(key "[^"]*\/locks\/[^"]*"\) \(code=NotFound\)/;

interface Backend {
  /** A new one each time. */
  readonly newUrl: () => string;
  readonly keys?: Readonly<Record<string, string>>;
  dispose(): Promise<void> | void;
}

function folderBackend(): Promise<Backend> {
  const folder = mkdtempSync(join(tmpdir(), "management-states-"));
  const dispose = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const newUrl = (): string => pathToFileURL(mkdtempSync(join(folder, "state-"))).href;
  return Promise.resolve({ newUrl, dispose });
}

async function postgresBackend(): Promise<Backend> {
  const server = await startSlowBackend({ delayMs: 5 });
  if (server === undefined) throw new Error("there is no Postgres server");
  return { newUrl: () => server.newUrl(), dispose: () => server.dispose() };
}

async function bucketBackend(): Promise<Backend> {
  const log = (line: string): void => void process.stderr.write(`s3: ${line}\n`);
  const server = await startS3Server({ env: process.env, log });
  let count = 0;
  return {
    newUrl: () => server.backendUrl.replace("?", `/${(count += 1)}?`),
    keys: { ...server.keys, AWS_REGION: server.region },
    dispose: () => server.dispose(),
  };
}

const backends = [
  { name: "a folder", start: folderBackend, isThere: true },
  { name: "a bucket", start: bucketBackend, isThere: true },
  {
    name: "a Postgres server",
    start: postgresBackend,
    isThere: findPostgres(process.env) !== undefined,
  },
];

for (const { name, start, isThere } of backends) {
  const title = `previews whose states are in ${name}`;
  if (!isThere) {
    it.skip(`${title}: NOT TRIED, as this machine has neither postgres nor initdb (CONTRIBUTING.md)`, () =>
      undefined);
    continue;
  }
  describe(title, () => {
    let backend: Backend;
    let all: PreviewRunners;
    beforeAll(async () => {
      backend = await start();
    });
    beforeEach(async () => {
      all = await startPreviewRunners(backend.newUrl(), backend.keys);
    });
    afterEach(() => all.dispose());
    afterAll(() => backend.dispose());

    const branches = (): string[] => listPreviews(all.emulator, all.project);

    it("are made by one runner, known to the next and removed by a third", async () => {
      const first = await all.runner();
      expectSuccessful(await first.up());
      await first.dispose();
      expect(branches()).toEqual([all.name]);
      const second = await all.runner();
      all.emulator.control.clearCalls();
      expectSuccessful(await second.up("--expect-no-changes"));
      expect(all.emulator.control.calls().filter(({ method }) => method !== "GET")).toEqual([]);
      await second.dispose();
      const third = await all.runner();
      expectSuccessful(await third.onStack("destroy", "--yes", "--skip-preview", "--remove"));
      expect(branches()).toEqual([]);
    });

    it("are of one runner at a time: who comes later is refused, and told who is at it; who only looks is not", async () => {
      const first = await all.runner();
      const second = await all.runner();
      const { up } = await heldUp(all, first);
      for (const refused of [
        await second.up(),
        await second.onStack("refresh", "--yes", "--skip-preview"),
        await second.onStack("destroy", "--yes", "--skip-preview"),
      ]) {
        expect(refused.exitCode).not.toBe(0);
        expect(refused.stdout + refused.stderr).toMatch(HOLDER);
      }
      expectSuccessful(await second.onStack("refresh", "--preview-only"));
      expectSuccessful(await second.onStack("stack", "export"));
      all.emulator.control.setPace(PACE);
      expectSuccessful(await up);
      expectSuccessful(await second.up("--expect-no-changes"));
      expect(branches()).toEqual([all.name]);
    });

    it("are made once by runners that begin at the same moment, whichever of them gets through", async () => {
      const runners = [await all.runner(), await all.runner()] as const;
      // Whoever is the first to use a Postgres server makes its table.
      expectSuccessful(await runners[0].workspace.run(["stack", "ls"]));
      const results = await Promise.all(runners.map((each) => each.up()));
      for (const { exitCode, stdout, stderr } of results) {
        if (exitCode !== 0) expect(stdout + stderr).toMatch(REFUSED);
      }
      const last = await all.runner();
      expectSuccessful(await last.up());
      expect(branches()).toEqual([all.name]);
    });

    it("keep the lock of a runner that died, until `pulumi cancel`; the next one goes on with its branch", async () => {
      const second = await runnerAfterAKill(all);
      const refused = await second.up();
      expect(refused.exitCode).not.toBe(0);
      expect(refused.stdout + refused.stderr).toMatch(HOLDER);
      expectSuccessful(await second.workspace.run(["cancel", "--yes", all.name]));
      all.emulator.control.clearCalls();
      expectSuccessful(await second.up());
      expect(all.emulator.control.countCalls({ operation: "createBranch", status: 201 })).toBe(0);
      expect(branches()).toEqual([all.name]);
    });
  });
}

function expectSuccessful({ exitCode, stdout, stderr }: CommandResult): void {
  if (exitCode !== 0) throw new Error(`It ended with ${exitCode}:\n${stdout}${stderr}`);
}
