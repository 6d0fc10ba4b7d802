import { restorePoint } from "../../../provider/actions/database/restore-point";
import type { Values } from "../../../provider/define/values";
import { asDocumented, asMeasured } from "../../../tools/fixtures/documented-service";
import { halfMadeBy } from "../half-made";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let points: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  scenario.emulator.control.edit(asDocumented);
  points = scenario.manage(restorePoint);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ projectRef: ref, name: "before-import", ...more });
const onService = () => scenario.emulator.world.state.projects.get(ref)?.newer.restorePoints;

it("is waited for until it is available, and stays", async () => {
  const began = scenario.clock.now();
  const made = await points.create(declared());
  const point = onService()?.get("before-import");
  expect(point?.createdAt).toBeGreaterThanOrEqual(began);
  expect(made.state).toMatchObject({
    status: "AVAILABLE",
    completedAt: new Date((point?.createdAt ?? 0) + 60_000).toISOString(),
  });
  expect(Date.parse(String(made.state["ranAt"]))).toBeGreaterThanOrEqual(began);
  expect(scenario.progress.join("\n")).toContain("it is PENDING");

  expect(points.diff(made.state, declared({ name: "another" })).replaces).toEqual(["name"]);
  await points.delete(made);
  expect(onService()?.size).toBe(1);
});

it("leaves the moment that a name stands for already", async () => {
  const made = await points.create(declared());
  scenario.clock.advance(3_600_000);
  scenario.nextRun();
  await points.read(made);
  expect(points.diff(made.state, declared({ triggers: [2] }))).toMatchObject({
    replaces: ["triggers"],
    deleteBeforeReplace: false,
  });
  const refusal = await points.create(declared({ triggers: [2] })).then(() => "", String);
  expect(refusal).toContain("The RestorePoint already exists: before-import (AVAILABLE, completed ");
  expect(refusal).toContain("declare another `name`: deleting the resource does not free it");
  expect(refusal).not.toContain("deleteBeforeReplace");
  expect(scenario.calls("createRestorePoint")).toBe(1);
});

it("records the point that `adoptId` names, and makes none", async () => {
  scenario.emulator.control.call("createRestorePoint", { ref, body: { name: "before-import" } });
  scenario.clock.advance(60_000);
  const taken = await points.create(declared({ adoptId: "before-import" }));
  expect(taken.state).toMatchObject({ status: "AVAILABLE" });
  expect(scenario.calls("createRestorePoint")).toBe(0);
  scenario.nextRun();
  expect((await points.read(taken))?.state).toEqual(taken.state);
  await expect(points.create(declared({ name: "other", adoptId: "other" }))).rejects.toThrow(
    "No RestorePoint with the identifier other exists.",
  );
});

it("takes a name again that the service has dropped", async () => {
  const made = await points.create(declared());
  await points.read(made);
  scenario.emulator.control.set(
    ["projects", ref, "newer", "restorePoints", "before-import", "removed"],
    true,
  );
  const again = await points.create(declared({ triggers: [2] }));
  expect(again.state["status"]).toBe("AVAILABLE");
  expect(scenario.calls("createRestorePoint")).toBe(2);
});

it.each(["before", "after"] as const)("is made once when the answer is lost %s it", async (drop) => {
  scenario.emulator.control.addFault({ operation: "createRestorePoint", drop });
  await points.create(declared());
  expect(onService()?.size).toBe(1);
  expect(scenario.calls("createRestorePoint")).toBe(drop === "before" ? 2 : 1);
});

it("fails where the service could not make it", async () => {
  scenario.emulator.control.set(["projects", ref, "newer", "nextRestorePoint"], "FAILED");
  const { message } = await halfMadeBy(points.create(declared()));
  expect(message).toContain(`The restore point before-import of the project ${ref} is FAILED`);
});

it("refuses a longer name in the preview", () => {
  expect(points.failures(declared({ name: "a-name-of-over-20-letters" }))[0]).toContain(
    "a name of at most 20 characters",
  );
});

// service, Backups: refused to every project and plan.
it("says at once that the service does not offer restore points, and keeps one that was recorded", async () => {
  const made = await points.create(declared());
  scenario.emulator.control.edit(asMeasured);
  scenario.nextRun();
  expect((await points.read(made))?.state).toMatchObject({ status: "AVAILABLE" });
  const began = scenario.clock.now();
  const refusal = points.create(declared({ name: "another" }));
  await expect(refusal).rejects.toThrow(
    /does not offer restore points at the moment.*unavailable at the moment.*`PitrRestore`/s,
  );
  // Nobody wanted to go back: followed literally, such an advice would lose what was written since.
  await expect(refusal).rejects.not.toThrow(/Restore the project/);
  expect(scenario.clock.now() - began).toBeLessThan(5_000);
  expect(scenario.calls("createRestorePoint")).toBe(1);
});
