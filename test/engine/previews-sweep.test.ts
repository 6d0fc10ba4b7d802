import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { previewStacks, previewName, sweepPreviews } from "../../previews";
import { ManagementClient } from "../../provider/client";
import { HOUR_MS } from "../../previews/stale";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { expectSuccess, PRELUDE, startStack, type Stack } from "./stack";

const program = `${PRELUDE}
const config = new pulumi.Config();
exports.ref = new management.Branch("preview", {
  projectRef: config.require("parent"),
  name: pulumi.getStack(),
  gitBranch: "feature/search",
  pullRequest: config.requireNumber("number"),
}).ref;
`;
const REPOSITORY = "https://forge.example.com/acme/shop";

let stack: Stack;
beforeAll(async () => {
  await engineForTests();
  stack = await startStack(program);
}, PROVISIONING_TIMEOUT_MS);
afterAll(() => stack.dispose());

/** As a run that died long ago leaves it. */
function lockStack(backend: string, project: string, name: string): void {
  const folder = join(backend, ".pulumi", "locks", "organization", project, name);
  mkdirSync(folder, { recursive: true });
  const lock = { pid: 41, username: "runner", hostname: "vm", timestamp: "2026-01-01T00:00:00Z" };
  writeFileSync(join(folder, "dead.json"), JSON.stringify(lock));
}

it("a sweep removes the stack of a closed pull request that a dead run has locked, and none of an open one or another repository", async () => {
  const { emulator, workspace, projectDir } = stack;
  const { control } = emulator;
  const { ref: project } = control.call("createProject", {
    body: { name: "shop", organization_slug: "acme", db_pass: "db-password-of-the-test" },
  });
  control.advance(600_000);
  const nameOf = (number: number, repository = REPOSITORY): string =>
    previewName("pr-", number, { repository, parentRef: project });
  const others = nameOf(12, "https://forge.example.com/acme/other");
  for (const [name, number] of [
    [nameOf(7), 7],
    [nameOf(12), 12],
    [others, 12],
  ] as const) {
    await workspace.stackInit(name);
    await workspace.config("parent", project);
    await workspace.config("number", String(number));
    expectSuccess(await workspace.up());
  }
  control.edit(({ branches }) => {
    for (const branch of branches.values()) branch.createdAt -= 2 * HOUR_MS;
  });
  const { deployment } = await workspace.exportStack();
  const [{ urn } = { urn: "" }] = deployment.resources ?? [];
  lockStack(workspace.backend, urn.split("::")[1] ?? "", nameOf(12));
  const client = new ManagementClient({ baseUrl: emulator.url, accessToken: emulator.accessToken });
  const environment = { ...process.env };
  // The CLI takes the environment of its process.
  Object.assign(process.env, workspace.env);
  try {
    const swept = await sweepPreviews({
      ...{ client, project, repository: REPOSITORY, prefix: "pr-", yes: true },
      pullRequest: (number) => Promise.resolve({ isOpen: number === 7, gitBranch: "feature/search" }),
      stacks: previewStacks({ pattern: "{name}", workDir: projectDir, unlockAfterMs: HOUR_MS }),
    });
    expect(swept.map(({ name, outcome, error }) => [name, outcome, error])).toEqual([
      [nameOf(12), "removed with its stack", undefined],
    ]);
  } finally {
    process.env = environment;
    await client.close();
  }
  const left = control
    .call("listBranches", { ref: project })
    .filter(({ is_default: isDefault }) => !isDefault);
  expect(left.map(({ name }) => name).sort()).toEqual([others, nameOf(7)].sort());
  const { stdout } = await workspace.run(["stack", "ls", "--json"]);
  const stacks = (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
  expect(stacks.filter((name) => name.startsWith("pr-")).sort()).toEqual([others, nameOf(7)].sort());
});
