import type { Values } from "../../../provider/define/values";
import { backupSchedule } from "../../../provider/resources/database/backup-schedule/backup-schedule";
import { giveEnterprisePlan } from "../../../tools/fixtures/given-addons";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let schedules: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  giveEnterprisePlan(scenario, ref);
  schedules = scenario.manage(backupSchedule);
});
afterEach(() => scenario.close());

const declared = (scheduleFor: string): Values => ({ projectRef: ref, scheduleFor });
const onService = () => scenario.emulator.world.state.projects.get(ref)?.newer.backupSchedule.scheduleFor;

it("takes every spelling of a time for the same one, and restores what it found", async () => {
  const made = await schedules.create(declared("04:30"));
  expect(onService()).toBe("04:30:00");
  const { updatedAt } = scenario.emulator.world.state.projects.get(ref)?.newer.backupSchedule ?? {};
  expect(made.state["updatedAt"]).toBe(new Date(updatedAt ?? 0).toISOString());

  scenario.nextRun();
  const read = await schedules.read(made);
  expect(read?.state["scheduleFor"]).toBe("04:30");
  expect(schedules.diff(read?.state ?? {}, declared("04:30:00")).changes).toBe(false);
  expect(schedules.diff(read?.state ?? {}, declared("04:30Z")).changes).toBe(false);

  scenario.emulator.control.edit(({ projects }) => {
    const record = projects.get(ref)?.newer.backupSchedule;
    if (record) record.scheduleFor = "06:00:00";
  });
  scenario.nextRun();
  const drifted = await schedules.read(made);
  expect(drifted?.inputs).toMatchObject({ scheduleFor: "06:00:00" });

  await schedules.delete(made);
  expect(onService()).toBe("03:00:00");
});

it.each(["pro", "team"])("says that the plan %s does not include it", async (plan) => {
  scenario.emulator.control.set("organizations.acme.plan", plan);
  await expect(schedules.create(declared("04:30"))).rejects.toThrow(
    "The organization's plan does not include the schedule of backups (the service says: This feature requires the Enterprise organization plan.)",
  );
});

it("says that the installation does not have the operation, and takes nothing for gone", async () => {
  const made = await schedules.create(declared("04:30"));
  scenario.emulator.control.set("newerOperationsOffered", false);
  scenario.nextRun();
  const lacks = "This installation does not have the operation getBackupSchedule";
  await expect(schedules.read(made)).rejects.toThrow(lacks);
  await expect(schedules.create(declared("04:30"))).rejects.toThrow(lacks);
});

it("says what time the service does not take", async () => {
  await expect(schedules.create(declared("in the morning"))).rejects.toThrow("rejected `scheduleFor`");
});
