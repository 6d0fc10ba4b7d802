import {
  NotThePreviewError,
  sweepPreviews,
  TTL_SECRET,
  type PreviewStacks,
  type PullRequestState,
  type SweepOptions,
  type Swept,
} from "../../previews";
import { startPreviewed, type Previewed } from "./previews";

let all: Previewed;
beforeEach(async () => {
  all = await startPreviewed();
});
afterEach(() => all.close());

const HOURS = 24;

/** All pull requests are closed but those that are open. */
const closedBut =
  (...open: readonly number[]) =>
  (number: number): Promise<PullRequestState> =>
    Promise.resolve({ isOpen: open.includes(number), gitBranch: `feature-${number}` });

function sweep(pullRequest: SweepOptions["pullRequest"], more: Partial<SweepOptions> = {}): Promise<Swept[]> {
  return sweepPreviews({
    ...{ client: all.client, project: all.project, repository: all.repository, prefix: "pr-" },
    ...{ pullRequest, yes: true, pollMs: 20 },
    ...more,
  });
}

const outcomes = (swept: readonly Swept[]): string[] =>
  swept.map(({ pullRequest, reason, outcome }) => `${pullRequest}: ${reason}, ${outcome}`);

const noStack = (stacks: Partial<PreviewStacks>): PreviewStacks => ({
  find: () => Promise.resolve(undefined),
  pullRequests: () => Promise.resolve([]),
  ...stacks,
});

it("removes the previews of closed pull requests, oldest first, and no other branch", async () => {
  all.preview(1, HOURS);
  all.preview(2, 2 * HOURS);
  all.preview(3, HOURS);
  all.preview(4, HOURS, { persistent: true });
  all.preview(5, 0.5);
  const others = [
    "pr-6",
    "staging",
    all.name(7, "https://forge.example.com/acme/other"),
    `${all.name(8)}-fix`,
  ];
  for (const name of others) all.branch(name, HOURS);
  expect(outcomes(await sweep(closedBut(3)))).toEqual([
    "2: pull request 2 is closed, removed",
    "1: pull request 1 is closed, removed",
  ]);
  expect(all.names().sort()).toEqual([...others, all.name(3), all.name(4), all.name(5)].sort());
  expect(await sweep(closedBut(3))).toEqual([]);
});

it("only lists without `yes`, and makes no write", async () => {
  all.preview(1, HOURS);
  all.emulator.control.clearCalls();
  expect(outcomes(await sweep(closedBut(), { yes: false }))).toEqual([
    "1: pull request 1 is closed, would be removed",
  ]);
  expect(all.emulator.control.countCalls()).toBe(1);
  expect(all.names()).toEqual([all.name(1)]);
});

it("removes the preview of an open pull request once it is older than its hours", async () => {
  all.preview(1, HOURS, { secrets: { [TTL_SECRET]: "23" } });
  all.preview(2, HOURS, { secrets: { [TTL_SECRET]: "25" } });
  all.preview(3, HOURS, { secrets: { [TTL_SECRET]: "soon" } });
  expect(outcomes(await sweep(closedBut(1, 2, 3)))).toEqual(["1: older than its 23 hours, removed"]);
});

it("a preview whose pull request the forge does not tell of is not taken for one of a closed one", async () => {
  all.preview(1, HOURS, { secrets: { [TTL_SECRET]: "1" } });
  all.preview(2, HOURS - 1);
  const swept = await sweep((number) =>
    number === 1 ? Promise.reject(new Error("GET /pulls/1 was answered with 404")) : closedBut()(number),
  );
  expect(outcomes(swept)).toEqual([
    "1: the state of pull request 1 is unknown, not known",
    "2: pull request 2 is closed, removed",
  ]);
  expect(swept[0]?.error).toContain("404");
  expect(all.names()).toEqual([all.name(1)]);
});

it("removes at most so many, and says which are left", async () => {
  for (const number of [1, 2, 3]) all.preview(number, HOURS + number);
  const swept = await sweep(closedBut(), { max: 2 });
  expect(swept.map(({ outcome }) => outcome)).toEqual(["removed", "removed", "left for the next sweep"]);
  expect(all.names()).toEqual([all.name(1)]);
});

it("previews whose removal fails do not use up what a sweep may remove", async () => {
  for (const number of [1, 2, 3]) all.preview(number, HOURS + number);
  const stacks = noStack({
    find: ({ pullRequest }) =>
      pullRequest === 1 ? Promise.resolve(undefined) : Promise.reject(new Error("the stack is locked")),
  });
  const swept = await sweep(closedBut(), { max: 1, stacks });
  expect(swept.map(({ pullRequest, outcome }) => `${pullRequest} ${outcome}`)).toEqual([
    "3 failed",
    "2 failed",
    "1 removed",
  ]);
});

