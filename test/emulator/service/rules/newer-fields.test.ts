import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../../../emulator";
import type { OperationParameters } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import { createRulesWorld, type RulesWorld } from "./rules-world";

// service, Newer fields: each of them is there while the switch is on, and only then.

let service: RulesWorld;
let ref: string;
beforeEach(() => {
  service = createRulesWorld();
  ref = service.healthyProject();
});

const switchTo = (newer: boolean): void => {
  service.world.state.newer = newer;
};

/** A body with fields that its type does not have. */
function undocumented<N extends keyof Operations>(body: object): OperationParameters<Operations[N]>;
function undocumented(body: object): unknown {
  return { ref, body };
}

const authDefaults = {
  passkey_enabled: false,
  webauthn_rp_id: null,
  webauthn_rp_display_name: null,
  webauthn_rp_origins: null,
  mfa_allow_low_aal: false,
  audit_log_disable_postgres: false,
  security_update_password_require_current_password: false,
  index_worker_ensure_user_search_indexes_exist: false,
};

describe("the auth configuration", () => {
  it.each([
    ["passkey_enabled", true],
    ["webauthn_rp_id", "shop.example.com"],
    ["webauthn_rp_display_name", "Shop"],
    ["webauthn_rp_origins", "https://shop.example.com"],
    ["mfa_allow_low_aal", true],
    ["audit_log_disable_postgres", true],
    ["security_update_password_require_current_password", true],
  ])("carries %s, which a change sets, keeps and resets", (field, value) => {
    switchTo(true);
    expect(service.call("getAuthConfig", { ref })).toMatchObject(authDefaults);
    const set = { ...authDefaults, [field]: value };
    const body = undocumented<"updateAuthConfig">({ [field]: value, jwt_exp: 60 });
    expect(service.call("updateAuthConfig", body)).toMatchObject({ ...set, jwt_exp: 60 });
    service.call("updateAuthConfig", { ref, body: { disable_signup: true } });
    expect(service.call("getAuthConfig", { ref })).toMatchObject({
      ...set,
      jwt_exp: 60,
      disable_signup: true,
    });
    service.call("updateAuthConfig", undocumented<"updateAuthConfig">({ [field]: null }));
    expect(service.call("getAuthConfig", { ref })).toMatchObject(authDefaults);
  });

  it("has none of them otherwise, and drops them from a change", () => {
    service.call(
      "updateAuthConfig",
      undocumented<"updateAuthConfig">({ passkey_enabled: true, jwt_exp: 60 }),
    );
    switchTo(true);
    expect(service.call("getAuthConfig", { ref })).toMatchObject({ ...authDefaults, jwt_exp: 60 });
    service.call("updateAuthConfig", undocumented<"updateAuthConfig">({ passkey_enabled: true }));
    switchTo(false);
    for (const field of Object.keys(authDefaults)) {
      expect(service.call("getAuthConfig", { ref })).not.toHaveProperty(field);
    }
  });

  it("refuses a value of another kind, keeps nothing of a refused change, and drops what is no field at all", () => {
    switchTo(true);
    const body = undocumented<"updateAuthConfig">({ passkey_enabled: "yes" });
    expect(service.refusal("updateAuthConfig", body)).toMatch(/^400 passkey_enabled/);
    const unusable = undocumented<"updateAuthConfig">({ passkey_enabled: true, site_url: "no address" });
    expect(service.refusal("updateAuthConfig", unusable)).toMatch(/^400 .*site_url/);
    service.call("updateAuthConfig", undocumented<"updateAuthConfig">({ not_a_field: 1 }));
    expect(service.call("getAuthConfig", { ref })).toMatchObject(authDefaults);
    expect(service.call("getAuthConfig", { ref })).not.toHaveProperty("not_a_field");
  });
});

describe("the realtime configuration", () => {
  const body = () =>
    undocumented<"updateRealtimeConfig">({ presence_enabled: false, max_joins_per_second: 5 });

  it("carries presence_enabled, which a change sets and keeps", () => {
    switchTo(true);
    expect(service.call("getRealtimeConfig", { ref })).toMatchObject({ presence_enabled: true });
    service.call("updateRealtimeConfig", body());
    service.call("updateRealtimeConfig", { ref, body: { private_only: true } });
    expect(service.call("getRealtimeConfig", { ref })).toMatchObject({
      presence_enabled: false,
      max_joins_per_second: 5,
      private_only: true,
    });
  });

  it("does not know it otherwise", () => {
    expect(service.call("getRealtimeConfig", { ref })).not.toHaveProperty("presence_enabled");
    expect(service.refusal("updateRealtimeConfig", body())).toBe("400 presence_enabled: Unknown key");
    switchTo(true);
    const unknown = undocumented<"updateRealtimeConfig">({ not_a_field: 1 });
    expect(service.refusal("updateRealtimeConfig", unknown)).toBe("400 not_a_field: Unknown key");
  });
});

