import { restoreCancellation } from "../../../provider/actions/projects/restore-cancellation";
import { startScenario, type Managed, type Scenario } from "../scenario";

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

it("goes through its life", async () => {
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
  await cancellations.delete(made);
  expect(status()).toBe("ACTIVE_HEALTHY");
});

it("cancels a restore that is almost over", async () => {
  restore();
  scenario.clock.advance(25_000);
  expect(status()).toBe("COMING_UP");
  await cancellations.create({ projectRef: ref });
  expect(status()).toBe("INACTIVE");
});

it("has nothing to do where the project is paused, and is refused where none is under way", async () => {
  await cancellations.create({ projectRef: ref });
  expect(scenario.calls("cancelRestore")).toBe(0);
  restore();
  scenario.clock.advance(600_000);
  await expect(cancellations.create({ projectRef: ref, triggers: [2] })).rejects.toThrow(
    `No restore of the project ${ref} is under way: it is ACTIVE_HEALTHY, so nothing was cancelled.`,
  );
});

it("finds by the project's state that a cancellation without an answer happened", async () => {
  restore();
  scenario.emulator.control.addFault({ operation: "cancelRestore", drop: "after" });
  await cancellations.create({ projectRef: ref });
  expect(scenario.calls("cancelRestore")).toBe(1);
  expect(status()).toBe("INACTIVE");
});
