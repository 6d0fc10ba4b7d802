import { z } from "zod";
import { updateAuthConfigBody } from "../../../spec/auth-config-body";
import { updatePostgresConfigBody } from "../../../spec/operations/database";
import { updateRealtimeConfigBody } from "../../../spec/operations/realtime";
import { updateRestLayerConfigBody } from "../../../spec/operations/rest-layer";
import { updateStorageConfigBody } from "../../../spec/operations/storage";
import { instanceSize, postgresEngine, projectRef, regionCode } from "../../../spec/shared-fields";
import { plan } from "../../service/world/records/organization";

/** Rows by the name of their table, which may have a schema: `public.orders`. */
const rows = z.record(z.string(), z.array(z.record(z.string(), z.json())));
const secrets = z.record(z.string(), z.string());

const migrationSeed = z.strictObject({
  /** Digits; the time when absent. */
  version: z.string().regex(/^\d+$/, "must be digits").exactOptional(),
  name: z.string().exactOptional(),
  sql: z.string(),
});

const functionSeed = z.strictObject({
  slug: z.string(),
  /** Texts by their paths. */
  files: z.record(z.string(), z.string()),
  /** `index.ts` when absent. */
  entrypoint: z.string().exactOptional(),
  importMap: z.string().exactOptional(),
  verifyJwt: z.boolean().exactOptional(),
});

/** Fields as the API spells them. One that it does not list is a slip here. */
const settingsSeed = z.strictObject({
  auth: z.strictObject(updateAuthConfigBody.shape).exactOptional(),
  postgres: z.strictObject(updatePostgresConfigBody.shape).exactOptional(),
  realtime: updateRealtimeConfigBody.exactOptional(),
  rest: z.strictObject(updateRestLayerConfigBody.shape).exactOptional(),
  storage: updateStorageConfigBody.exactOptional(),
});

const branchSeed = z.strictObject({
  name: z.string(),
  ref: projectRef.exactOptional(),
  gitBranch: z.string().exactOptional(),
  persistent: z.boolean().exactOptional(),
  withData: z.boolean().exactOptional(),
  secrets: secrets.exactOptional(),
  rows: rows.exactOptional(),
});

const projectSeed = z.strictObject({
  name: z.string(),
  organization: z.string(),
  dbPass: z.string(),
  /** 20 lower-case letters; random when absent. */
  ref: projectRef.exactOptional(),
  region: regionCode.exactOptional(),
  instanceSize: instanceSize.exactOptional(),
  postgresEngine: postgresEngine.exactOptional(),
  secrets: secrets.exactOptional(),
  settings: settingsSeed.exactOptional(),
  functions: z.array(functionSeed).exactOptional(),
  apiKeys: z
    .array(z.strictObject({ name: z.string(), type: z.enum(["publishable", "secret"]) }))
    .exactOptional(),
  migrations: z.array(migrationSeed).exactOptional(),
  rows: rows.exactOptional(),
  branches: z.array(branchSeed).exactOptional(),
});

/** What exists when an emulator starts, as a file says it. */
export const seedSchema = z.strictObject({
  organizations: z
    .array(
      z.strictObject({
        slug: z.string().regex(/^[\w-]+$/),
        name: z.string().exactOptional(),
        plan: plan.exactOptional(),
      }),
    )
    .exactOptional(),
  tokens: z
    .array(
      z.strictObject({
        token: z.string().regex(/^\S+$/, "must have no spaces").exactOptional(),
        kind: z.enum(["full", "fine-grained"]).exactOptional(),
        permissions: z.array(z.string()).exactOptional(),
        user: z.string().exactOptional(),
        organizationSlug: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
  projects: z.array(projectSeed).exactOptional(),
});

export type ProjectSeed = z.output<typeof projectSeed>;
export type SeedRows = z.output<typeof rows>;
