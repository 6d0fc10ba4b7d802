import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Environment } from "../../tools/engine/engine";
import { findPackageRoot } from "../../tools/engine/package-root";
import { killProcessTree } from "../../tools/engine/process-tree";
import { previewNamed, REPOSITORY } from "../../tools/engine/preview-repository";
import { waitUntil } from "../kit/wait-until";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { HELD, settleProjects } from "./stack";
import { makeJobFolder, removeJobFolder } from "./workflows/job-folder";
import { createRepository, type Repository } from "./workflows/repository";
import { runnerEnvironment } from "./workflows/runner-environment";
import { startService, type Service } from "./workflows/service";

// The scripts of docs/any-ci.md, as a team would paste them: no variable of a forge is set.

const page = readFileSync(join(findPackageRoot(), "docs/any-ci.md"), "utf8");
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = ""]) => text);

function blockWith(marker: string): string {
  const [one, ...others] = blocks.filter((block) => block.includes(marker));
  if (one === undefined || others.length > 0) throw new Error(`${others.length + 1} blocks have ${marker}`);
  return one;
}

const PREVIEW = blockWith("# preview.sh\n");
const SWEEP = blockWith("# sweep.sh\n");
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const PACE = 0.001;

interface Ended {
  readonly code: number | null;
  readonly log: string;
  readonly comment: string;
}

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

const folder = mkdtempSync(join(tmpdir(), "management-any-ci-"));
const states = join(folder, "states");
const logs: string[] = [];
let service: Service;
let repository: Repository;
let env: Environment;
/** What the forge lists, in pages of two; what is no list is answered with 401. */
let open: number[] | undefined = [];
let server: Server;