it("stops where the branches cannot be listed", async () => {
  all.preview(1, HOURS);
  all.emulator.control.addFault({ operation: "listBranches", status: 403 });
  await expect(sweep(closedBut())).rejects.toThrow("403");
  expect(all.names()).toEqual([all.name(1)]);
});

it.each(["name", "is_default", "persistent", "created_at", "id"])(
  "stops where a listed branch lacks its %s",
  async (field) => {
    all.preview(1, HOURS);
    const listBranches = all.client.listBranches.bind(all.client);
    const incomplete: typeof listBranches = async (parameters) => {
      const branches = await listBranches(parameters);
      for (const branch of branches) Reflect.set(branch, field, null);
      return branches;
    };
    Object.assign(all.client, { listBranches: incomplete });
    await expect(sweep(closedBut())).rejects.toThrow(`without its ${field}`);
    expect(all.names()).toEqual([all.name(1)]);
  },
);

it("leaves out a listed branch that has no reference, says so, and removes the others", async () => {
  all.preview(1, HOURS);
  const hostile = ["../x", "a/b", "..", "", "a?b", "%2e%2e", "a\nb", "\u001b[2K", "a".repeat(10_000)];
  const listBranches = all.client.listBranches.bind(all.client);
  Object.assign(all.client, {
    listBranches: async (parameters: Parameters<typeof listBranches>[0]) => {
      const branches = await listBranches(parameters);
      const previews = branches.filter(({ name }) => name === all.name(1));
      return [
        ...previews.flatMap((branch) =>
          hostile.map((ref) => ({ ...branch, name: all.name(2), project_ref: ref, id: ref })),
        ),
        ...branches,
      ];
    },
  });
  all.emulator.control.clearCalls();
  const warnings: string[] = [];
  const swept = await sweep(closedBut(), { warn: (line) => void warnings.push(line) });
  expect(outcomes(swept)).toEqual(["1: pull request 1 is closed, removed"]);
  expect(warnings).toHaveLength(hostile.length);
  expect(warnings[0]).toContain('The service lists a branch with the reference "../x", which is none');
  expect(warnings.filter((line) => line.length > 300 || /\p{C}/u.test(line))).toEqual([]);
  const writes = all.emulator.control.calls({ operation: "deleteBranch" });
  expect(writes.length).toBe(1);
});

it("looks again: what was reopened, made anew, made persistent or removed meanwhile is left alone", async () => {
  for (const number of [1, 2, 3, 4]) all.preview(number, HOURS + 10 - number);
  const asked = new Map<number, number>();
  const swept = await sweep((number) => {
    asked.set(number, (asked.get(number) ?? 0) + 1);
    if (number === 1 && asked.get(1) === 2) {
      const { control } = all.emulator;
      const refs = new Map(
        control.call("listBranches", { ref: all.project }).map((each) => [each.name, each.project_ref]),
      );
      const of = (pull: number) => ({ branch_id_or_ref: refs.get(all.name(pull)) ?? "" });
      control.call("deleteBranch", of(2));
      control.call("deleteBranch", of(3));
      all.preview(3, 0);
      control.call("updateBranch", { ...of(4), body: { persistent: true } });
    }
    return closedBut(...(number === 1 && asked.get(1) === 2 ? [1] : []))(number);
  });
  expect(swept.map(({ pullRequest, outcome }) => `${pullRequest} ${outcome}`)).toEqual([
    "1 stays",
    "2 gone already",
    "3 gone already",
    "4 gone already",
  ]);
  expect(all.names().sort()).toEqual([all.name(1), all.name(3), all.name(4)]);
});

it("a branch that was made from another Git branch is not the preview of a closed pull request", async () => {
  all.preview(1, HOURS, { git_branch: "feature/of-somebody" });
  const swept = await sweep(closedBut());
  expect(swept).toMatchObject([
    {
      outcome: "not the preview",
      error: expect.stringContaining(
        'it was created from the Git branch "feature/of-somebody", not from the Git branch "feature-1"',
      ) as unknown,
    },
  ]);
  expect(all.names()).toEqual([all.name(1)]);
});

