import { rmSync } from "node:fs";
import { resourceByType } from "../../../provider/catalog/catalog";
import { checkInputs } from "../../../provider/engine/check";
import { describeCreation } from "../../../provider/engine/plan-lines";
import { ProgramIndex } from "../../../provider/ledger/program-index";
import type { Values } from "../../../provider/define/values";
import { requireSuccess, runUntilSettled } from "../../kit/checks";
import { messagesOf, type Machine, startMachine } from "../../kit/machine";
import type { Declared, Outcome } from "../../kit/model-engine";
import type { Death } from "../../kit/mortal-process";
import type { Scenario } from "../../kit/scenario";
import { useSourceFolder } from "./source-folder";

// A new branch has the functions of its parent (service, Branches). The program that made it has them with it.

const source = useSourceFolder();
let scenario: Scenario;
let machine: Machine;
let parent: string;
beforeEach(async () => {
  await open();
  source.write({ "hello/index.ts": "export const hello = 2;", "new/index.ts": "export {};" });
});
afterEach(() => machine.close());

/** A service whose project has three functions, and a user's machine. */
async function open(): Promise<void> {
  ({ scenario, machine, projectRef: parent } = await startMachine());
  for (const slug of ["hello", "kept", "old"]) deploy(parent, slug);
}

function deploy(ref: string, slug: string): void {
  scenario.emulator.control.call("deployFunction", {
    ...{ ref, slug },
    body: {
      metadata: { entrypoint_path: "index.ts" },
      file: [{ name: "index.ts", content: new TextEncoder().encode("export {};") }],
    },
  });
}

const branch = (more: Values = {}): Declared => ({
  ...{ name: "branch", type: "Branch" },
  inputs: () => ({ projectRef: parent, name: "preview", ...more }),
});
const onBranch = (name: string, type: string, own: () => Values): Declared => ({
  ...{ name, type },
  inputs: (outputs) => ({ projectRef: outputs("branch")["ref"], ...own() }),
});
const folder = (more: Values = {}): Declared =>
  onBranch("folder", "FunctionSet", () => ({ sourceDir: source.path(), ...more }));
const single = (slug: string): Declared =>
  onBranch(slug, "EdgeFunction", () => ({ slug, files: { "index.ts": "export const single = 1;" } }));

