import type { UpgradeRecord } from "../../../../../emulator/service/world/state";
import { upgradeError, upgradeProgress } from "../../../../../spec/operations/upgrades";
import { createRulesWorld, type RulesWorld } from "../rules-world";

type Obstacle = UpgradeRecord["validationErrors"][number];

const obstacles: readonly Obstacle[] = [
  { type: "objects_depending_on_pg_cron", dependents: ["view a"] },
  { type: "indexes_referencing_ll_to_earth", schema_name: "public", table_name: "t", index_name: "i" },
  { type: "function_using_obsolete_lang", schema_name: "public", function_name: "f", lang_name: "plv8" },
  { type: "unsupported_extension", extension_name: "e" },
  { type: "unsupported_fdw_handler", fdw_name: "w", fdw_handler_name: "h" },
  {
    type: "unlogged_table_with_persistent_sequence",
    schema_name: "public",
    table_name: "t",
    sequence_name: "s",
  },
  { type: "user_defined_objects_in_internal_schemas", obj_type: "table", schema_name: "auth", obj_name: "o" },
  { type: "active_replication_slot", slot_name: "slot" },
];

const errors = upgradeError.options;

describe("an upgrade", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    const body = { name: "old", organization_slug: "acme", db_pass: "p", postgres_engine: "15" } as const;
    ref = service.call("createProject", { body }).ref;
    service.advance(120);
  });
  const report = (): unknown => service.call("getUpgradeStatus", { ref }).databaseUpgradeStatus;
  const start = (): string =>
    service.call("startUpgrade", { ref, body: { target_version: "17" } }).tracking_id;

  it("can lead to greater versions only", () => {
    expect(service.call("getUpgradeEligibility", { ref })).toMatchObject({
      eligible: true,
      current_app_version: "postgres-15.8.1.085",
      latest_app_version: "postgres-17.6.1.011",
      target_upgrade_versions: [{ postgres_version: "17", app_version: "postgres-17.6.1.011" }],
    });
    expect(service.refusal("startUpgrade", { ref, body: { target_version: "14" } })).toMatch(
      /^400 Cannot upgrade/,
    );
    expect(service.refusal("startUpgrade", { ref, body: { target_version: "15" } })).toMatch(
      /^400 Cannot upgrade/,
    );
    const newest = service.healthyProject();
    expect(service.call("getUpgradeEligibility", { ref: newest })).toMatchObject({
      eligible: false,
      target_upgrade_versions: [],
    });
  });

  it.each(obstacles.map((obstacle) => [obstacle.type, obstacle] as const))(
    "is stopped by %s",
    (type, obstacle) => {
      service.projectRecord(ref).upgrade.validationErrors.push(obstacle);
      expect(service.call("getUpgradeEligibility", { ref })).toMatchObject({
        eligible: false,
        validation_errors: [obstacle],
      });
      const refusal = service.refusal("startUpgrade", { ref, body: { target_version: "17" } });
      expect(refusal).toContain(`400 Project is not eligible for an upgrade: ${type}`);
    },
  );

  it("is stopped by each of the listed objects", () => {
    const { upgrade } = service.projectRecord(ref);
    upgrade.legacyAuthCustomRoles.push("role");
    upgrade.objectsToBeDropped.push("dropped");
    upgrade.unsupportedExtensions.push("extension");
    upgrade.userDefinedObjectsInInternalSchemas.push("table");
    expect(service.call("getUpgradeEligibility", { ref })).toMatchObject({
      eligible: false,
      legacy_auth_custom_roles: ["role"],
      objects_to_be_dropped: ["dropped"],
      unsupported_extensions: ["extension"],
      user_defined_objects_in_internal_schemas: ["table"],
    });
    expect(service.refusal("startUpgrade", { ref, body: { target_version: "17" } })).toMatch(
      /role, dropped, extension, table/,
    );
  });

  it("passes through every step while the project is UPGRADING, and then runs the new version", () => {
    expect(report()).toBeNull();
    const trackingId = start();
    const seen: string[] = [];
    for (let step = 0; step < 10; step += 1) {
      expect(service.call("getProject", { ref })).toMatchObject({
        status: "UPGRADING",
        database: { postgres_engine: "15" },
      });
      const { databaseUpgradeStatus } = service.call("getUpgradeStatus", { ref, tracking_id: trackingId });
      expect(databaseUpgradeStatus?.status).toBe(0);
      seen.push(databaseUpgradeStatus?.progress ?? "");
      service.advance(10);
    }
    expect(report()).toMatchObject({
      status: 1,
      progress: "10_completed_post_physical_backup",
      target_version: 17,
    });
    expect(seen.map((progress) => Number.parseInt(progress, 10))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(service.call("getProject", { ref })).toMatchObject({
      status: "ACTIVE_HEALTHY",
      database: { version: "17.6.1.011", postgres_engine: "17" },
    });
    expect(service.call("getUpgradeEligibility", { ref }).eligible).toBe(false);
  });

  it("fails with the chosen error code and leaves the old version", () => {
    service.projectRecord(ref).next.upgradeError = "5_data_upgrade_completion_failed";
    start();
    service.advance(59);
    expect(report()).toMatchObject({ status: 0, progress: "5_initiated_data_upgrade" });
    service.advance(1);
    expect(report()).toMatchObject({
      status: 2,
      progress: "5_initiated_data_upgrade",
      error: "5_data_upgrade_completion_failed",
    });
    expect(service.call("getProject", { ref })).toMatchObject({
      status: "ACTIVE_HEALTHY",
      database: { postgres_engine: "15" },
    });
    start();
    service.advance(100);
    expect(report()).toMatchObject({ status: 1 });
  });

  it.each(errors.map((error) => [error]))("fails with %s at the step that the code names", (error) => {
    service.projectRecord(ref).next.upgradeError = error;
    const trackingId = start();
    const number = Number.parseInt(error, 10);
    const seen = new Set<string>();
    for (let step = 0; step <= number; step += 1) {
      expect(report()).toMatchObject({ status: 0 });
      expect(report()).not.toHaveProperty("error");
      seen.add(service.call("getUpgradeStatus", { ref }).databaseUpgradeStatus?.progress ?? "");
      service.advance(10);
    }
    expect([...seen]).toEqual(upgradeProgress.options.slice(0, number + 1));
    expect(report()).toMatchObject({ status: 2, error, progress: upgradeProgress.options[number] });
    service.advance(3_600);
    expect(service.call("getUpgradeStatus", { ref, tracking_id: trackingId })).toEqual({
      databaseUpgradeStatus: report(),
    });
    expect(service.call("getProject", { ref }).status).toBe("ACTIVE_HEALTHY");
    expect(service.projectRecord(ref).next.upgradeError).toBeNull();
  });

  it("has changed the version when only its backup fails", () => {
    service.projectRecord(ref).next.upgradeError = "9_post_physical_backup_failed";
    start();
    service.advance(100);
    expect(report()).toMatchObject({ status: 2, error: "9_post_physical_backup_failed" });
    expect(service.call("getProject", { ref }).database.postgres_engine).toBe("17");
  });

  it("cannot be started while another runs, and is unknown by another tracking id", () => {
    start();
    expect(service.refusal("startUpgrade", { ref, body: { target_version: "17" } })).toMatch(
      /^400 .*UPGRADING/,
    );
    expect(
      service.call("getUpgradeStatus", { ref, tracking_id: "another" }).databaseUpgradeStatus,
    ).toBeNull();
  });
});
