import type { ProjectRecord } from "../../../emulator/service/world/state";
import { project } from "../../../provider/resources/projects/project/project";
import type { SettledResource } from "../../../provider/engine/create/create";
import { importResource } from "../../../provider/engine/import";
import { InitializationError } from "../../../provider/engine/step/errors";
import type { Values } from "../../../provider/define/values";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

const withoutPassword: Values = { name: "shop", organizationSlug: "acme", region: "eu-central-1" };
const shop: Values = { ...withoutPassword, dbPass: "first-password" };

let scenario: Scenario;
let projects: Managed;
beforeEach(async () => {
  scenario = await startScenario();
  projects = scenario.manage(project);
});
afterEach(() => scenario.close());

function onService(ref: string): ProjectRecord {
  const found = scenario.emulator.world.state.projects.get(ref);
  if (found === undefined) throw new Error(`the emulator has no project ${ref}`);
  return found;
}

const statusOf = (ref: string): string => scenario.emulator.control.call("getProject", { ref }).status;
const edit = (ref: string, change: (record: ProjectRecord) => void): void =>
  scenario.emulator.control.edit(() => change(onService(ref)));

async function refreshed(made: SettledResource): Promise<SettledResource> {
  scenario.nextRun();
  const read = await projects.read(made);
  if (read === undefined) throw new Error("the project is gone");
  return read;
}

describe("a project", () => {
  it("is made, can be used when it is made, and shows no difference afterwards", async () => {
    const made = await projects.create(shop);
    expect(statusOf(made.id)).toBe("ACTIVE_HEALTHY");
    const health = scenario.emulator.control.call("getHealth", {
      ref: made.id,
      services: ["auth", "db", "pooler", "realtime", "rest", "storage"],
    });
    expect(health.filter(({ healthy }) => !healthy)).toEqual([]);
    expect(onService(made.id)).toMatchObject({
      name: "shop",
      dbPass: "first-password",
      region: "eu-central-1",
    });
    expect(made.state).toMatchObject({
      ref: made.id,
      organizationId: "acme",
      region: "eu-central-1",
      status: "ACTIVE_HEALTHY",
      database: { postgresEngine: "17", releaseChannel: "ga" },
    });
    expect(projects.diff((await refreshed(made)).state, shop)).toMatchObject({ changes: false });
  });

  it("is read with one call, and with one more for all that declare their size", async () => {
    const plain = await projects.create(shop);
    const small = await projects.create({ ...shop, name: "sized", instanceSize: "small" });
    const micro = await projects.create({ ...shop, name: "other", instanceSize: "micro" });
    scenario.emulator.control.clearCalls();
    await refreshed(plain);
    expect(scenario.calls()).toBe(1);
    scenario.nextRun();
    const read = await Promise.all([small, micro].map((made) => projects.read(made)));
    expect(read.map((each) => each?.state["instanceSize"])).toEqual(["small", "micro"]);
    expect(scenario.calls("listOrganizationProjects")).toBe(1);
    expect(scenario.calls()).toBe(4);
  });

  it("is searched by name in an organization of several hundred projects", async () => {
    const made = await projects.create({ ...shop, name: "zzz", instanceSize: "small" });
    scenario.emulator.control.edit(({ projects: all }) => {
      const [record] = [...all.values()];
      for (let number = 0; number < 350 && record !== undefined; number += 1) {
        const ref = `other${number}`
          .padEnd(20, "x")
          .replaceAll(/[0-9]/g, (digit) => "abcdefghij"[Number(digit)] ?? "");
        all.set(ref, { ...record, ref, number: 100 + number, name: `project ${number}` });
      }
    });
    scenario.emulator.control.clearCalls();
    expect((await refreshed(made)).state).toMatchObject({ instanceSize: "small" });
    expect(scenario.calls("listOrganizationProjects")).toBeLessThanOrEqual(2);
  });

  it("waits only for the services that are named", async () => {
    const made = await projects.create({ ...shop, waitForServices: ["db"] });
    const [pooler] = scenario.emulator.control.call("getHealth", { ref: made.id, services: ["pooler"] });
    expect(pooler?.healthy).toBe(false);
    scenario.emulator.control.clearCalls();
    const other = await projects.create({ ...shop, name: "other", waitForServices: [] });
    expect(scenario.calls("getHealth")).toBe(0);
    expect(statusOf(other.id)).toBe("ACTIVE_HEALTHY");
  });

  it("is renamed in place", async () => {
    const made = await projects.create(shop);
    const renamed = await projects.update(made, { ...shop, name: "store" });
    expect(renamed.id).toBe(made.id);
    expect(onService(made.id).name).toBe("store");
    expect(projects.diff((await refreshed(renamed)).state, { ...shop, name: "store" }).changes).toBe(false);
  });

  it("shows what was changed elsewhere, and is repaired", async () => {
    const declared = { ...shop, instanceSize: "small", paused: false, postgresVersion: 17 };
    const made = await projects.create(declared);
    scenario.emulator.control.call("applyAddon", {
      ref: made.id,
      body: { addon_type: "compute_instance", addon_variant: "ci_large" },
    });
    scenario.clock.advance(60_000);
    // On a paid plan only the service itself pauses.
    edit(made.id, (record) => {
      record.activity = { kind: "pause", since: scenario.clock.now(), outcome: "INACTIVE" };
    });
    scenario.clock.advance(60_000);
    edit(made.id, (record) => void (record.name = "renamed by hand"));
    const seen = await refreshed(made);
    expect(seen.state).toMatchObject({ name: "renamed by hand", instanceSize: "large", paused: true });
    expect([...projects.diff(seen.state, declared).changed].sort()).toEqual([
      "instanceSize",
      "name",
      "paused",
    ]);
    const repaired = await projects.update(seen, declared);
    expect(statusOf(made.id)).toBe("ACTIVE_HEALTHY");
    expect(onService(made.id).name).toBe("shop");
    expect(onService(made.id).addons.get("compute_instance")).toBe("ci_small");
    expect(projects.diff((await refreshed(repaired)).state, declared).changes).toBe(false);
  });

  it("leaves what is not declared as it is", async () => {
    const made = await projects.create(shop);
    scenario.emulator.control.call("applyAddon", {
      ref: made.id,
      body: { addon_type: "compute_instance", addon_variant: "ci_large" },
    });
    scenario.clock.advance(60_000);
    const seen = await refreshed(made);
    expect(projects.diff(seen.state, shop).changes).toBe(false);
    await projects.update(seen, { ...shop, name: "store" });
    expect(onService(made.id).addons.get("compute_instance")).toBe("ci_large");
  });

  it("is deleted when the service says that it is gone, and deleting it again succeeds", async () => {
    const made = await projects.create(shop);
    await projects.delete(made);
    expect(() => scenario.emulator.control.call("getProject", { ref: made.id })).toThrow("removed");
    await projects.delete(made);
    expect(await projects.read(made)).toBeUndefined();
  });

  it.each([400, 409, 422])("is deleted as soon as the service is ready for that (%i)", async (status) => {
    const made = await projects.create(shop);
    scenario.emulator.control.addFault({
      operation: "deleteProject",
      status,
      message: "Project not ready for deletion.",
      times: 3,
    });
    await projects.delete(made);
    expect(scenario.calls("deleteProject")).toBe(4);
    expect(await projects.read(made)).toBeUndefined();
  });
});