const branchRef = (): string => String(machine.engine.get("branch")?.state["ref"]);
const versions = (ref = branchRef()): Record<string, number> =>
  Object.fromEntries(
    scenario.emulator.control
      .call("listFunctions", { ref })
      .map(({ slug, version }): [string, number] => [slug, version])
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
const done = (outcome: Outcome): void => expect(messagesOf(outcome)).toEqual([]);
const again = async (program: readonly Declared[]): Promise<void> =>
  expect((await machine.up(program)).steps).toEqual([]);

it("a set takes over those that its folder has, and deletes the others", async () => {
  const program = [branch(), folder()];
  done(await machine.up(program));
  expect(versions()).toEqual({ hello: 2, new: 1 });
  expect(versions(parent)).toEqual({ hello: 1, kept: 1, old: 1 });
  await again(program);
});

it("does so on a branch that an earlier run has made, and on a machine that knows nothing of it", async () => {
  done(await machine.up([branch()]));
  expect(versions()).toEqual({ hello: 1, kept: 1, old: 1 });
  rmSync(machine.folder, { recursive: true });
  done(await machine.up([branch(), folder()]));
  expect(versions()).toEqual({ hello: 2, new: 1 });
});

it("leaves those of other resources of the program, whichever is brought about first", async () => {
  source.write({ "second/kept/index.ts": "export const kept = 2;" });
  const second = onBranch("second", "FunctionSet", () => ({ sourceDir: source.path("second") }));
  const program = [branch(), single("old"), folder({ exclude: ["second"] }), second];
  done(await machine.up(program));
  expect(versions()).toMatchObject({ hello: 2, new: 1, old: 2 });
  expect(Object.keys(versions())).toContain("kept");
  await again(program);
});

it("an EdgeFunction takes over the one of its slug, and no other", async () => {
  const program = [branch(), single("hello")];
  done(await machine.up(program));
  expect(versions()).toEqual({ hello: 2, kept: 1, old: 1 });
  await again(program);
});

it("waits for a listing that can be read, and takes none for an empty one", async () => {
  for (const body of [null, {}, "no list"]) {
    scenario.emulator.control.addFault({ operation: "listFunctions", status: 200, body, times: 1_000 });
    expect(messagesOf(await machine.up([branch()]))).not.toEqual([]);
    scenario.emulator.control.clearFaults();
  }
  done(await machine.up([branch(), folder()]));
  expect(versions()).toEqual({ hello: 2, new: 1 });
});

it("leaves what `exclude` names", async () => {
  source.write({ "kept/index.ts": "export {};" });
  done(await machine.up([branch(), folder({ exclude: ["kept"] })]));
  expect(versions()).toEqual({ hello: 2, kept: 1, new: 1 });
});

it("refuses what somebody deployed since, and deletes nothing that somebody changed", async () => {
  done(await machine.up([branch()]));
  deploy(branchRef(), "new");
  deploy(branchRef(), "old");
  const [message] = messagesOf(await machine.up([branch(), folder()]));
  expect(message).toContain("it has `new`");
  expect(versions()).toEqual({ hello: 1, kept: 1, new: 1, old: 2 });

  scenario.emulator.control.call("deleteFunction", { ref: branchRef(), function_slug: "new" });
  const program = [branch(), folder()];
  done(await machine.up(program));
  expect(versions()).toEqual({ hello: 2, new: 1, old: 2 });
  // “Leave them to whoever changed them. If nobody needs them, delete them …”
  expect(machine.warnings.join()).toMatch(/came with `?old`?, which the folder .*Leave them to whoever/);
  await again(program);
  scenario.emulator.control.call("deleteFunction", { ref: branchRef(), function_slug: "old" });
  done(await machine.refresh());
  await again(program);
  expect(versions()).toEqual({ hello: 2, new: 1 });
});

it("does not touch what comes later: the set deletes at its creation only", async () => {
  const program = [branch(), folder()];
  done(await machine.up(program));
  deploy(branchRef(), "old");
  source.write({ "hello/index.ts": "export const hello = 3;" });
  done(await machine.up(program));
  expect(versions()).toEqual({ hello: 3, new: 1, old: 1 });
});

it("on a branch that was there before, everything is somebody else's", async () => {
  scenario.emulator.control.call("createBranch", { ref: parent, body: { branch_name: "preview" } });
  scenario.clock.advance(30 * 60_000);
  const [message] = messagesOf(await machine.up([branch({ adopt: true }), folder()]));
  expect(message).toContain("it has `hello`");
  expect(versions()).toEqual({ hello: 1, kept: 1, old: 1 });
});

it("a pull request that deleted a function ends without it, on its second machine too", async () => {
  const ofPullRequest = { name: "pr-7", gitBranch: "feature/search", pullRequest: 7, adopt: true };
  const preview = [branch(ofPullRequest), folder({ adopt: true, allowEmpty: true })];
  const body = { branch_name: "pr-7", git_branch: "feature/search" };
  scenario.emulator.control.call("createBranch", { ref: parent, body });
  scenario.clock.advance(30 * 60_000);
  done(await machine.up(preview));
  expect(versions()).toEqual({ hello: 2, new: 1 });
});

it("a token that may not list functions makes the branch, and has nothing with it", async () => {
  scenario.emulator.control.addFault({ operation: "listFunctions", status: 403, message: "forbidden" });
  done(await machine.up([branch()]));
  const [message] = messagesOf(await machine.up([branch(), folder()]));
  expect(message).toContain("it has `hello`");
  expect(versions()).toEqual({ hello: 1, kept: 1, old: 1 });
});

it("a folder without functions leaves the branch without any", async () => {
  rmSync(source.path("hello"), { recursive: true });
  rmSync(source.path("new"), { recursive: true });
  const program = [branch(), folder({ allowEmpty: true })];
  done(await machine.up(program));
  expect(versions()).toEqual({});
  await again(program);
});

it("a preview lists what is taken over and deleted, once the branch is in the state", async () => {
  const program = new ProgramIndex();
  done(await machine.up([branch()]));
  const planned = (type: string, own: Values): readonly string[] => {
    const resource = resourceByType(type);
    const given = { __owner: "acme/shop/dev/it", projectRef: branchRef(), ...own };
    return describeCreation(program, resource, checkInputs(resource, given).inputs);
  };
  const hello = { slug: "hello", files: { "index.ts": "export {};" } };
  expect(planned("EdgeFunction", hello)).toEqual([]);
  program.recordState(resourceByType("Branch"), machine.engine.get("branch")?.state ?? {});
  expect(planned("EdgeFunction", hello)).toEqual(["will take over: hello (copied from the parent project)"]);
  expect(planned("EdgeFunction", { ...hello, slug: "new" })).toEqual([]);
  expect(planned("FunctionSet", { sourceDir: source.path() })).toEqual([
    "will take over: hello (copied from the parent project)",
    "will delete: kept, old (copied from the parent project, not in the folder)",
    "will deploy: hello, new",
  ]);
});

it("a run that dies anywhere is gone on with: each function once, and none that the folder lacks", async () => {
  const program = [branch(), folder({ exclude: ["single"] }), single("single")];
  source.write({ "single/index.ts": "export {};" });
  const { process } = await machine.play(machine, (engine, own) => engine.up(program, own));
  const { points } = process;
  const first = points.findIndex(({ what }) => what === "answer createBranch");
  expect(first).toBeGreaterThan(0);
  // Of the reads between two writes, all leave the same behind.
  const deaths = points.flatMap(({ what, isWrite }, at): Death[] => {
    if (at < first) return [];
    if (isWrite) return [{ at }, { at, isUnderWay: true }];
    return points[at - 1]?.isWrite === true || /^(?:return|record) of/.test(what) ? [{ at }] : [];
  });
  expect(deaths.length).toBeGreaterThan(20);
  const failures: string[] = [];
  for (const death of deaths) {
    await machine.close();
    await open();
    await machine.play(machine, (engine, own) => engine.up(program, own), { death });
    try {
      await runUntilSettled(async () => requireSuccess(await machine.up(program)));
      await machine.land();
      await machine.refresh();
      await runUntilSettled(async () => requireSuccess(await machine.up(program)));
    } catch (error) {
      failures.push(`${points[death.at]?.what ?? ""}: ${String(error)}`);
    }
    const there = Object.keys(versions()).join();
    if (there !== "hello,new,single") failures.push(`${points[death.at]?.what ?? ""}: ${there}`);
  }
  expect(failures).toEqual([]);
});
