import { branch, requirePreviews } from "../../../provider/resources/branches/branch/branch";
import { SOMEBODY, startScenario, type Managed, type Scenario } from "../../kit/scenario";

// A branch that previews a pull request takes over what a run on another machine left of it, and nothing else.

let scenario: Scenario;
let branches: Managed;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  branches = scenario.manage(branch);
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const preview = (more: object = {}) => ({
  projectRef,
  name: "pr-7",
  gitBranch: "feature/search",
  pullRequest: 7,
  adopt: true,
  ...more,
});
const PARENT = "pppppppppppppppppppp";
const left = () => [...scenario.emulator.world.state.branches.values()].filter(({ isDefault }) => !isDefault);

/** A branch of that name which is in nobody's state. */
function there(more: object = {}): string {
  const body = { branch_name: "pr-7", git_branch: "feature/search", ...more };
  const made = scenario.emulator.control.call("createBranch", { ref: projectRef, body });
  scenario.clock.advance(600_000);
  return made.project_ref;
}

it("is made where there is none", async () => {
  const made = await branches.create(preview());
  expect(left().map(({ name }) => name)).toEqual(["pr-7"]);
  expect(branches.diff(made.state, preview()).changes).toBe(false);
});

it("takes over the one of the same name, Git branch and pull request", async () => {
  const ref = there();
  const made = await branches.create(preview({ __owner: SOMEBODY }));
  expect(made.id).toBe(ref);
  expect(left()).toHaveLength(1);
});

it.each([
  ["another Git branch", { git_branch: "feature/other" }, 'from the Git branch "feature/other"'],
  ["no Git branch", { git_branch: undefined }, "from no Git branch"],
  ["a persistent one", { persistent: true }, "it is persistent"],
])("leaves one of the same name that is %s", async (_what, body, why) => {
  const ref = there(body);
  const before = left();
  const refused = branches.create(preview());
  await expect(refused).rejects.toThrow(
    `The branch pr-7 (${ref}) exists and is not the preview of pull request 7`,
  );
  await expect(branches.create(preview({ adopt: false }))).rejects.toThrow(why);
  expect(left()).toEqual(before);
});

it.each([
  [{ pr_number: 8 }, "it belongs to pull request 8"],
  [{ pr_number: 7 }, undefined],
  [{}, undefined],
  [{ persistent: undefined }, "does not say whether it is"],
  [{ is_default: undefined }, "does not say whether it is"],
  [{ parent_project_ref: undefined }, "an unknown project"],
])("holds what the service tells of it, %j, against the pull request", (told, why) => {
  const found = { name: "pr-7", project_ref: "abcdefghijklmnopqrst", git_branch: "feature/search" };
  const own = { parent_project_ref: PARENT, is_default: false, persistent: false };
  const requiring = () =>
    requirePreviews([{ ...found, ...own, ...told }], {
      ...{ name: "pr-7", parentRef: PARENT, pullRequest: 7, gitBranch: "feature/search" },
    });
  if (why === undefined) expect(requiring).not.toThrow();
  else expect(requiring).toThrow(why);
});

it("is not the default branch of that name", async () => {
  there({ branch_name: "other" });
  scenario.emulator.control.edit(() => {
    for (const one of scenario.emulator.world.state.branches.values()) if (one.isDefault) one.name = "pr-7";
  });
  await expect(branches.create(preview())).rejects.toThrow("is the default branch");
});
