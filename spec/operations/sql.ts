import { z } from "zod";
import { json, operation, answersLarge } from "../operation";
import { projectRef } from "../shared-fields";

export const runQueryBody = z.object({
  query: z.string().min(1),
  parameters: z.array(z.unknown()).optional(),
  read_only: z.boolean().optional(),
});

export const readOnlyQueryBody = z.object({
  query: z.string().min(1),
  parameters: z.array(z.unknown()).optional(),
});

export const typescriptResponse = z.object({ types: z.string() });

export const getProjectDbMetadataResponse = z.object({
  databases: z.array(z.object({ name: z.string(), schemas: z.array(z.object({ name: z.string() })) })),
});

/** Rows of the statement's result. Deliberately more than the specification shows (service, SQL: "an array"). */
const rows = z.array(z.record(z.string(), z.unknown()));

/** `POST /v1/projects/{ref}/database/query` */
export const runQuery = operation({
  method: "POST",
  path: "/v1/projects/{ref}/database/query",
  params: z.object({ ref: projectRef }),
  body: json(runQueryBody),
  success: { ...answersLarge(201, rows), isWithoutCharset: true },
  errors: [401, 403, 429, 500],
  scope: "database:write",
  permissions: [["database_write"], ["database_read"]],
  isLong: true,
  stability: ["beta"],
});

/** `POST /v1/projects/{ref}/database/query/read-only` */
export const runReadOnlyQuery = operation({
  method: "POST",
  path: "/v1/projects/{ref}/database/query/read-only",
  params: z.object({ ref: projectRef }),
  body: json(readOnlyQueryBody),
  success: { ...answersLarge(201, rows), isWithoutCharset: true },
  errors: [401, 403, 429, 500],
  scope: "database:read",
  permissions: [["database_read"]],
  idempotent: true,
  isLong: true,
  stability: ["beta"],
});

/** `GET /v1/projects/{ref}/types/typescript` */
export const getTypescriptTypes = operation({
  method: "GET",
  path: "/v1/projects/{ref}/types/typescript",
  params: z.object({ ref: projectRef }),
  query: z.object({ included_schemas: z.string().optional().meta({ default: "public" }) }),
  success: answersLarge(200, typescriptResponse),
  errors: [401, 403, 429, 500],
  scope: "database:read",
  permissions: [["database_read"]],
});

/** `GET /v1/projects/{ref}/database/context` */
export const getDatabaseContext = operation({
  method: "GET",
  path: "/v1/projects/{ref}/database/context",
  params: z.object({ ref: projectRef }),
  success: answersLarge(200, getProjectDbMetadataResponse),
  errors: [401, 403, 429],
  scope: "projects:read",
  permissions: [["database_read"]],
  stricterLimits: [
    { limit: 10, windowMs: 60_000 },
    { limit: 1, windowMs: 1_000 },
  ],
  stability: ["deprecated", "experimental"],
});

export const sqlOperations = { runQuery, runReadOnlyQuery, getTypescriptTypes, getDatabaseContext };
