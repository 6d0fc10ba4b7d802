import type { Samples, Scene } from "../sample";
import { userIdOf } from "../../../../emulator/service/access/caller";
import { backupId } from "../../../../emulator/service/rules/database/backups";
import { asDocumented } from "../../../fixtures/documented-service";
import { giveEnterprisePlan } from "../../../fixtures/given-addons";

/** A table without a primary key and without row security. */
async function withFindings({ control, ref }: Scene): Promise<{ ref: string }> {
  await control.call("runQuery", { ref, body: { query: "create table if not exists notes (note text)" } });
  return { ref };
}

/** The user of the first token, by whom calls are made. */
const user_id = userIdOf("owner");
const postgres = { role: "postgres", allowed_networks: { allowed_cidrs: [{ cidr: "192.0.2.0/24" }] } };

const invitation = { email: "ana@example.com", roles: [postgres] };

function grant({ control, ref }: Scene): void {
  control.call("updateJitAccess", { ref, body: { state: "enabled" } });
  control.call("updateJitUser", { ref, body: { user_id, roles: [postgres] } });
}

const migration = {
  query:
    "create table if not exists products (id int primary key); insert into products values (1) on conflict do nothing;",
  name: "add products",
  rollback: "drop table products;",
};

/** The version of a migration that was applied. */
async function appliedVersion({ control, ref }: Scene): Promise<string> {
  await control.call("applyMigration", { ref, body: migration, "Idempotency-Key": "key-1" });
  const [applied] = await control.call("listMigrations", { ref });
  if (applied === undefined) throw new Error("The migration was not recorded");
  return applied.version;
}

/** Replicas need a compute size, which takes a while to change to, and a backup after it. */
function enlarge({ control, clock, ref }: Scene): void {
  control.call("applyAddon", {
    ref,
    body: { addon_type: "compute_instance", addon_variant: "ci_small" },
  });
  clock.advance(420_000);
}

function keep({ control, ref }: Scene, name: string): string {
  return control.createSnippet({ projectRef: ref, name, sql: "select 1" });
}

function createRestorePoint({ control, ref }: Scene): void {
  control.edit(asDocumented);
  control.call("createRestorePoint", { ref, body: { name: "before-import" } });
}

