import type { Scenario } from "../../kit/scenario";
import { startMachine, Machine, declaring, messagesOf } from "../../kit/machine";
import type { Declared, Outcome } from "../../kit/model-engine";
import { writeMarks } from "../../../provider/define/state-marks";
import { resourceOf, sampleOf, samples } from "../../kit/samples";

let scenario: Scenario;
let machine: Machine;
let projectRef: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef } = await startMachine());
});
afterEach(() => machine.close());

interface Kind {
  readonly type: string;
  readonly status: string;
  /** Makes what is created next end in that status. */
  readonly spoil: () => Promise<void>;
  /** Deletes it in the service's console. */
  readonly deleteByHand: (id: string) => unknown;
}

const shop = () => [...scenario.emulator.world.state.projects.values()].find(({ name }) => name === "shop");

const kinds: readonly Kind[] = [
  {
    type: "Project",
    status: "INIT_FAILED",
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
    status: "INIT_FAILED",
    spoil: () => {
      scenario.emulator.control.edit(({ projects }) => {
        const parent = projects.get(projectRef);
        if (parent !== undefined) parent.next.branchProject = "INIT_FAILED";
      });
      return Promise.resolve();
    },
    deleteByHand: (ref) => scenario.emulator.control.call("deleteBranch", { branch_id_or_ref: ref }),
  },
  {
    type: "ReadReplica",
    status: "INIT_READ_REPLICA_FAILED",
    spoil: () => {
      scenario.emulator.control.edit(({ projects }) => {
        const project = projects.get(projectRef);
        if (project !== undefined) project.next.readReplica = "INIT_READ_REPLICA_FAILED";
      });
      return Promise.resolve();
    },
    deleteByHand: (id) => sampleOf("ReadReplica").objects?.remove?.(scenario, projectRef, id),
  },
];

describe.each(kinds)("a $type in $status", ({ type, status, spoil, deleteByHand }) => {
  let program: Declared[];
  let firstId: string;
  beforeEach(async () => {
    sampleOf(type).prepare?.(scenario, projectRef);
    program = declaring(type, sampleOf(type).inputs(projectRef));
    const [outcome] = await Promise.all([machine.up(program), spoil()]);
    firstId = machine.engine.get("it")?.id ?? "";
    expect(messagesOf(outcome).join()).toContain(`is ${status}`);
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
        expect(message).toContain(`The ${type} ${firstId} no longer exists`);
        expect(message).toContain("Run `pulumi refresh`");
      }
      expect((await machine.refresh()).steps).toEqual(["gone it"]);
      await isMadeAnew(await machine.up(program));
    });
  });
});

const removable = samples.filter(({ objects }) => objects?.remove !== undefined);

describe.each(removable.map((sample) => [sample.type, sample] as const))(
  "a %s that a run left half-made and somebody removed",
  (type, sample) => {
    it("is made again at once, or after the refresh that the message asks for", async () => {
      sample.prepare?.(scenario, projectRef);
      const inputs = { ...sample.inputs(projectRef), ...sample.secretInputs };
      const managed = scenario.manage(resourceOf(sample));
      const { id, state } = await managed.create(inputs);
      const halfMade = { id, state: writeMarks(state, { isPending: true }) };
      sample.objects?.remove?.(scenario, projectRef, id);
      scenario.clock.advance(60_000);
      scenario.nextRun();
      const failure = await managed.update(halfMade, inputs).then(
        () => undefined,
        (error: unknown) => String(error),
      );
      if (failure !== undefined) {
        expect(failure).toContain(`The ${type} ${id} no longer exists`);
        expect(failure).toContain("Run `pulumi refresh`");
      }
      scenario.nextRun();
      const read = await managed.read(halfMade).catch((error: unknown) => {
        // Of what nothing proves to be gone, the error names the way out: the state without it.
        expect([sample.isNeverProvenGone, String(error)]).toEqual([
          true,
          expect.stringContaining("remove it from the state with `pulumi state delete"),
        ]);
        return undefined;
      });
      if (read === undefined) await managed.create(inputs);
      expect(await sample.onService(scenario, projectRef)).toHaveLength(1);
    });
  },
);

it("a project that vanishes while its create waits says so at once", async () => {
  const program = declaring("Project", sampleOf("Project").inputs(""));
  const vanish = async (): Promise<void> => {
    while (shop()?.activity.kind !== "create" || scenario.calls("getProject") < 2)
      await scenario.clock.sleep(10);
    scenario.emulator.control.edit(({ projects }) => void projects.delete(shop()?.ref ?? ""));
  };
  const [outcome] = await Promise.all([machine.up(program), vanish()]);
  expect(messagesOf(outcome).join()).toContain("no longer exists");
  await machine.refresh();
  expect((await machine.up(program)).failures).toEqual([]);
});