describe("the compute size of a project", () => {
  it("changes in place, waiting through the resizing", async () => {
    const small = { ...shop, instanceSize: "small" };
    const made = await projects.create(small);
    expect(onService(made.id).addons.get("compute_instance")).toBe("ci_small");
    const large = await projects.update(made, { ...shop, instanceSize: "large" });
    expect(onService(made.id).addons.get("compute_instance")).toBe("ci_large");
    expect(statusOf(made.id)).toBe("ACTIVE_HEALTHY");
    expect(scenario.progress.some((line) => line.includes("RESIZING"))).toBe(true);
    expect(large.state).toMatchObject({ instanceSize: "large" });
  });

  it("is not taken for changed where the listing leaves it out before the resizing begins", async () => {
    const made = await projects.create({ ...shop, instanceSize: "small" });
    const { control } = scenario.emulator;
    const listed = control.call("listOrganizationProjects", { slug: "acme" });
    const projectsWithoutSize = listed.projects.map((project) => ({
      ...project,
      databases: project.databases.map((database) => ({ ...database, infra_compute_size: undefined })),
    }));
    const body = { ...listed, projects: projectsWithoutSize };
    control.addFault({ operation: "listOrganizationProjects", status: 200, body, times: 1, skip: 1 });
    // The project is shown as healthy for a moment after the answer.
    const healthy = control.call("getProject", { ref: made.id });
    control.addFault({ operation: "getProject", status: 200, body: healthy, times: 1, skip: 1 });
    await projects.update(made, { ...shop, instanceSize: "large" });
    expect(scenario.progress.some((line) => line.includes("RESIZING"))).toBe(true);
    expect(statusOf(made.id)).toBe("ACTIVE_HEALTHY");
  });

  const onPlan = (plan: "free" | "pro", microIsAddon = false): void =>
    scenario.emulator.control.edit(({ organizations }) => {
      for (const organization of organizations.values()) Object.assign(organization, { plan, microIsAddon });
    });

  // service, Compute size: on a paid plan micro is the absence of an add-on, and selecting `ci_micro` removes it.
  it.each([false, true])(
    "is micro from the start and from small, shown as an add-on: %s",
    async (microIsAddon) => {
      onPlan("pro", microIsAddon);
      const micro = { ...shop, instanceSize: "micro" };
      const made = await projects.create(micro);
      expect(projects.diff((await refreshed(made)).state, micro).changes).toBe(false);
      const small = await projects.update(made, { ...shop, instanceSize: "small" });
      const again = await projects.update(small, micro);
      expect(onService(made.id).addons.get("compute_instance")).toBe(microIsAddon ? "ci_micro" : undefined);
      expect(projects.diff((await refreshed(again)).state, micro).changes).toBe(false);
    },
  );

  it("is nano or pico on the free plan, which are one", async () => {
    onPlan("free");
    const nano = { ...shop, instanceSize: "nano" };
    const seen = await refreshed(await projects.create(nano));
    expect(projects.diff(seen.state, nano).changes).toBe(false);
    expect(projects.diff(seen.state, { ...shop, instanceSize: "pico" }).changes).toBe(false);
  });

  it("goes back to the smallest through every size that the service rolls back to", async () => {
    onPlan("pro", true);
    const made = await projects.create({ ...shop, instanceSize: "small" });
    const large = await projects.update(made, { ...shop, instanceSize: "large" });
    const nano = await projects.update(large, { ...shop, instanceSize: "nano" });
    expect(onService(made.id).addons.has("compute_instance")).toBe(false);
    const seen = await refreshed(nano);
    expect(projects.diff(seen.state, { ...shop, instanceSize: "nano" }).changes).toBe(false);
  });

  it("is read from the add-ons where the listing may not be read or does not show it", async () => {
    const small = { ...shop, instanceSize: "small" };
    const made = await projects.create(small);
    scenario.emulator.control.addFault({ operation: "listOrganizationProjects", status: 403, times: 9 });
    expect(projects.diff((await refreshed(made)).state, small).changes).toBe(false);
    const large = await projects.update(made, { ...shop, instanceSize: "large" });
    expect(onService(made.id).addons.get("compute_instance")).toBe("ci_large");
    expect(large.state).toMatchObject({ instanceSize: "large" });
  });

  // service, Limits: a 429 with calls left in the window.
  it("waits for the add-on change before it, within its deadline", async () => {
    const made = await projects.create({ ...shop, instanceSize: "small" });
    const body = { message: "still processing addon changes" };
    scenario.emulator.control.addFault({
      operation: "applyAddon",
      status: 429,
      body,
      headers: { "x-ratelimit-remaining": "50" },
      times: 3,
    });
    await projects.update(made, { ...shop, instanceSize: "large" });
    expect(onService(made.id).addons.get("compute_instance")).toBe("ci_large");
    expect(scenario.progress.join("\n")).toContain("to finish the previous add-on change");
  });

  it("gives up at the deadline where the change before it stays under way, and goes on in the next run", async () => {
    const made = await projects.create({ ...shop, instanceSize: "small" });
    const large = { ...shop, instanceSize: "large", timeouts: { update: 300 } };
    const { control } = scenario.emulator;
    control.addFault({
      operation: "applyAddon",
      status: 429,
      body: { message: "still processing addon changes" },
      headers: { "x-ratelimit-remaining": "50" },
      times: 1_000,
    });
    await expect(projects.update(made, large)).rejects.toThrow(
      /Timed out waiting for the service to finish the previous add-on change in .*still processing addon changes.*Raise `timeouts`/,
    );
    expect(onService(made.id).addons.get("compute_instance")).toBe("ci_small");
    control.clearFaults();
    scenario.nextRun();
    await projects.update(made, large);
    expect(onService(made.id).addons.get("compute_instance")).toBe("ci_large");
  });

  it("waits for the add-on change that somebody else began, asking now and then", async () => {
    const made = await projects.create({ ...shop, instanceSize: "small" });
    const body = { addon_type: "compute_instance", addon_variant: "ci_medium" } as const;
    scenario.emulator.control.call("applyAddon", { ref: made.id, body });
    await projects.update(made, { ...shop, instanceSize: "large" });
    expect(onService(made.id).addons.get("compute_instance")).toBe("ci_large");
    expect(scenario.calls("applyAddon")).toBeLessThan(15);
  });

  // service, Limits: a quota, which does not end with the window.
  it("tells any other quota at once, in the service's words", async () => {
    const made = await projects.create({ ...shop, instanceSize: "small" });
    const startedAt = scenario.clock.now();
    scenario.emulator.control.addFault({
      operation: "applyAddon",
      status: 429,
      body: { message: "Sizes can be changed once per four hours" },
      headers: { "x-ratelimit-remaining": "50" },
      times: 100,
    });
    await expect(projects.update(made, { ...shop, instanceSize: "large" })).rejects.toThrow(
      "once per four hours",
    );
    expect(scenario.calls("applyAddon")).toBe(1);
    expect(scenario.clock.now() - startedAt).toBeLessThan(30_000);
  });
});