export const databaseSamples = {
  updateDatabasePassword: ({ ref }) => ({ ref, body: { password: "another-password" } }),
  getPostgresConfig({ control, ref }) {
    control.call("updatePostgresConfig", { ref, body: { work_mem: "16MB" } });
    return { ref };
  },
  patchPostgresConfig: ({ ref }) => ({ ref, body: { log_connections: true } }),
  updatePostgresConfig: ({ ref }) => ({
    ref,
    body: { work_mem: "16MB", max_connections: 100, restart_database: true },
  }),
  getPerformanceAdvisors: withFindings,
  getSecurityAdvisors: withFindings,
  listBackups: ({ ref }) => ({ ref }),
  restorePitr({ control, clock, ref }) {
    control.call("applyAddon", {
      ref,
      body: { addon_type: "compute_instance", addon_variant: "ci_small" },
    });
    clock.advance(190_000);
    control.call("applyAddon", { ref, body: { addon_type: "pitr", addon_variant: "pitr_7" } });
    clock.advance(3_600_000);
    return { ref, body: { recovery_time_target_unix: Math.floor(clock.now() / 1_000) - 1_800 } };
  },
  restoreBackup({ emulator, control, clock, ref }) {
    control.edit(asDocumented);
    clock.advance(25 * 3_600_000);
    const [backup] = control.call("listBackups", { ref }).backups;
    const project = emulator.world.state.projects.get(ref);
    if (backup === undefined || project === undefined) throw new Error("There is no backup");
    return { ref, body: { id: backupId(project, backup.inserted_at) } };
  },
  getBackupSchedule: (scene) => {
    giveEnterprisePlan(scene, scene.ref);
    return { ref: scene.ref };
  },
  updateBackupSchedule: (scene) => {
    giveEnterprisePlan(scene, scene.ref);
    return { ref: scene.ref, body: { schedule_for: "04:30" } };
  },
  getRestorePoint: (scene) => {
    createRestorePoint(scene);
    return { ref: scene.ref, name: "before-import" };
  },
  createRestorePoint: ({ control, ref }) => {
    control.edit(asDocumented);
    return { ref, body: { name: "before-import" } };
  },
  undoToRestorePoint: (scene) => {
    createRestorePoint(scene);
    scene.clock.advance(60_000);
    return { ref: scene.ref, body: { name: "before-import" } };
  },
  getCryptoExtConfig: ({ ref }) => ({ ref }),
  updateCryptoExtConfig: ({ ref }) => ({ ref, body: { root_key: "0123456789abcdef".repeat(4) } }),
  createLoginRole: ({ ref }) => ({ ref, body: { read_only: true } }),
  deleteLoginRoles: async ({ control, ref }) => {
    await control.call("createLoginRole", { ref, body: { read_only: false } });
    return { ref };
  },
  getReadonlyMode: ({ ref }) => ({ ref }),
  disableReadonlyMode: ({ control, ref }) => {
    control.set(["projects", ref, "readonly", "enabled"], true);
    return { ref };
  },
  enableWebhooks: ({ ref }) => ({ ref }),
  getDisk: ({ ref }) => ({ ref }),
  updateDisk: ({ ref }) => ({
    ref,
    body: { attributes: { type: "gp3", size_gb: 20, iops: 4_000, throughput_mibps: 200 } },
  }),
  getDiskUtilization: ({ ref }) => ({ ref }),
  getDiskAutoscale: ({ ref }) => ({ ref }),
  getJitAccess: (scene) => {
    grant(scene);
    return { ref: scene.ref };
  },
  updateJitAccess: ({ ref }) => ({ ref, body: { state: "enabled" } }),
  getJitUser: (scene) => {
    grant(scene);
    return { ref: scene.ref };
  },
  listJitUsers: (scene) => {
    grant(scene);
    return { ref: scene.ref };
  },
  updateJitUser: ({ clock, ref }) => ({
    ref,
    body: { user_id, roles: [{ ...postgres, expires_at: Math.floor(clock.now() / 1_000) + 3_600 }] },
  }),
  deleteJitUser: (scene) => {
    grant(scene);
    return { ref: scene.ref, user_id };
  },
  inviteJitUser: (scene) => {
    giveEnterprisePlan(scene, scene.ref);
    return { ref: scene.ref, body: invitation };
  },
  deleteJitInvitation: (scene) => {
    giveEnterprisePlan(scene, scene.ref);
    const { ref, control } = scene;
    return { ref, invite_id: control.call("inviteJitUser", { ref, body: invitation }).invite_id };
  },
  authorizeJitAccess: (scene) => {
    grant(scene);
    return { ref: scene.ref, body: { role: "postgres", rhost: "192.0.2.7" } };
  },
  listMigrations: async (scene) => {
    await appliedVersion(scene);
    return { ref: scene.ref };
  },
  applyMigration: ({ ref }) => ({ ref, body: migration, "Idempotency-Key": "key-1" }),
  upsertMigration: ({ ref }) => ({ ref, body: migration, "Idempotency-Key": "key-1" }),
  rollbackMigrations: async (scene) => ({ ref: scene.ref, gte: await appliedVersion(scene) }),
  getMigration: async (scene) => ({ ref: scene.ref, version: await appliedVersion(scene) }),
  updateMigration: async (scene) => ({
    ref: scene.ref,
    version: await appliedVersion(scene),
    body: { name: "renamed", rollback: "drop table if exists products" },
  }),
  listPoolerConfigs: ({ ref }) => ({ ref }),
  updatePoolerConfig: ({ ref }) => ({ ref, body: { default_pool_size: 20, pool_mode: "session" } }),
  getLegacyPoolerConfig: ({ ref }) => ({ ref }),
  setUpReadReplica(scene) {
    enlarge(scene);
    return { ref: scene.ref, body: { read_replica_region: "eu-west-1" } };
  },
  removeReadReplica(scene) {
    const { control, ref } = scene;
    enlarge(scene);
    control.call("setUpReadReplica", { ref, body: { read_replica_region: "eu-west-1" } });
    const [replica] = scene.emulator.world.state.projects.get(ref)?.readReplicas.keys() ?? [];
    return { ref, body: { database_identifier: replica ?? "" } };
  },
  listSnippets: (scene) => {
    for (const name of ["orders", "users"]) keep(scene, name);
    return { project_ref: scene.ref, limit: "1", sort_by: "name", sort_order: "asc" };
  },
  getSnippet: (scene) => ({ id: keep(scene, "orders") }),
  runQuery: ({ ref }) => ({
    ref,
    body: { query: "select $1::text as name, 2 as count", parameters: ["first"] },
  }),
  runReadOnlyQuery: ({ ref }) => ({ ref, body: { query: "select id, name from storage.buckets" } }),
  getTypescriptTypes: ({ ref }) => ({ ref, included_schemas: "public,storage" }),
  getDatabaseContext: ({ ref }) => ({ ref }),
  getDatabaseOpenapi: async (scene) => ({ ...(await withFindings(scene)), schema: "public" }),
  getSslEnforcement: ({ ref }) => ({ ref }),
  updateSslEnforcement: ({ ref }) => ({ ref, body: { requestedConfig: { database: true } } }),
} satisfies Partial<Samples>;
