import { z } from "zod";
import { operation, answersLarge } from "../../operation";
import { projectRef } from "../../shared-fields";

/** An OpenAPI document. */
export const databaseOpenapiResponse = z.looseObject({});

/** `GET /v1/projects/{ref}/database/openapi` */
export const getDatabaseOpenapi = operation({
  method: "GET",
  path: "/v1/projects/{ref}/database/openapi",
  params: z.object({ ref: projectRef }),
  query: z.object({ schema: z.string().optional().meta({ default: "public" }) }),
  success: answersLarge(200, databaseOpenapiResponse),
  errors: [401, 403, 429, 500],
  scope: "database:read",
  permissions: [["database_read"]],
});

export const databaseOpenapiOperations = { getDatabaseOpenapi };