describe("pausing a project", () => {
  const hobby: Values = { ...shop, organizationSlug: "hobby" };

  it("pauses and restores in place", async () => {
    const made = await projects.create(hobby);
    const paused = await projects.update(made, { ...hobby, paused: true });
    expect(statusOf(made.id)).toBe("INACTIVE");
    expect(paused.state).toMatchObject({ paused: true, status: "INACTIVE" });
    expect(projects.diff((await refreshed(paused)).state, { ...hobby, paused: true }).changes).toBe(false);
    await projects.update(paused, { ...hobby, paused: false });
    expect(statusOf(made.id)).toBe("ACTIVE_HEALTHY");
  });

  it("makes a project that is paused from the start, without waiting for its services", async () => {
    const made = await projects.create({ ...hobby, paused: true });
    expect(statusOf(made.id)).toBe("INACTIVE");
    expect(scenario.calls("getHealth")).toBe(0);
  });

  it("says when the service pauses a restored project again", async () => {
    const made = await projects.create({ ...hobby, paused: true });
    edit(made.id, (record) => void (record.next.restore = "INACTIVE"));
    await expect(projects.update(made, { ...hobby, paused: false })).rejects.toThrow(
      /Restoring the project .* failed/,
    );
  });

  it("fails with the state's name when pausing fails", async () => {
    const made = await projects.create(hobby);
    edit(made.id, (record) => void (record.next.pause = "PAUSE_FAILED"));
    await expect(projects.update(made, { ...hobby, paused: true })).rejects.toThrow("PAUSE_FAILED");
  });

  it("pauses once when the answer to it is lost", async () => {
    const made = await projects.create(hobby);
    scenario.emulator.control.addFault({ operation: "pauseProject", drop: "after" });
    await projects.update(made, { ...hobby, paused: true });
    expect(scenario.calls("pauseProject")).toBe(1);
    expect(statusOf(made.id)).toBe("INACTIVE");
  });

  it("refuses another size, version or password of a project that stays paused, before it changes anything", async () => {
    const made = await projects.create({ ...hobby, paused: true, postgresVersion: 15 });
    for (const change of [
      { instanceSize: "large" },
      { postgresVersion: 17 },
      { dbPass: "second-password" },
    ]) {
      const inputs = { ...hobby, paused: true, postgresVersion: 15, ...change };
      const [property] = Object.keys(change);
      await expect(projects.update(made, inputs)).rejects.toThrow(`${property ?? ""}: the project`);
    }
    expect(onService(made.id)).toMatchObject({ dbPass: "first-password", database: { engine: "15" } });
    expect(statusOf(made.id)).toBe("INACTIVE");
  });

  it("refuses another version of a project that stays paused where the answer leaves out the present one", async () => {
    const declared = { ...hobby, paused: true, postgresVersion: 15 };
    const made = await projects.create(declared);
    scenario.nextRun();
    const { control } = scenario.emulator;
    const body = { ...control.call("getProject", { ref: made.id }), database: undefined };
    control.addFault({ operation: "getProject", status: 200, body, times: 20 });
    await expect(projects.update(made, { ...declared, postgresVersion: 17 })).rejects.toThrow(
      "postgresVersion: the project",
    );
  });

  it("says what to declare when a project that declares nothing about it is paused", async () => {
    const made = await projects.create(hobby);
    scenario.emulator.control.call("pauseProject", { ref: made.id });
    await expect(projects.update(made, { ...hobby, name: "store" })).rejects.toThrow(
      "Declare `paused: false`",
    );
  });

  // service, Compute size: on a paid plan pausing is 400.
  it("says that a paid plan does not allow it, and what to declare", async () => {
    const made = await projects.create(shop);
    await expect(projects.update(made, { ...shop, paused: true })).rejects.toThrow(
      /was not paused: only projects on the free plan can be paused .*not free-tier.*Remove `paused: true` from/,
    );
    expect(scenario.calls("pauseProject")).toBe(1);
    expect(statusOf(made.id)).toBe("ACTIVE_HEALTHY");
  });
});

