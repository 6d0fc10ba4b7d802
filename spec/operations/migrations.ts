import { z } from "zod";
import { identifier } from "../identifier";
import { answersEmpty, json, operation, answersLarge } from "../operation";
import { projectRef } from "../shared-fields";

export const listMigrationsResponse = z.array(
  z.object({ version: identifier(z.string().min(1)), name: z.string().optional() }),
);

export const migrationBody = z.object({
  query: z.string().min(1),
  name: z.string().optional(),
  rollback: z.string().optional(),
});

export const getMigrationResponse = z.object({
  version: identifier(z.string().min(1)),
  name: z.string().optional(),
  statements: z.array(z.string()).optional(),
  rollback: z.array(z.string()).optional(),
  created_by: z.string().optional(),
  idempotency_key: z.string().optional(),
});

export const patchMigrationBody = z.object({ name: z.string().optional(), rollback: z.string().optional() });

/** `GET /v1/projects/{ref}/database/migrations` */
export const listMigrations = operation({
  method: "GET",
  path: "/v1/projects/{ref}/database/migrations",
  params: z.object({ ref: projectRef }),
  success: answersLarge(200, listMigrationsResponse),
  errors: [401, 403, 429, 500],
  scope: "database:read",
  permissions: [["database_migrations_read"]],
  stability: ["beta", "partner-only"],
});

/** `POST /v1/projects/{ref}/database/migrations` */
export const applyMigration = operation({
  method: "POST",
  path: "/v1/projects/{ref}/database/migrations",
  params: z.object({ ref: projectRef }),
  headers: z.object({ "Idempotency-Key": z.string().optional() }),
  body: json(migrationBody),
  success: answersEmpty(200),
  errors: [401, 403, 429, 500],
  scope: "database:write",
  permissions: [["database_migrations_write"]],
  isLong: true,
  stability: ["beta", "partner-only"],
});

/** `PUT /v1/projects/{ref}/database/migrations` */
export const upsertMigration = operation({
  method: "PUT",
  path: "/v1/projects/{ref}/database/migrations",
  params: z.object({ ref: projectRef }),
  headers: z.object({ "Idempotency-Key": z.string().optional() }),
  body: json(migrationBody),
  success: answersEmpty(200),
  errors: [401, 403, 429, 500],
  scope: "database:write",
  permissions: [["database_migrations_write"]],
  stability: ["beta", "partner-only"],
});

/** `DELETE /v1/projects/{ref}/database/migrations` */
export const rollbackMigrations = operation({
  method: "DELETE",
  path: "/v1/projects/{ref}/database/migrations",
  params: z.object({ ref: projectRef }),
  query: z.object({ gte: z.string().regex(/^\d+$/) }),
  success: answersEmpty(200),
  errors: [401, 403, 429, 500],
  scope: "database:write",
  permissions: [["database_migrations_write"]],
  isLong: true,
  stability: ["beta", "partner-only"],
});

/** `GET /v1/projects/{ref}/database/migrations/{version}` */
export const getMigration = operation({
  method: "GET",
  path: "/v1/projects/{ref}/database/migrations/{version}",
  params: z.object({ ref: projectRef, version: z.string().regex(/^\d+$/) }),
  success: answersLarge(200, getMigrationResponse),
  errors: [401, 403, 429, 500],
  scope: "database:read",
  permissions: [["database_migrations_read"]],
  stability: ["beta", "partner-only"],
});

/** `PATCH /v1/projects/{ref}/database/migrations/{version}` */
export const updateMigration = operation({
  method: "PATCH",
  path: "/v1/projects/{ref}/database/migrations/{version}",
  params: z.object({ ref: projectRef, version: z.string().regex(/^\d+$/) }),
  body: json(patchMigrationBody),
  success: answersEmpty(200),
  errors: [401, 403, 429, 500],
  scope: "database:write",
  permissions: [["database_migrations_write"]],
  stability: ["beta", "partner-only"],
});

export const migrationsOperations = {
  listMigrations,
  applyMigration,
  upsertMigration,
  rollbackMigrations,
  getMigration,
  updateMigration,
};
