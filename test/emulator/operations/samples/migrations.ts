import type { Samples, Scene } from "../sample";

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

export const migrationSamples = {
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
} satisfies Partial<Samples>;