describe("the Postgres version of a project", () => {
  const old = { ...shop, postgresVersion: 15 };
  const wanted = { ...shop, postgresVersion: 17 };

  it("is the declared one from the start", async () => {
    const made = await projects.create(old);
    expect(onService(made.id).database.engine).toBe("15");
    expect(scenario.calls("startUpgrade")).toBe(0);
  });

  it("is upgraded in place, telling the progress", async () => {
    const made = await projects.create(old);
    const upgraded = await projects.update(made, wanted);
    expect(upgraded.id).toBe(made.id);
    expect(scenario.emulator.control.call("getProject", { ref: made.id }).database.version).toMatch(/^17\./);
    expect(upgraded.state).toMatchObject({ postgresVersion: 17, status: "ACTIVE_HEALTHY" });
    const told = scenario.progress.filter((line) => /the Postgres upgrade of \w+: \d+_/.test(line));
    expect(told.length).toBeGreaterThan(3);
    expect(projects.diff((await refreshed(upgraded)).state, wanted).changes).toBe(false);
  });

  it("regression: is upgraded to the image of the declared release channel, which is no difference afterwards", async () => {
    const made = await projects.create(old);
    const declared = { ...wanted, upgradeReleaseChannel: "preview" };
    const client = scenario.client;
    const offered = await client.getUpgradeEligibility({ ref: made.id });
    const [target] = offered.target_upgrade_versions ?? [];
    const targets = [target, { ...target, release_channel: "preview" }];
    const body = { ...offered, target_upgrade_versions: targets };
    scenario.emulator.control.addFault({ operation: "getUpgradeEligibility", status: 200, body });
    const upgraded = await projects.update(made, declared);
    expect(upgraded.state).toMatchObject({
      postgresVersion: 17,
      upgradeReleaseChannel: "preview",
      database: { releaseChannel: "preview" },
    });
    expect(projects.diff((await refreshed(upgraded)).state, declared).changes).toBe(false);
  });

  it("is not upgraded to an image of another release channel than the declared one", async () => {
    const made = await projects.create(old);
    await expect(projects.update(made, { ...wanted, upgradeReleaseChannel: "beta" })).rejects.toThrow(
      "only 17 of the channel ga",
    );
    expect(scenario.calls("startUpgrade")).toBe(0);
  });

  it("is not upgraded when the service names obstacles, and all of them are told", async () => {
    const made = await projects.create(old);
    edit(made.id, ({ upgrade }) => {
      upgrade.unsupportedExtensions.push("plv8");
      upgrade.validationErrors.push({ type: "active_replication_slot", slot_name: "sync" });
    });
    const failure = await projects.update(made, wanted).catch((error: unknown) => String(error));
    expect(failure).toContain("plv8");
    expect(failure).toContain("active_replication_slot (slot_name: sync)");
    expect(scenario.calls("startUpgrade")).toBe(0);
  });

  it("says which versions there are when the service has not the wanted one", async () => {
    const made = await projects.create(old);
    await expect(projects.update(made, { ...shop, postgresVersion: 18 })).rejects.toThrow("offers only 17");
  });

  it("fails with the service's error code, and tries again in the next run", async () => {
    const made = await projects.create(old);
    edit(made.id, (record) => void (record.next.upgradeError = "4_data_upgrade_initiation_failed"));
    await expect(projects.update(made, wanted)).rejects.toThrow("4_data_upgrade_initiation_failed");
    const again = await projects.update({ id: made.id, state: { ...made.state } }, wanted);
    expect(again.state).toMatchObject({ postgresVersion: 17 });
  });

  it("is upgraded once when the answer to it is lost", async () => {
    const made = await projects.create(old);
    scenario.emulator.control.addFault({ operation: "startUpgrade", drop: "after" });
    await projects.update(made, wanted);
    expect(scenario.calls("startUpgrade")).toBe(1);
    expect(statusOf(made.id)).toBe("ACTIVE_HEALTHY");
  });

  it("is followed, not started again, by the run after one that was interrupted", async () => {
    const made = await projects.create(old);
    scenario.emulator.control.addFault({ operation: "getUpgradeStatus", status: 403, skip: 1, times: 20 });
    await expect(projects.update(made, wanted)).rejects.toThrow("403");
    scenario.emulator.control.clearFaults();
    expect(statusOf(made.id)).toBe("UPGRADING");
    scenario.nextRun();
    const resumed = await projects.update(made, wanted);
    expect(resumed.state).toMatchObject({ postgresVersion: 17, status: "ACTIVE_HEALTHY" });
    expect(scenario.calls("startUpgrade")).toBe(1);
  });

  it("fails with the service's error code in the run that follows it, too", async () => {
    const made = await projects.create(old);
    edit(made.id, (record) => void (record.next.upgradeError = "5_data_upgrade_completion_failed"));
    scenario.emulator.control.call("startUpgrade", { ref: made.id, body: { target_version: "17" } });
    await expect(projects.update(made, wanted)).rejects.toThrow("5_data_upgrade_completion_failed");
    expect(scenario.calls("startUpgrade")).toBe(0);
  });

  it("is never lowered: refused before anything changes", async () => {
    const made = await projects.create(wanted);
    scenario.emulator.control.clearCalls();
    await expect(projects.update(made, { ...old, name: "store" })).rejects.toThrow(
      "cannot be downgraded to 15",
    );
    expect(scenario.calls()).toBe(0);
  });
});