it("a stack of somebody else keeps its branch", async () => {
  all.preview(1, HOURS);
  const stacks = noStack({ find: () => Promise.reject(new NotThePreviewError("of another project")) });
  expect(outcomes(await sweep(closedBut(), { stacks }))).toEqual([
    "1: pull request 1 is closed, not the preview",
  ]);
  expect(all.names()).toEqual([all.name(1)]);
});

it("a branch that is persistent by now is not removed by its stack", async () => {
  const ref = all.preview(1, HOURS, { persistent: true });
  const stacks = noStack({
    pullRequests: () => Promise.resolve([1]),
    find: () => Promise.resolve({ refs: [ref], remove: () => Promise.reject(new Error("it was removed")) }),
  });
  expect(outcomes(await sweep(closedBut(), { stacks }))).toEqual([
    "1: pull request 1 is closed, not the preview",
  ]);
});

it("a stack whose branch is gone is removed as well", async () => {
  const removed: string[] = [];
  const stacks = noStack({
    pullRequests: () => Promise.resolve([1, 2]),
    find: ({ name }) => Promise.resolve({ refs: [], remove: () => Promise.resolve(void removed.push(name)) }),
  });
  const swept = await sweep(closedBut(2), { stacks });
  expect(outcomes(swept)).toEqual(["1: pull request 1 is closed, removed with its stack"]);
  expect(removed).toEqual([all.name(1)]);
});

it("reports what the service refuses, and removes the others", async () => {
  all.preview(1, HOURS + 1);
  all.preview(2, HOURS);
  all.emulator.control.addFault({ operation: "deleteBranch", status: 403, times: 1 });
  const swept = await sweep(closedBut());
  expect(swept.map(({ outcome }) => outcome)).toEqual(["failed", "removed"]);
  expect(swept[0]?.error).toContain("403");
  expect(all.names()).toEqual([all.name(1)]);
});

it("is safe to run from several places at once", async () => {
  for (let number = 1; number <= 6; number += 1) all.preview(number, HOURS);
  const sweeps = await Promise.all([sweep(closedBut()), sweep(closedBut()), sweep(closedBut())]);
  expect(all.names()).toEqual([]);
  expect(sweeps.flat().filter(({ outcome }) => outcome === "failed")).toEqual([]);
});

it("removes by the stack where there is one, and what the stack leaves by the API", async () => {
  const refs = [1, 2, 3].map((number) => all.preview(number, HOURS + 4 - number));
  const removed: number[] = [];
  const stacks = noStack({
    find: ({ pullRequest }) =>
      Promise.resolve(
        pullRequest === 3
          ? undefined
          : {
              refs: [refs[pullRequest - 1] ?? ""],
              remove: () => {
                removed.push(pullRequest);
                if (pullRequest === 1) {
                  all.emulator.control.call("deleteBranch", { branch_id_or_ref: refs[0] ?? "" });
                }
                return Promise.resolve();
              },
            },
      ),
  });
  const swept = await sweep(closedBut(), { stacks });
  expect(removed).toEqual([1, 2]);
  expect(swept.map(({ outcome }) => outcome)).toEqual([
    "removed with its stack",
    "removed with its stack",
    "removed",
  ]);
  expect(all.names()).toEqual([]);
});

it("leaves a branch whose stack cannot be removed, as the stack still knows it", async () => {
  all.preview(1, HOURS);
  const stacks = noStack({
    find: () => Promise.resolve({ refs: [], remove: () => Promise.reject(new Error("the stack is locked")) }),
  });
  expect(await sweep(closedBut(), { stacks })).toMatchObject([
    { outcome: "failed", error: "the stack is locked" },
  ]);
  expect(all.names()).toEqual([all.name(1)]);
});

it("begins nothing further once it is interrupted", async () => {
  all.preview(1, HOURS + 1);
  all.preview(2, HOURS);
  const abort = new AbortController();
  const stacks = noStack({
    find: () =>
      Promise.resolve({
        refs: [],
        remove: () => {
          abort.abort(new Error("stopped"));
          return Promise.reject(new Error("it was interrupted"));
        },
      }),
  });
  await expect(sweep(closedBut(), { stacks, signal: abort.signal })).rejects.toThrow("stopped");
  expect(all.names()).toHaveLength(2);
});

it("keeps a branch whose hours cannot be read, and says so", async () => {
  all.preview(1, HOURS, { secrets: { [TTL_SECRET]: "1" } });
  all.emulator.control.addFault({ operation: "listSecrets", status: 403, times: 9 });
  const warnings: string[] = [];
  expect(await sweep(closedBut(1), { warn: (line) => warnings.push(line) })).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining(`${all.name(1)}: its lifetime is unknown, so it stays`)]);
});
