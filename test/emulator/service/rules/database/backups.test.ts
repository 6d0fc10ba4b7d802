import { createRulesWorld, found, START, type RulesWorld } from "../rules-world";

const DAY = 24 * 3_600;

describe("backups", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld({ service: "2026-06" });
    ref = service.healthyProject();
  });
  const list = () => service.call("listBackups", { ref });
  const times = (): string[] => list().backups.map(({ inserted_at }) => inserted_at.slice(0, 10));
  const resize = (): void => {
    service.call("applyAddon", { ref, body: { addon_type: "compute_instance", addon_variant: "ci_small" } });
    service.advance(180);
  };
  const recoverable = (variant: "pitr_7" | "pitr_14" = "pitr_7"): void => {
    service.call("applyAddon", { ref, body: { addon_type: "pitr", addon_variant: variant } });
  };
  const nowInSeconds = (): number => service.world.clock.now() / 1_000;

  it("are made once a day, newest first", () => {
    expect(list()).toEqual({
      region: "us-east-1",
      // service, Defaults.
      walg_enabled: true,
      pitr_enabled: false,
      backups: [],
      physical_backup_data: {},
    });
    service.advance(3 * DAY);
    expect(times()).toEqual(["2026-01-04", "2026-01-03", "2026-01-02"]);
    expect(list().backups[0]).toMatchObject({ is_physical_backup: true, status: "PENDING" });
    service.advance(300);
    expect(list().backups.map(({ status }) => status)).toEqual(["COMPLETED", "COMPLETED", "COMPLETED"]);
  });

  it("are kept as long as the plan says", () => {
    service.advance(20 * DAY);
    expect(times()).toHaveLength(7);
    expect(times()[0]).toBe("2026-01-21");
    found(service.world.state.organizations.get("acme")).plan = "team";
    expect(times()).toHaveLength(14);
    found(service.world.state.organizations.get("acme")).plan = "free";
    expect(times()).toEqual([]);
  });

  it("can fail, and need not be copies of the files", () => {
    service.advance(2 * DAY);
    const failed = found(list().backups[1]).inserted_at;
    service.projectRecord(ref).backups.statuses.set(failed, "FAILED");
    service.projectRecord(ref).backups.physical = false;
    expect(list()).toMatchObject({
      walg_enabled: false,
      pitr_enabled: false,
      backups: [{ is_physical_backup: false }, { status: "FAILED", inserted_at: failed }],
    });
  });

  it("allow recovery to a moment since the add-on was selected, as far as its days go back", () => {
    resize();
    recoverable();
    const since = nowInSeconds();
    expect(list()).toMatchObject({ pitr_enabled: true, walg_enabled: true, physical_backup_data: {} });
    expect(service.refusal("restorePitr", { ref, body: { recovery_time_target_unix: since } })).toMatch(
      /^400 .*nothing to recover yet/,
    );
    service.advance(600);
    expect(list().physical_backup_data).toEqual({
      earliest_physical_backup_date_unix: since,
      latest_physical_backup_date_unix: since + 480,
    });
    service.advance(10 * DAY);
    expect(list().physical_backup_data.earliest_physical_backup_date_unix).toBe(nowInSeconds() - 7 * DAY);
    recoverable("pitr_14");
    expect(list().physical_backup_data.earliest_physical_backup_date_unix).toBe(since);
  });

  it("take the project back within that range only", () => {
    const restore = (recovery_time_target_unix: number) => ({ ref, body: { recovery_time_target_unix } });
    expect(service.refusal("restorePitr", restore(START / 1_000))).toMatch(/^400 .*not enabled/);
    resize();
    recoverable();
    service.advance(600);
    const { earliest_physical_backup_date_unix: earliest = 0, latest_physical_backup_date_unix: latest = 0 } =
      list().physical_backup_data;
    expect(service.refusal("restorePitr", restore(earliest - 1))).toContain(`from ${earliest} to ${latest}`);
    expect(service.refusal("restorePitr", restore(latest + 1))).toMatch(/^400 /);
    service.call("restorePitr", restore(earliest));
    const status = (): string => service.call("getProject", { ref }).status;
    expect(status()).toBe("RESTORING");
    expect(service.refusal("restorePitr", restore(earliest))).toMatch(/^400 .*RESTORING/);
    service.advance(35);
    expect(status()).toBe("ACTIVE_HEALTHY");
    service.advance(30);
    service.projectRecord(ref).next.restore = "RESTORE_FAILED";
    service.call("restorePitr", restore(earliest));
    service.advance(35);
    expect(status()).toBe("RESTORE_FAILED");
  });

  it("forget what was archived when the add-on goes", () => {
    resize();
    recoverable();
    service.advance(DAY);
    service.call("removeAddon", { ref, addon_variant: "pitr_7" });
    expect(list()).toMatchObject({ pitr_enabled: false, physical_backup_data: {} });
    service.advance(126);
    recoverable();
    service.advance(600);
    expect(list().physical_backup_data.earliest_physical_backup_date_unix).toBe(nowInSeconds() - 600);
  });
});

// service, Backups.
describe("backups as measured", () => {
  let service: RulesWorld;
  beforeEach(() => {
    service = createRulesWorld();
  });

  it("begin with one that is complete ten seconds after the project was made, but on the free plan", () => {
    const [paid, free] = [service.newProject(), service.newProject("hobby", "hobby")];
    const statuses = (ref: string): string[] =>
      service.call("listBackups", { ref }).backups.map(({ status }) => status);
    service.advance(9);
    expect(statuses(paid)).toEqual([]);
    service.advance(1);
    expect(statuses(paid)).toEqual(["COMPLETED"]);
    expect(statuses(free)).toEqual([]);
    service.advance(24 * 3_600 + 300);
    expect(statuses(paid)).toEqual(["COMPLETED", "COMPLETED"]);
  });

  it.each([
    ["restoreBackup", { body: { id: 1 } }],
    ["getRestorePoint", {}],
    ["createRestorePoint", { body: { name: "before-import" } }],
    ["undoToRestorePoint", { body: { name: "before-import" } }],
  ] as const)("cannot be asked for by %s, whatever the project is", (operation, given) => {
    const refused = "400 This endpoint is unavailable at the moment";
    const parameters = (ref: string) => ({ ref, ...given }) as never;
    expect(service.refusal(operation, parameters(service.healthyProject()))).toBe(refused);
    expect(service.refusal(operation, parameters("zzzzzzzzzzzzzzzzzzzz"))).toBe(refused);
  });

  it.each(["pro", "team"] as const)("have no schedule on the plan %s", (plan) => {
    const ref = service.healthyProject();
    const organization = service.world.state.organizations.get("acme");
    if (organization) organization.plan = plan;
    const calls = [
      () => service.call("getBackupSchedule", { ref }),
      () => service.call("updateBackupSchedule", { ref, body: { schedule_for: "04:30" } }),
    ];
    for (const call of calls) {
      expect(call).toThrow(
        expect.objectContaining({
          status: 402,
          further: { error: { code: "entitlement_required", feature: "backup.schedule" } },
        }) as Error,
      );
    }
    if (organization) organization.plan = "enterprise";
    expect(service.call("getBackupSchedule", { ref }).schedule_for).toBe("03:00:00");
  });
});