describe("the REST layer", () => {
  const body = () => undocumented<"updateRestLayerConfig">({ db_pool_acquisition_timeout: 30, max_rows: 5 });

  it("carries db_pool_acquisition_timeout, which a change sets and keeps", () => {
    switchTo(true);
    expect(service.call("getRestLayerConfig", { ref })).toMatchObject({ db_pool_acquisition_timeout: 10 });
    const set = { db_pool_acquisition_timeout: 30, max_rows: 5 };
    expect(service.call("updateRestLayerConfig", body())).toMatchObject(set);
    expect(service.call("updateRestLayerConfig", { ref, body: { db_pool: 7 } })).toMatchObject(set);
    expect(service.call("getRestLayerConfig", { ref })).toMatchObject({ ...set, db_pool: 7 });
  });

  it("does not know it otherwise", () => {
    expect(service.call("updateRestLayerConfig", body())).not.toHaveProperty("db_pool_acquisition_timeout");
    switchTo(true);
    expect(service.call("getRestLayerConfig", { ref })).toMatchObject({
      db_pool_acquisition_timeout: 10,
      max_rows: 5,
    });
  });
});

describe("the Postgres configuration", () => {
  const settings = {
    log_autovacuum_min_duration: "10min",
    log_checkpoints: true,
    log_connections: true,
    log_disconnections: true,
    log_duration: false,
    log_lock_waits: true,
    log_recovery_conflict_waits: true,
    log_replication_commands: false,
    log_startup_progress_interval: 10_000,
    log_temp_files: -1,
  };

  it.each([true, false])("takes and shows the ten log_* settings, with the switch at %s", (newer) => {
    service.world.state.service = "2026-06";
    switchTo(newer);
    expect(service.call("getPostgresConfig", { ref })).toEqual({});
    const body = undocumented<"updatePostgresConfig">({ work_mem: "8MB", ...settings });
    service.call("updatePostgresConfig", body);
    expect(service.call("getPostgresConfig", { ref })).toEqual({ work_mem: "8MB", ...settings });
    service.call("updatePostgresConfig", { ref, body: { work_mem: "8MB" } });
    expect(service.call("getPostgresConfig", { ref })).toEqual({ work_mem: "8MB" });
  });

  it("refuses a value of another kind once it knows them", () => {
    service.world.state.service = "2026-06";
    const body = undocumented<"updatePostgresConfig">({ log_connections: "often" });
    service.call("updatePostgresConfig", body);
    switchTo(true);
    expect(service.refusal("updatePostgresConfig", body)).toMatch(/^400 log_connections/);
  });
});

describe("backups", () => {
  const listed = (): object[] => service.call("listBackups", { ref }).backups;
  const idOf = (backup: object | undefined): unknown => Reflect.get(backup ?? {}, "id");

  it("have ids that stay theirs, and none otherwise", () => {
    service.world.state.service = "2026-06";
    service.advance(2 * 24 * 3_600 + 3_600);
    for (const backup of listed()) expect(backup).not.toHaveProperty("id");
    switchTo(true);
    const [second, first] = listed().map(idOf);
    expect(new Set([first, second]).size).toBe(2);
    expect([first, second].every(Number.isInteger)).toBe(true);
    service.advance(24 * 3_600);
    expect(listed().map(idOf).slice(1)).toEqual([second, first]);
  });
});

describe("the eligibility for an upgrade", () => {
  it("tells warnings, which are in nobody's way", () => {
    service.projectRecord(ref).newer.upgradeWarnings = [
      { type: "extension_changes", extension_name: "pg_cron" },
    ];
    const before = service.call("getUpgradeEligibility", { ref });
    expect(before).not.toHaveProperty("warnings");
    switchTo(true);
    expect(service.call("getUpgradeEligibility", { ref })).toEqual({
      ...before,
      warnings: [{ type: "extension_changes", extension_name: "pg_cron" }],
    });
  });
});