describe("a lost answer", () => {
  const lost = ["a 500 after the work", "a connection closed after the work"] as const;
  const faults = { [lost[0]]: { status: 500, after: true }, [lost[1]]: { drop: "after" } } as const;

  it.each(lost)("to a change of the size does not matter: %s", async (fault) => {
    scenario.emulator.control.edit(({ organizations }) => {
      for (const organization of organizations.values()) organization.microIsAddon = true;
    });
    const made = await projects.create({ ...shop, instanceSize: "small" });
    scenario.emulator.control.addFault({ operation: "applyAddon", ...faults[fault] });
    const large = await projects.update(made, { ...shop, instanceSize: "large" });
    expect(onService(made.id).addons.get("compute_instance")).toBe("ci_large");
    scenario.emulator.control.addFault({ operation: "removeAddon", ...faults[fault] });
    await projects.update(large, { ...shop, instanceSize: "nano" });
    expect(onService(made.id).addons.has("compute_instance")).toBe(false);
  });

  it.each(lost)("to a restoration or a new password does not matter: %s", async (fault) => {
    const hobby = { ...shop, organizationSlug: "hobby" };
    const made = await projects.create({ ...hobby, paused: true });
    scenario.emulator.control.addFault({ operation: "restoreProject", ...faults[fault] });
    scenario.emulator.control.addFault({ operation: "updateDatabasePassword", ...faults[fault] });
    await projects.update(made, { ...hobby, paused: false, dbPass: "second-password" });
    expect(scenario.calls("restoreProject")).toBe(1);
    expect(statusOf(made.id)).toBe("ACTIVE_HEALTHY");
    expect(onService(made.id).dbPass).toBe("second-password");
  });
});

describe("what a project is declared with", () => {
  it("is refused with every fault at once, by name", () => {
    const found = projects.failures({
      name: "x".repeat(300),
      organizationSlug: "acme",
      dbPass: "abc",
      region: "eu-central-1",
      regionSelection: { type: "smartGroup", code: "eu-central-1" },
      postgresVersion: "17",
      waitForService: ["db"],
    });
    expect(found.map((failure) => failure.slice(0, failure.indexOf(":"))).sort()).toEqual([
      "dbPass",
      "name",
      "postgresVersion",
      "regionSelection",
      "regionSelection.code",
      "waitForService",
    ]);
    expect(found.join("\n")).not.toContain("abc");
  });

  it("shows a region that the service chose, which is neither drift nor a change", async () => {
    const chosen = { name: "shop", organizationSlug: "acme", dbPass: "first-password" };
    const smart = { ...chosen, regionSelection: { type: "smartGroup", code: "emea" } };
    const made = await projects.create(smart);
    expect(made.state).toMatchObject({
      region: "eu-central-1",
      regionSelection: { type: "smartGroup", code: "emea" },
    });
    const seen = await refreshed(made);
    expect(projects.diff(seen.state, smart).changes).toBe(false);
    expect(projects.diff(seen.state, { ...chosen, region: "eu-central-1" }).replaces).toEqual([]);
    expect(projects.diff(seen.state, { ...chosen, region: "us-east-1" })).toMatchObject({
      ...{ changes: true, replaces: [], refused: [{ name: "region" }] },
    });
  });

  it("may spell its region either way without being replaced", async () => {
    const { region, ...rest } = shop;
    const asSelection = { ...rest, regionSelection: { type: "specific", code: region } };
    const made = await projects.create(shop);
    expect(projects.diff(made.state, asSelection).replaces).toEqual([]);
    const respelt = await projects.update(made, asSelection);
    expect(projects.diff((await refreshed(respelt)).state, shop).replaces).toEqual([]);
  });

  it("takes template and `allowDuplicateName` for creating only", async () => {
    const inputs = { ...shop, templateUrl: "https://example.com/template" };
    const made = await projects.create(inputs);
    expect(onService(made.id).templateUrl).toBe("https://example.com/template");
    expect(projects.diff(made.state, { ...shop, allowDuplicateName: true }).changes).toBe(false);
  });
});

