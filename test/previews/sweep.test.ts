import { sweepPreviews, TTL_SECRET, type SweepOptions, type Swept } from "../../previews";
import { startPreviewed, type Previewed } from "./previews";

let all: Previewed;
beforeEach(async () => {
  all = await startPreviewed();
});
afterEach(() => all.close());

const HOURS = 24;

function sweep(open: readonly number[], more: Partial<SweepOptions> = {}): Promise<Swept[]> {
  return sweepPreviews({
    client: all.client,
    project: all.project,
    prefix: "pr-",
    openPullRequests: () => Promise.resolve(new Set(open)),
    yes: true,
    pollMs: 20,
    ...more,
  });
}

const outcomes = (swept: readonly Swept[]): string[] =>
  swept.map(({ branch, reason, outcome }) => `${branch.name}: ${reason}, ${outcome}`);

it("removes the branches of closed pull requests, oldest first, and no other", async () => {
  all.branch("pr-1", HOURS);
  all.branch("pr-2", 2 * HOURS);
  all.branch("pr-3", HOURS);
  all.branch("pr-4", HOURS, { persistent: true });
  all.branch("pr-5", 0.5);
  all.branch("pr-06", HOURS);
  all.branch("pr-7-fix", HOURS);
  all.branch("staging", HOURS);
  all.branch("apr-8", HOURS);
  const swept = await sweep([3]);
  expect(outcomes(swept)).toEqual([
    "pr-2: pull request 2 is not open, removed",
    "pr-1: pull request 1 is not open, removed",
  ]);
  expect(all.names().sort()).toEqual(["apr-8", "pr-06", "pr-3", "pr-4", "pr-5", "pr-7-fix", "staging"]);
  expect(await sweep([3])).toEqual([]);
});

it("only lists without `yes`, and makes no write", async () => {
  all.branch("pr-1", HOURS);
  all.emulator.control.clearCalls();
  expect(outcomes(await sweep([3], { yes: false }))).toEqual([
    "pr-1: pull request 1 is not open, would be removed",
  ]);
  expect(all.emulator.control.countCalls()).toBe(1);
  expect(all.names()).toEqual(["pr-1"]);
});

it("removes the branch of an open pull request once it is older than its hours", async () => {
  const young = { secrets: { [TTL_SECRET]: "25" } };
  all.branch("pr-1", HOURS, { secrets: { [TTL_SECRET]: "23" } });
  all.branch("pr-2", HOURS, young);
  all.branch("pr-3", HOURS, { secrets: { [TTL_SECRET]: "soon" } });
  expect(outcomes(await sweep([1, 2, 3]))).toEqual(["pr-1: older than its 23 hours, removed"]);
});

it("removes at most so many, and says which are left", async () => {
  for (const number of [1, 2, 3]) all.branch(`pr-${number}`, HOURS + number);
  const swept = await sweep([9], { max: 2 });
  expect(swept.map(({ outcome }) => outcome)).toEqual(["removed", "removed", "left for the next sweep"]);
  expect(all.names()).toEqual(["pr-1"]);
});

it("stops before the first removal where the open pull requests are none, or cannot be read", async () => {
  all.branch("pr-1", HOURS);
  await expect(sweep([])).rejects.toThrow("--allow-empty");
  await expect(
    sweep([2], { openPullRequests: () => Promise.reject(new Error("the forge is away")) }),
  ).rejects.toThrow("the forge is away");
  expect(all.names()).toEqual(["pr-1"]);
  expect(outcomes(await sweep([], { allowEmpty: true }))).toHaveLength(1);
});

it("stops where the branches cannot be listed", async () => {
  all.branch("pr-1", HOURS);
  all.emulator.control.addFault({ operation: "listBranches", status: 403 });
  await expect(sweep([2])).rejects.toThrow("403");
  expect(all.names()).toEqual(["pr-1"]);
});

it.each(["name", "is_default", "persistent", "created_at", "id"])(
  "stops where a listed branch lacks its %s",
  async (field) => {
    all.branch("pr-1", HOURS);
    const listBranches = all.client.listBranches.bind(all.client);
    const incomplete: typeof listBranches = async (parameters) => {
      const branches = await listBranches(parameters);
      for (const branch of branches) Reflect.set(branch, field, null);
      return branches;
    };
    Object.assign(all.client, { listBranches: incomplete });
    await expect(sweep([2])).rejects.toThrow(`without its ${field}`);
    expect(all.names()).toEqual(["pr-1"]);
  },
);