beforeAll(async () => {
  const engine = await engineForTests();
  service = await startService();
  settleProjects(service.emulator);
  repository = createRepository();
  mkdirSync(states);
  server = createServer((request, response) => {
    const { origin, pathname, searchParams } = new URL(request.url ?? "", `http://${request.headers.host}`);
    const page = Number(searchParams.get("page") ?? "1");
    if (open === undefined || request.headers.authorization !== "Bearer token-of-the-forge") {
      response.writeHead(401).end('{ "type": "error" }');
      return;
    }
    const next = `${origin}${pathname}?state=OPEN&page=${page + 1}`;
    const values = open.slice((page - 1) * 2, page * 2).map((id) => ({ id, title: `pull request "${id}"` }));
    response.end(JSON.stringify({ values, ...(open.length > page * 2 && { next }) }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  env = {
    ...runnerEnvironment(engine, folder),
    ...{ MANAGEMENT_BASE_URL: service.emulator.url, MANAGEMENT_ACCESS_TOKEN: service.token },
    ...{
      PULUMI_BACKEND_URL: pathToFileURL(states).href,
      PULUMI_CONFIG_PASSPHRASE: "passphrase-of-the-states",
    },
    ...{ PARENT_PROJECT_REF: service.project, REPOSITORY, FORGE_TOKEN: "token-of-the-forge" },
    OPEN_PULL_REQUESTS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/pullrequests?state=OPEN`,
  };
}, PROVISIONING_TIMEOUT_MS);
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await service.emulator.close();
  repository.dispose();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Starts a script on a machine of its own, with a checkout of a branch. */
function start(script: string, gitBranch: string, more: Environment = {}): Started {
  const machine = makeJobFolder();
  const checkout = join(machine, "checkout");
  const file = join(machine, "script.sh");
  mkdirSync(join(machine, "home"));
  writeFileSync(file, `git clone --quiet --depth 1 --branch "$0" "$REMOTE" checkout\ncd checkout\n${script}`);
  const child = spawn("bash", ["-c", readFileSync(file, "utf8"), gitBranch], {
    ...{ cwd: machine, stdio: ["ignore", "pipe", "pipe"] as const },
    env: { ...env, ...more, REMOTE: pathToFileURL(repository.remote).href, HOME: join(machine, "home") },
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (log += String(data)));
  const ended = once(child, "close").then(([code]): Ended => {
    const comment = join(checkout, "preview/comment.md");
    const shown = existsSync(comment) ? readFileSync(comment, "utf8") : "";
    logs.push(log, shown);
    removeJobFolder(machine);
    return { code: code as number | null, log, comment: shown };
  });
  return { child, ended };
}

const of = (event: string, number: number, branch: string): Environment => ({
  ...{ PREVIEW_EVENT: event, PREVIEW_PULL_REQUEST: String(number), PREVIEW_GIT_BRANCH: branch },
});
const preview = (number: number, branch: string) => start(PREVIEW, branch, of("push", number, branch)).ended;
const remove = (number: number, branch: string) => start(PREVIEW, "main", of("close", number, branch)).ended;
const sweep = () => start(SWEEP, "main").ended;
const nameOf = (number: number): string => previewNamed(service.project, number);

async function expectDone(ending: Promise<Ended>): Promise<Ended> {
  const ended = await ending;
  if (ended.code !== 0) throw new Error(`It ended with ${ended.code}:\n${ended.log}`);
  return ended;
}

const filesIn = (path: string): string[] =>
  existsSync(path)
    ? readdirSync(path, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"))
    : [];
const stacks = (): string[] =>
  filesIn(join(states, ".pulumi/stacks")).map((name) => name.replace(/^.*\//, "").replace(".json", ""));
const locks = (): string[] =>
  filesIn(join(states, ".pulumi/locks")).map((name) => join(states, ".pulumi/locks", name));

function ageBranches(): void {
  service.emulator.control.edit(({ branches }) => {
    for (const branch of branches.values()) branch.createdAt -= 2 * HOUR_MS;
  });
}

it("a pull request has a preview from its first push to its end, and every run says in Markdown what to post", async () => {
  repository.push("feature/orders", {});
  const made = await expectDone(preview(7, "feature/orders"));
  expect(made.log).toContain("Preview of pull request 7: ready, made.");
  // A good run prints nothing that looks like a failure, and no warning that is always there.
  expect(made.log).not.toMatch(/error|warning/i);
  expect(made.comment).toMatch(/^### Preview of pull request 7\n[^]*create table[^]*Time: branch /i);
  expect([service.branches(), stacks()]).toEqual([[nameOf(7)], [nameOf(7)]]);

  repository.push("feature/orders", { "database/migrations/20260103120000_x.sql": "create tabel x;\n" });
  const failed = await preview(7, "feature/orders");
  expect(failed.code).toBeGreaterThan(0);
  expect(failed.comment).toMatch(/^### The preview failed\n[^]*20260103120000_x\.sql.* failed.*tabel/);
  expect(failed.comment).toMatch(/Before this run:\n\n### Preview of pull request 7\n/);

  repository.push("feature/orders", { "database/migrations/20260103120000_x.sql": "create table x ();\n" });
  expect((await expectDone(preview(7, "feature/orders"))).comment).toMatch(/create table public\.x /);

  expect((await expectDone(remove(7, "feature/orders"))).log).toContain(
    "Preview of pull request 7: removed, with its stack.",
  );
  expect([service.branches(), stacks()]).toEqual([[], []]);
  expect((await expectDone(remove(7, "feature/orders"))).log).toContain(
    "Preview of pull request 7: removed, gone already.",
  );
});

it("a run on a machine that died is done again by another: with its branch, once its lock is old", async () => {
  const { control } = service.emulator;
  repository.push("feature/killed", {});
  control.clearCalls();
  control.setPace(HELD);
  const { child, ended } = start(PREVIEW, "feature/killed", of("push", 8, "feature/killed"));
  await waitUntil(
    "the branch is begun",
    () => control.countCalls({ operation: "createBranch", status: 201 }) > 0,
  );
  killProcessTree(child.pid ?? 0);
  await ended;
  control.setPace(PACE);
  control.clearCalls();

  const refused = await preview(8, "feature/killed");
  expect(refused.code).toBeGreaterThan(0);
  expect(refused.comment).toContain("the stack is currently locked by 1 lock(s)");
  expect(refused.comment).toMatch(
    /A run removes the lock and continues after \d{4}-\d\d-\d\d \d\d:\d\d UTC\./,
  );
  expect(refused.comment).toContain(`\`pulumi cancel --yes --stack ${nameOf(8)}\` in \`preview/\``);
  expect(refused.comment).not.toContain(states);
  const [lock = ""] = locks();
  const written = JSON.parse(readFileSync(lock, "utf8")) as { timestamp: string };
  const timestamp = new Date(Date.parse(written.timestamp) - 91 * MINUTE_MS).toISOString();
  writeFileSync(lock, JSON.stringify({ ...written, timestamp }));

  const again = await expectDone(preview(8, "feature/killed"));
  expect(again.log).toContain("The lock was removed, and the command runs again.");
  expect(control.countCalls({ operation: "createBranch", status: 201 })).toBe(0);
  expect([service.branches(), stacks(), locks()]).toEqual([[nameOf(8)], [nameOf(8)], []]);

  // The engine warns of what the killed run had begun; a later failure's comment is the error alone.
  repository.push("feature/killed", { "database/migrations/20260103120000_x.sql": "create tabel x;\n" });
  const failed = await preview(8, "feature/killed");
  expect(failed.log).toContain("pending operations");
  expect(failed.comment).toMatch(/^### The preview failed\n\n```text\nerror: [^\n]*20260103120000_x\.sql/);
  for (const noise of ["warning:", "pending operations", "update failed", "error occurred"])
    expect(failed.comment).not.toContain(noise);
});

it("the sweep removes what the forge does not list as open, on any of its pages, and nothing of another repository", async () => {
  for (const number of [9, 10, 11]) {
    repository.push(`feature/${number}`, {});
    await expectDone(preview(number, `feature/${number}`));
  }
  const { control } = service.emulator;
  const others = previewNamed(service.project, 9, "https://forge.example.com/acme/other");
  const body = { branch_name: others, git_branch: "feature/9" };
  control.call("createBranch", { ref: service.project, body });
  open = [41, 11, 42, 8, 10];
  // None is an hour old.
  expect((await expectDone(sweep())).log).toContain("No preview is stale.");
  ageBranches();
  expect((await expectDone(sweep())).log).toMatch(/pull request 9 is closed +removed with its stack/);
  const kept = [8, 10, 11].map(nameOf).sort();
  expect([service.branches(), stacks().sort()]).toEqual([[...kept, others].sort(), kept]);
});

it("a forge that does not answer, or lists nothing, removes nothing", async () => {
  const before = service.branches();
  open = undefined;
  const unanswered = await sweep();
  expect(unanswered.log).toContain("401");
  expect(unanswered.log).not.toContain("No preview is stale");
  open = [];
  const empty = await sweep();
  expect(empty.log).toContain("The list of open pull requests is empty.");
  expect([unanswered.code, empty.code].every((code) => code !== 0)).toBe(true);
  expect(service.branches()).toEqual(before);
});

it("the command for another forge makes a list that the sweep takes", async () => {
  const bin = join(folder, "azure");
  mkdirSync(bin);
  writeFileSync(join(bin, "az"), "#!/bin/sh\necho '[\n  8,\n  10\n]'\n", { mode: 0o755 });
  const script = SWEEP.replace(/^: > open[^]*?^done$/m, () => blockWith("az repos pr list").trim());
  expect(script).not.toContain("curl");
  const more = { PATH: `${bin}:${env["PATH"] ?? ""}` };
  expect((await expectDone(start(script, "main", more).ended)).log).toMatch(
    /pull request 11 is closed +removed/,
  );
});

it("the variables of each CI say which pull request it is", () => {
  const cells = [
    ...page.matchAll(/^\| (?:Azure|Bitbucket|Buildkite|CircleCI|Jenkins)[^|]*\|(.*)\|(.*)\|$/gm),
  ];
  expect(cells).toHaveLength(5);
  const names = cells.flatMap(([, number = "", branch = ""]) =>
    [...`${number}${branch}`.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code),
  );
  const given = new Map([
    ["SYSTEM_PULLREQUEST_SOURCEBRANCH", "refs/heads/feature/x"],
    ["CIRCLE_PULL_REQUEST", "https://forge.example.com/acme/shop/pull/7"],
  ]);
  for (const code of names) {
    const [, variable = ""] = /^\$\{?(\w+)/.exec(code) ?? [];
    const value = given.get(variable) ?? (/BRANCH/.test(variable) ? "feature/x" : "7");
    const said = execFileSync("bash", ["--norc", "-c", `echo "${code}"`], {
      ...{ encoding: "utf8", env: { [variable]: value } },
    });
    expect([code, said]).toEqual([code, /BRANCH/.test(variable) ? "feature/x\n" : "7\n"]);
  }
});

it("no log and no comment shows a secret", () => {
  const shown = logs.join("\n");
  expect(shown).toContain(nameOf(7));
  for (const secret of [...service.secrets(), service.token, "token-of-the-forge", "passphrase-of"]) {
    expect(shown).not.toContain(secret);
  }
});