describe("adopting a project", () => {
  it("takes over the one of that name and makes it as declared, but for the password", async () => {
    const ref = scenario.healthyProject("shop");
    const inputs = { ...shop, instanceSize: "small", adopt: true };
    const made = await projects.create(inputs);
    expect(made.id).toBe(ref);
    expect(onService(ref)).toMatchObject({ dbPass: "initial-password" });
    expect(onService(ref).addons.get("compute_instance")).toBe("ci_small");
    expect(scenario.emulator.world.state.projects.size).toBe(1);
    expect(projects.diff((await refreshed(made)).state, inputs).changes).toBe(false);
  });

  it.each([
    ["adopt: true", () => ({ adopt: true })],
    ["adoptId", (ref: string) => ({ adoptId: ref })],
  ])("never sends the password that is declared first, by %s; a later one is sent", async (_, by) => {
    const ref = scenario.healthyProject("shop");
    const inputs = { ...shop, ...by(ref) };
    const made = await projects.create(inputs);
    expect(made.state).toMatchObject({ dbPass: "first-password" });
    expect(made.state["connectionString"]).toContain(":first-password@");
    expect(scenario.infos.join("\n")).toContain("`dbPass`: recorded, not sent");
    expect(projects.diff((await refreshed(made)).state, inputs)).toMatchObject({ changes: false });
    expect(scenario.calls("updateDatabasePassword")).toBe(0);
    const rotated = { ...inputs, dbPass: "second-password" };
    const seen = await refreshed(made);
    expect([...projects.diff(seen.state, rotated).changed]).toEqual(["dbPass"]);
    await projects.update(seen, rotated);
    expect(onService(ref).dbPass).toBe("second-password");
  });

  it("needs no password, and records the one that is declared later without sending it", async () => {
    const ref = scenario.healthyProject("shop");
    const without: Values = { ...withoutPassword, adopt: true };
    const made = await projects.create(without);
    expect(made.state).not.toHaveProperty("connectionString");
    const declared = { ...without, dbPass: "first-password" };
    expect(projects.diff(made.state, declared)).toMatchObject({
      changes: true,
      recorded: ["dbPass"],
      properties: [{ path: "dbPass", kind: "add" }],
    });
    const recorded = await projects.update(made, declared);
    expect(recorded.state["connectionString"]).toContain(":first-password@");
    expect(onService(ref).dbPass).toBe("initial-password");
    expect(projects.diff((await refreshed(recorded)).state, declared)).toMatchObject({ changes: false });
    // One that was recorded by mistake is corrected by taking it out, and declaring the right one.
    const corrected = await projects.update(await projects.update(recorded, without), {
      ...without,
      dbPass: "initial-password",
    });
    expect(corrected.state["connectionString"]).toContain(":initial-password@");
    expect(scenario.calls("updateDatabasePassword")).toBe(0);
  });

  it("does not send it with the next run either, where the adoption failed half-way", async () => {
    const ref = scenario.healthyProject("shop");
    scenario.emulator.control.addFault({ operation: "getHealth", status: 403, times: 1_000 });
    const inputs = { ...shop, adopt: true };
    const failure: unknown = await projects.create(inputs).catch((error: unknown) => error);
    if (!(failure instanceof InitializationError)) throw new Error("it did not fail as half-made");
    scenario.emulator.control.clearFaults();
    scenario.nextRun();
    const made = await projects.update({ id: ref, state: failure.state }, inputs);
    expect(onService(ref).dbPass).toBe("initial-password");
    await expect(projects.delete(made)).rejects.toThrow("`deletionProtection` is on");
  });

  it("that finds none fails before its call where no password is declared to make one", async () => {
    expect(projects.failures(withoutPassword)).toEqual([
      "dbPass: required, but missing: a new project needs a password",
    ]);
    await expect(projects.create({ ...withoutPassword, adopt: true })).rejects.toThrow(
      "No project has the name shop, and `dbPass` is missing for a new one",
    );
    expect(scenario.calls("createProject")).toBe(0);
    const made = await projects.create({ ...shop, adopt: true });
    expect(onService(made.id).dbPass).toBe("first-password");
    await projects.delete(made);
  });

  it("refuses one in another region, and changes nothing", async () => {
    const ref = scenario.healthyProject("shop");
    await expect(projects.create({ ...shop, region: "us-east-1", adoptId: ref })).rejects.toThrow("region");
    expect(onService(ref).dbPass).toBe("initial-password");
  });

  it("finds a name beyond the first page", async () => {
    for (let number = 0; number < 120; number += 1) {
      scenario.emulator.control.call("createProject", {
        body: { name: `shop ${number}`, organization_slug: "acme", db_pass: "initial-password" },
      });
    }
    const ref = scenario.healthyProject("shop");
    const made = await projects.create({ ...shop, adopt: true });
    expect(made.id).toBe(ref);
  });
});