describe("an SSO provider", () => {
  const create = (more: object = {}) =>
    service.call(
      "createSsoProvider",
      undocumented<"createSsoProvider">({ type: "saml", metadata_url: "https://idp.example.com/m", ...more }),
    );
  const shown = (id: string): object => service.call("getSsoProvider", { ref, provider_id: id });

  it("carries disabled and saml.created_at in every answer", () => {
    switchTo(true);
    const made = create();
    const newer = { disabled: false, saml: { created_at: made.created_at } };
    expect(made).toMatchObject(newer);
    expect(shown(made.id)).toMatchObject(newer);
    expect(service.call("listSsoProviders", { ref }).items[0]).toMatchObject(newer);
    expect(service.call("deleteSsoProvider", { ref, provider_id: made.id })).toMatchObject(newer);
  });

  it("is switched off and on again by writes, and stays as it is where they leave it out", () => {
    switchTo(true);
    const { id } = create({ disabled: true });
    expect(shown(id)).toMatchObject({ disabled: true });
    const update = (body: object): object =>
      service.call("updateSsoProvider", {
        ...undocumented<"updateSsoProvider">(body),
        provider_id: id,
      });
    expect(update({ domains: ["example.com"] })).toMatchObject({ disabled: true });
    expect(update({ disabled: false })).toMatchObject({ disabled: false });
  });

  it("carries neither otherwise", () => {
    service.world.state.service = "2026-06";
    const { id } = create({ disabled: true });
    expect(shown(id)).not.toHaveProperty("disabled");
    expect(Reflect.get(shown(id), "saml")).not.toHaveProperty("created_at");
    switchTo(true);
    expect(shown(id)).toMatchObject({ disabled: false });
  });
});

describe("just-in-time access", () => {
  it("answers its state in place of the caller (Configuration)", () => {
    expect(service.call("getJitAccess", { ref })).toHaveProperty("user_id");
    switchTo(true);
    expect(service.call("getJitAccess", { ref })).toEqual({ state: "disabled", appliedSuccessfully: true });
    const set = (state: "enabled" | "unavailable"): unknown =>
      service.call("updateJitAccess", { ref, body: { state } });
    expect(set("enabled")).toEqual({ state: "enabled", appliedSuccessfully: true });
    expect(set("unavailable")).toMatchObject({ unavailableReason: "postgres_upgrade_required" });
  });
});

describe("the switch", () => {
  const started: Emulator[] = [];
  const start = async (options: EmulatorOptions): Promise<Emulator> => {
    const emulator = await startEmulator(options);
    started.push(emulator);
    return emulator;
  };
  afterEach(async () => {
    for (const emulator of started.splice(0)) await emulator.close();
  });

  const patch = async (emulator: Emulator, project: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${emulator.url}/v1/projects/${project}/config/auth`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${emulator.accessToken}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return answer.json();
  };
  const project = ({ control }: Emulator): string => {
    const body = { name: "shop", organization_slug: "acme", db_pass: "a-password" };
    return control.call("createProject", { body }).ref;
  };

  it("is off at first, an edit of the state moves it at once, and a reset goes back to the start", async () => {
    const emulator = await start({ pace: 0 });
    const first = project(emulator);
    expect(await patch(emulator, first, { passkey_enabled: true })).not.toHaveProperty("passkey_enabled");
    emulator.control.set("newer", true);
    expect(await patch(emulator, first, { passkey_enabled: true })).toMatchObject({ passkey_enabled: true });
    emulator.control.reset();
    expect(emulator.world.state.newer).toBe(false);
    const newer = await start({ pace: 0, newer: true });
    newer.control.set("newer", false);
    newer.control.reset();
    expect(newer.world.state.newer).toBe(true);
    expect(await patch(newer, project(newer), { passkey_enabled: true })).toMatchObject({
      passkey_enabled: true,
    });
    expect([...emulator.control.internalErrors, ...newer.control.internalErrors]).toEqual([]);
  });

  it("is kept by a data folder with what was set, until another start moves it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "management-newer-"));
    const again = async (options: EmulatorOptions): Promise<Emulator> => {
      await started.pop()?.close();
      return start({ dataFolder: folder, pace: 0, ...options });
    };
    try {
      const first = await again({ newer: true });
      const kept = project(first);
      await patch(first, kept, { passkey_enabled: true });
      const second = await again({});
      expect(await patch(second, kept, {})).toMatchObject({ passkey_enabled: true });
      const third = await again({ newer: false });
      expect(await patch(third, kept, {})).not.toHaveProperty("passkey_enabled");
      third.control.reset();
      expect(third.world.state.newer).toBe(false);
      await started.pop()?.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("origins of passkeys", () => {
  it("refuses an origin of passkeys without HTTPS, as measured", () => {
    switchTo(true);
    const body = (origins: string) => ({ ref, body: { webauthn_rp_origins: origins } }) as never;
    expect(service.refusal("updateAuthConfig", body("https://a.example,http://b.example"))).toBe(
      '400 WebAuthn RP origin "http://b.example" must use HTTPS (HTTP is only allowed for localhost/127.0.0.1)',
    );
    service.call("updateAuthConfig", body("https://a.example,http://localhost:3000"));
  });
});
