import type { Declared, Outcome } from "../crash/model-engine";
import type { Scenario } from "../lifecycle/scenario";
import { sampleOf } from "../lifecycle/samples";
import { declaring, Machine, messagesOf, startMachine } from "./machine";

let scenario: Scenario;
let machine: Machine;
let projectRef: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef } = await startMachine());
});
afterEach(() => machine.close());

interface Kind {
  readonly type: string;
  /** Makes what is created next end in INIT_FAILED. */
  readonly spoil: () => Promise<void>;
  /** Deletes it in the service's console. */
  readonly deleteByHand: (id: string) => unknown;
}

const shop = () => [...scenario.emulator.world.state.projects.values()].find(({ name }) => name === "shop");

const kinds: readonly Kind[] = [
  {
    type: "Project",
    spoil: async () => {
      while (shop() === undefined) await scenario.clock.sleep(10);
      scenario.emulator.control.edit(() => {
        const record = shop();
        if (record !== undefined) record.forcedStatus = "INIT_FAILED";
      });
    },
    deleteByHand: (ref) => scenario.emulator.control.call("deleteProject", { ref }),
  },
  {
    type: "Branch",
    spoil: () => {
      scenario.emulator.control.edit(({ projects }) => {
        const parent = projects.get(projectRef);
        if (parent !== undefined) parent.next.branchProject = "INIT_FAILED";
      });
      return Promise.resolve();
    },
    deleteByHand: (ref) => scenario.emulator.control.call("deleteBranch", { branch_id_or_ref: ref }),
  },
];

describe.each(kinds)("a $type in INIT_FAILED", ({ type, spoil, deleteByHand }) => {
  let program: Declared[];
  let firstId: string;
  beforeEach(async () => {
    program = declaring(type, sampleOf(type).inputs(projectRef));
    const [outcome] = await Promise.all([machine.up(program), spoil()]);
    firstId = machine.engine.get("it")?.id ?? "";
    expect(messagesOf(outcome).join()).toContain("is INIT_FAILED");
    expect(messagesOf(outcome).join()).toContain("`pulumi destroy --target");
    expect(messagesOf(outcome).join()).toContain("`pulumi up --refresh`");
  });

  /** It was made anew, is there once, and the next run has nothing to do. */
  const isMadeAnew = async (outcome: Outcome): Promise<void> => {
    expect(outcome).toEqual({ steps: ["create it"], failures: [] });
    expect(machine.engine.get("it")?.id).not.toBe(firstId);
    scenario.clock.advance(10 * 60_000);
    const present = await sampleOf(type).onService(scenario, projectRef);
    expect(present).toHaveLength(1);
    await machine.refresh();
    expect(await machine.up(program)).toEqual({ steps: [], failures: [] });
  };

  it("is made anew after it was destroyed", async () => {
    expect((await machine.destroy()).failures).toEqual([]);
    await isMadeAnew(await machine.up(program));
  });

  describe.each([
    ["a moment ago", 60_000],
    ["long ago", 60 * 60_000],
  ])("and deleted in the console %s", (_, agoMs) => {
    beforeEach(() => {
      deleteByHand(firstId);
      scenario.clock.advance(agoMs);
    });

    it("is made anew after a refresh", async () => {
      expect((await machine.refresh()).steps).toEqual(["gone it"]);
      await isMadeAnew(await machine.up(program));
    });

    it("says without a refresh that it needs one, each time, and is made anew then", async () => {
      for (let run = 0; run < 2; run += 1) {
        const [message = ""] = messagesOf(await machine.up(program));
        expect(message).toContain(`The ${type} ${firstId} is not there any more`);
        expect(message).toContain("Run `pulumi refresh`");
      }
      expect((await machine.refresh()).steps).toEqual(["gone it"]);
      await isMadeAnew(await machine.up(program));
    });
  });
});

it("a project that vanishes while its create waits says so at once", async () => {
  const program = declaring("Project", sampleOf("Project").inputs(""));
  const vanish = async (): Promise<void> => {
    while (shop()?.activity.kind !== "create" || scenario.calls("getProject") < 2)
      await scenario.clock.sleep(10);
    scenario.emulator.control.edit(({ projects }) => void projects.delete(shop()?.ref ?? ""));
  };
  const [outcome] = await Promise.all([machine.up(program), vanish()]);
  expect(messagesOf(outcome).join()).toContain("is not there any more");
  await machine.refresh();
  expect((await machine.up(program)).failures).toEqual([]);
});