describe("deletion protection", () => {
  const adopted: Values = { ...shop, adopt: true };
  const isThere = (ref: string): boolean =>
    scenario.emulator.control
      .call("listProjects", {})
      .some((each) => each.ref === ref && each.status !== "REMOVED" && each.status !== "GOING_DOWN");

  it("lets what was made be deleted and not replaced, until it is declared", async () => {
    const made = await projects.create(shop);
    scenario.emulator.control.clearCalls();
    const moved = { ...shop, region: "us-east-1" };
    expect(projects.diff(made.state, moved)).toMatchObject({ changes: true, replaces: [] });
    expect(projects.failures(moved, shop).join()).toContain("is not `false` in Pulumi's state");
    await expect(projects.update(made, moved)).rejects.toThrow(
      /The program declares "us-east-1", the state has "eu-central-1"\..*run `pulumi refresh` first\. To keep the current one, declare "eu-central-1"\./,
    );
    const declared = { ...shop, deletionProtection: true };
    // What is declared from now on counts as well.
    await expect(projects.update(made, { ...declared, region: "us-east-1" })).rejects.toThrow(
      "Its `deletionProtection` is on, as the program declares",
    );
    const kept = await projects.update(made, declared);
    await expect(projects.delete(kept)).rejects.toThrow("was not deleted");
    expect(scenario.calls()).toBe(0);
    await projects.delete(await projects.update(kept, shop));
    expect(await projects.read(made)).toBeUndefined();
  });

  it.each(["adopted", "imported"])(
    "is on for what was %s, and named with the line to change",
    async (how) => {
      const ref = scenario.healthyProject("shop");
      const inputs = { ...withoutPassword, adopt: true };
      const made =
        how === "adopted"
          ? await projects.create({ ...inputs, dbPass: "first-password" })
          : await importResource(scenario.runtime, project, ref, true);
      if (made === undefined) throw new Error("nothing was imported");
      const seen = await refreshed(made);
      scenario.emulator.control.clearCalls();
      expect(() => projects.diff(seen.state, { ...inputs, region: "us-east-1" })).toThrow(
        /A change of region replaces the Project.*`deletionProtection` is on, because the resource was adopted or imported\. Nothing was changed\..*declare `deletionProtection: false` without the change, run `pulumi up`.*`protect: true`/,
      );
      const moved = { ...inputs, organizationSlug: "hobby" };
      expect(projects.diff(seen.state, moved)).toMatchObject({ changes: true, replaces: [] });
      await expect(projects.delete(seen)).rejects.toThrow(
        /was not deleted: its `deletionProtection` is on, because the resource was adopted or imported\..*declare `deletionProtection: false`, run `pulumi up`, then destroy.*`pulumi state delete .*`protect: true`/,
      );
      expect(scenario.calls()).toBe(0);
      expect(isThere(ref)).toBe(true);
    },
  );

  it("goes by the line that the message names, literally", async () => {
    const ref = scenario.healthyProject("shop");
    const made = await projects.create(adopted);
    const off = { ...adopted, deletionProtection: false };
    // With the edit that is refused the line is not enough: the delete would go by the state.
    expect(() => projects.diff(made.state, { ...off, region: "us-east-1" })).toThrow("Nothing was changed");
    scenario.emulator.control.clearCalls();
    expect(projects.diff(made.state, off)).toMatchObject({ changes: true, replaces: [] });
    const unprotected = await projects.update(made, off);
    expect(scenario.calls()).toBe(0);
    expect(projects.diff(unprotected.state, { ...off, region: "us-east-1" }).replaces).toEqual(["region"]);
    // Taking the line out brings the default back.
    expect(() => projects.diff(unprotected.state, { ...adopted, region: "us-east-1" })).toThrow(
      "Nothing was changed",
    );
    await projects.delete(await refreshed(unprotected));
    expect(isThere(ref)).toBe(false);
  });

  it("of a project that is gone already hinders neither its refresh nor what comes after", async () => {
    const ref = scenario.healthyProject("shop");
    const made = await projects.create(adopted);
    scenario.healthyProject("another");
    scenario.emulator.control.call("deleteProject", { ref });
    scenario.clock.advance(60_000);
    scenario.nextRun();
    await expect(projects.delete(made)).rejects.toThrow("If it no longer exists, run `pulumi refresh`");
    expect(await projects.read(made)).toBeUndefined();
  });

  it("never deletes what could not be made again: without a password, adopting counts as none", async () => {
    scenario.healthyProject("shop");
    const without = { ...withoutPassword, adopt: true, deletionProtection: false };
    const made = await projects.create(without);
    expect(() => projects.diff(made.state, { ...without, region: "us-east-1" })).toThrow(
      "dbPass: required, but missing",
    );
  });
});

describe("the password of a project", () => {
  it("rotates the password in place", async () => {
    const made = await projects.create(shop);
    const inputs = { ...shop, dbPass: "second-password" };
    expect(projects.diff(made.state, inputs)).toMatchObject({ changes: true, replaces: [] });
    const updated = await projects.update(made, inputs);
    expect(updated.id).toBe(made.id);
    expect(onService(made.id).dbPass).toBe("second-password");
    expect(projects.diff(updated.state, inputs).changes).toBe(false);
    expect(scenario.progress.join("\n")).not.toContain("second-password");
  });

  it("rotates the password of a paused project that is to be restored", async () => {
    const hobby = { ...shop, organizationSlug: "hobby" };
    const made = await projects.create({ ...hobby, paused: true });
    await projects.update(made, { ...hobby, paused: false, dbPass: "second-password" });
    expect(onService(made.id).dbPass).toBe("second-password");
  });
});

describe("a project that is declared elsewhere", () => {
  const consenting = { ...shop, deletionProtection: false };

  it("is planned as a replacement that removes the project of the same name first", async () => {
    const made = await projects.create(consenting);
    expect(projects.diff(made.state, { ...consenting, region: "us-east-1" })).toMatchObject({
      changes: true,
      replaces: ["region"],
      deleteBeforeReplace: true,
    });
  });

  it("is refused, and planned as no replacement, without `deletionProtection: false` in the state", async () => {
    const made = await projects.create(shop);
    const moved = { ...consenting, region: "us-east-1" };
    expect(projects.failures(moved, shop).join()).toContain("A change of region replaces the Project");
    expect(projects.diff(made.state, moved)).toMatchObject({ changes: true, replaces: [] });
  });

  it("is a replacement for another organization in no case", async () => {
    const made = await projects.create(consenting);
    const moved = { ...consenting, organizationSlug: "other" };
    expect(projects.failures(moved, consenting)).toEqual([]);
    expect(projects.diff(made.state, moved)).toMatchObject({ changes: true, replaces: [] });
  });
});

describe("a project whose branches still provision", () => {
  let projectRef: string;
  beforeEach(() => {
    projectRef = scenario.healthyProject();
  });

  it("awaits and removes the branches that still provision before the project goes", async () => {
    const { control, world } = scenario.emulator;
    control.call("createBranch", { ref: projectRef, body: { branch_name: "old", persistent: true } });
    scenario.clock.advance(600_000);
    control.call("createBranch", { ref: projectRef, body: { branch_name: "provisioning" } });
    const inputs = { name: "app", organizationSlug: "acme", dbPass: "initial-password" };
    await projects.delete({ id: projectRef, state: inputs });
    expect(world.state.branches.size).toBe(0);
    expect([...world.state.projects.keys()].filter((ref) => ref !== projectRef)).toEqual([]);
    expect(await projects.read({ id: projectRef, state: inputs })).toBeUndefined();
  });

  it("deletes the project also when the token may not see branches", async () => {
    scenario.emulator.control.addFault({ operation: "listBranches", status: 403, times: 5 });
    const inputs = { name: "app", organizationSlug: "acme", dbPass: "initial-password" };
    await projects.delete({ id: projectRef, state: inputs });
    expect(await projects.read({ id: projectRef, state: inputs })).toBeUndefined();
  });
});

describe("adopting a project of whose name there are several", () => {
  it("names all candidates when there is more than one, and takes none", async () => {
    const refs = [scenario.healthyProject("shop"), scenario.healthyProject("shop")];
    scenario.healthyProject("shopping");
    const failure = await projects.create({ ...shop, adopt: true }).catch((error: unknown) => String(error));
    for (const ref of refs) expect(failure).toContain(ref);
    expect(failure).toContain("adopt");
    expect([...scenario.emulator.world.state.projects.values()].map(({ dbPass }) => dbPass)).toEqual([
      "initial-password",
      "initial-password",
      "initial-password",
    ]);
  });

  it("takes the one that is named by its ref", async () => {
    const [first] = [scenario.healthyProject("shop"), scenario.healthyProject("shop")];
    const made = await projects.create({ ...shop, adoptId: first });
    expect(made.id).toBe(first);
  });

  it("does not make a second project of a name unless that is declared", async () => {
    const ref = scenario.healthyProject("shop");
    await expect(projects.create(shop)).rejects.toThrow(`adoptId: "${ref}"`);
    expect(scenario.calls("createProject")).toBe(0);
    const made = await projects.create({ ...shop, allowDuplicateName: true });
    expect(made.id).not.toBe(ref);
  });

  it("counts neither branches nor projects that are going down", async () => {
    const ref = scenario.healthyProject("shop");
    scenario.emulator.control.call("createBranch", { ref, body: { branch_name: "shop" } });
    scenario.clock.advance(600_000);
    scenario.emulator.control.call("deleteProject", { ref });
    const made = await projects.create(shop);
    expect(made.id).not.toBe(ref);
  });
});

describe("a state that this version does not know", () => {
  function show(ref: string, status: string | null, times = 1_000): void {
    const body = { ...scenario.emulator.control.call("getProject", { ref }), status };
    scenario.emulator.control.addFault({ operation: "getProject", status: 200, body, times });
  }

  it.each(["A_STATE_OF_TOMORROW", null])("begins no wait of a project that was there: %s", async (status) => {
    const made = await projects.create(shop);
    scenario.nextRun();
    show(made.id, status);
    const began = scenario.clock.now();
    await projects.update(made, { ...shop, name: "store" });
    await projects.update(made, { ...shop, dbPass: "second-password" });
    expect(scenario.clock.now() - began).toBeLessThan(30_000);
    expect(onService(made.id)).toMatchObject({ name: "store", dbPass: "second-password" });
  });

  it("of a service is told by the older field", async () => {
    const made = await projects.create(shop);
    scenario.nextRun();
    const services = ["auth", "db", "pooler", "realtime", "rest", "storage"];
    const showHealth = (healthy: boolean, times: number): void => {
      const body = services.map((name) => ({ name, healthy, status: "A_STATE_OF_TOMORROW" }));
      scenario.emulator.control.addFault({ operation: "getHealth", status: 200, body, times });
    };
    showHealth(false, 3);
    showHealth(true, 1_000);
    const began = scenario.clock.now();
    await projects.update(made, { ...shop, name: "store" });
    expect(scenario.progress.join()).toContain("auth is A_STATE_OF_TOMORROW");
    expect(scenario.clock.now() - began).toBeLessThan(30_000);
  });

  it("prolongs the wait for a new one, and for one that changes", async () => {
    const creating = projects.create(shop);
    await scenario.clock.sleep(5_000);
    const [ref = ""] = [...scenario.emulator.world.state.projects.keys()];
    show(ref, "A_STATE_OF_TOMORROW", 3);
    const made = await creating;
    expect(statusOf(made.id)).toBe("ACTIVE_HEALTHY");
    expect(scenario.progress.join()).toContain("A_STATE_OF_TOMORROW");
    scenario.progress.length = 0;
    scenario.nextRun();
    show(ref, "RESIZING", 1);
    show(ref, "A_STATE_OF_TOMORROW", 3);
    await projects.update(made, { ...shop, name: "store" });
    expect(scenario.progress.join()).toContain("A_STATE_OF_TOMORROW");
  });
});