it("looks again: what was reopened, made anew, made persistent or removed meanwhile is left alone", async () => {
  for (const number of [1, 2, 3, 4]) all.branch(`pr-${number}`, HOURS);
  let looks = 0;
  const swept = await sweep([], {
    openPullRequests: () => {
      looks += 1;
      if (looks === 2) {
        const { control } = all.emulator;
        const refs = new Map(
          control.call("listBranches", { ref: all.project }).map((each) => [each.name, each.project_ref]),
        );
        const of = (name: string) => ({ branch_id_or_ref: refs.get(name) ?? "" });
        control.call("deleteBranch", of("pr-2"));
        control.call("deleteBranch", of("pr-3"));
        all.branch("pr-3", 0);
        control.call("updateBranch", { ...of("pr-4"), body: { persistent: true } });
      }
      return Promise.resolve(new Set(looks === 1 ? [9] : [9, 1]));
    },
  });
  expect(swept.map(({ branch, outcome }) => `${branch.name} ${outcome}`)).toEqual([
    "pr-1 stays",
    "pr-2 gone already",
    "pr-3 gone already",
    "pr-4 gone already",
  ]);
  expect(all.names().sort()).toEqual(["pr-1", "pr-3", "pr-4"]);
});

it("reports what the service refuses, and removes the others", async () => {
  all.branch("pr-1", HOURS + 1);
  all.branch("pr-2", HOURS);
  all.emulator.control.addFault({ operation: "deleteBranch", status: 403, times: 1 });
  const swept = await sweep([9]);
  expect(swept.map(({ outcome }) => outcome)).toEqual(["failed", "removed"]);
  expect(swept[0]?.error).toContain("403");
  expect(all.names()).toEqual(["pr-1"]);
});

it("is safe to run from several places at once", async () => {
  for (let number = 1; number <= 6; number += 1) all.branch(`pr-${number}`, HOURS);
  const sweeps = await Promise.all([sweep([9]), sweep([9]), sweep([9])]);
  expect(all.names()).toEqual([]);
  expect(sweeps.flat().filter(({ outcome }) => outcome === "failed")).toEqual([]);
});

it("removes by the stack where there is one, and what the stack leaves by the API", async () => {
  const refs = [1, 2, 3].map((number) => all.branch(`pr-${number}`, HOURS + 4 - number));
  const removed: number[] = [];
  const swept = await sweep([9], {
    removeStack: ({ pullRequest }) => {
      if (pullRequest === 3) return Promise.resolve(false);
      removed.push(pullRequest);
      if (pullRequest === 1) {
        all.emulator.control.call("deleteBranch", { branch_id_or_ref: refs[0] ?? "" });
      }
      return Promise.resolve(true);
    },
  });
  expect(removed).toEqual([1, 2]);
  expect(swept.map(({ outcome }) => outcome)).toEqual([
    "removed with its stack",
    "removed with its stack",
    "removed",
  ]);
  expect(all.names()).toEqual([]);
});

it("leaves a branch whose stack cannot be removed, as the stack still knows it", async () => {
  all.branch("pr-1", HOURS);
  const swept = await sweep([9], { removeStack: () => Promise.reject(new Error("the stack is locked")) });
  expect(swept).toMatchObject([{ outcome: "failed", error: "the stack is locked" }]);
  expect(all.names()).toEqual(["pr-1"]);
});

it("keeps a branch whose hours cannot be read, and says so", async () => {
  all.branch("pr-1", HOURS, { secrets: { [TTL_SECRET]: "1" } });
  all.emulator.control.addFault({ operation: "listSecrets", status: 403, times: 9 });
  const warnings: string[] = [];
  expect(await sweep([1], { warn: (line) => warnings.push(line) })).toEqual([]);
  expect(warnings).toEqual([
    expect.stringContaining("pr-1: how long it is to last is not known, so it stays"),
  ]);
});
