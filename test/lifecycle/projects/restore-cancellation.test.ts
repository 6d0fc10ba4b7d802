import { restoreCancellation } from "../../../provider/actions/projects/restore-cancellation";
import { SOMEBODY, startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let cancellations: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  cancellations = scenario.manage(restoreCancellation);
  const { control } = scenario.emulator;
  control.set("organizations.acme.plan", "free");
  control.call("pauseProject", { ref });
  scenario.clock.advance(600_000);
});
afterEach(() => scenario.close());

const status = (): string => scenario.emulator.control.call("getProject", { ref }).status;
const restore = (): unknown => scenario.emulator.control.call("restoreProject", { ref });

it("cancels one restore: a later one is none of its own", async () => {
  restore();
  const made = await cancellations.create({ projectRef: ref });
  expect(status()).toBe("INACTIVE");
  expect(made.state).toHaveProperty("ranAt");

  // What somebody restores later is not cancelled by what was done before.
  restore();
  scenario.clock.advance(600_000);
  scenario.nextRun();
  expect((await cancellations.read(made))?.state).toEqual(made.state);
  expect(cancellations.diff(made.state, { projectRef: ref }).changes).toBe(false);
  await cancellations.delete(made);
  expect(status()).toBe("ACTIVE_HEALTHY");
});

it("cancels a restore that is almost over", async () => {
  restore();
  scenario.clock.advance(180_000);
  expect(status()).toBe("RESTORING");
  await cancellations.create({ projectRef: ref });
  expect(status()).toBe("INACTIVE");
});

it("has nothing to do where no restore is under way, and says so", async () => {
  await cancellations.create({ projectRef: ref });
  restore();
  scenario.clock.advance(600_000);
  scenario.nextRun();
  await cancellations.create({ projectRef: ref, __owner: SOMEBODY });
  expect(scenario.calls("cancelRestore")).toBe(0);
  const [paused, running] = scenario.infos;
  expect(paused).toContain("the project is INACTIVE. No restore is in progress");
  expect(running).toContain("the project is ACTIVE_HEALTHY. No restore is in progress");
});

it.each(["VALUE_OF_TOMORROW", "UNKNOWN", null, undefined])(
  "lets the service decide where the status of the project is %s",
  async (shown) => {
    const answer = { ...scenario.emulator.control.call("getProject", { ref }), status: shown };
    const showOnce = () =>
      scenario.emulator.control.addFault({ operation: "getProject", status: 200, body: answer });
    showOnce();
    await expect(cancellations.create({ projectRef: ref })).rejects.toThrow("cancelRestore failed");
    restore();
    scenario.nextRun();
    showOnce();
    await cancellations.create({ projectRef: ref });
    expect(status()).toBe("INACTIVE");
  },
);

it("fails where the restore ends before it is cancelled", async () => {
  restore();
  scenario.emulator.control.addFault({ operation: "cancelRestore", status: 200, body: {} });
  await expect(cancellations.create({ projectRef: ref })).rejects.toThrow(
    `The restore of the project ${ref} ended before it could be cancelled. The project is ACTIVE_HEALTHY.`,
  );
});

it("finds by the project's state that a cancellation without an answer happened", async () => {
  restore();
  scenario.emulator.control.addFault({ operation: "cancelRestore", drop: "after" });
  await cancellations.create({ projectRef: ref });
  expect(scenario.calls("cancelRestore")).toBe(1);
  expect(status()).toBe("INACTIVE");
});
