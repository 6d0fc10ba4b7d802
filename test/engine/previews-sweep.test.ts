import { removeByStack, sweepPreviews } from "../../previews";
import { ManagementClient } from "../../provider/client";
import { HOUR_MS } from "../../previews/stale";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { expectSuccess, PRELUDE, startStack, type Stack } from "./stack";

const program = `${PRELUDE}
exports.ref = new management.Branch("preview", { projectRef: new pulumi.Config().require("parent"), branchName: pulumi.getStack() }).ref;
`;

let stack: Stack;
beforeAll(async () => {
  await engineForTests();
  stack = await startStack(program);
}, PROVISIONING_TIMEOUT_MS);
afterAll(() => stack.dispose());

it("a sweep destroys and removes the stack of a closed pull request, and leaves those of open ones", async () => {
  const { emulator, workspace, projectDir } = stack;
  const { control } = emulator;
  const { ref: project } = control.call("createProject", {
    body: { name: "shop", organization_slug: "acme", db_pass: "db-password-of-the-test" },
  });
  control.advance(600_000);
  for (const name of ["pr-7", "pr-12"]) {
    await workspace.stackInit(name);
    await workspace.config("parent", project);
    expectSuccess(await workspace.up());
  }
  control.edit(({ branches }) => {
    for (const branch of branches.values()) branch.createdAt -= 2 * HOUR_MS;
  });
  const client = new ManagementClient({ baseUrl: emulator.url, accessToken: emulator.accessToken });
  const environment = { ...process.env };
  // The Automation API takes the environment of its process.
  Object.assign(process.env, workspace.env);
  try {
    const swept = await sweepPreviews({
      ...{ client, project, prefix: "pr-", yes: true },
      openPullRequests: () => Promise.resolve(new Set([7])),
      removeStack: removeByStack({ pattern: "pr-{number}", workDir: projectDir }),
    });
    expect(swept.map(({ branch, outcome, error }) => [branch.name, outcome, error])).toEqual([
      ["pr-12", "removed with its stack", undefined],
    ]);
  } finally {
    process.env = environment;
    await client.close();
  }
  const left = control
    .call("listBranches", { ref: project })
    .filter(({ is_default: isDefault }) => !isDefault);
  expect(left.map(({ name }) => name)).toEqual(["pr-7"]);
  const stacks = await workspace.run(["stack", "ls", "--json"]);
  expect(stacks.stdout).toContain("pr-7");
  expect(stacks.stdout).not.toContain("pr-12");
});
