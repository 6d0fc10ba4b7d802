import { z } from "zod";
import { identifier } from "../identifier";
import {
  answers,
  answersBytes,
  answersEmpty,
  answersOfNamed,
  filePart,
  json,
  jsonOrBytes,
  multipart,
  operation,
} from "../operation";
import { projectRef } from "../shared-fields";
import { keepsUnknownKeys } from "../unknown-keys";

export const functionStatus = z.enum(["ACTIVE", "REMOVED", "THROTTLED"]);

export const functionResponse = z.object({
  id: z.string(),
  slug: identifier(z.string()),
  name: z.string(),
  status: functionStatus,
  version: z.int(),
  created_at: z.int(),
  updated_at: z.int(),
  verify_jwt: z.boolean().optional(),
  import_map: z.boolean().optional(),
  entrypoint_path: z.string().optional(),
  import_map_path: z.string().optional(),
  ezbr_sha256: z.string().optional(),
});

/** Whole records, as they were listed (service, Edge functions). */
export const bulkUpdateFunctionBody = z.array(
  keepsUnknownKeys(
    z.object({
      id: z.string(),
      slug: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/),
      name: z.string(),
      status: functionStatus,
      version: z.int(),
      created_at: z.int().optional(),
      verify_jwt: z.boolean().optional(),
      import_map: z.boolean().optional(),
      entrypoint_path: z.string().optional(),
      import_map_path: z.string().optional(),
      ezbr_sha256: z.string().optional(),
    }),
  ),
);

export const functionDeployBody = z.object({
  file: z.array(filePart).optional(),
  metadata: z.object({
    entrypoint_path: z.string(),
    import_map_path: z.string().optional(),
    static_patterns: z.array(z.string()).optional(),
    verify_jwt: z.boolean().optional(),
    name: z.string().optional(),
  }),
});

export const deployFunctionResponse = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  status: functionStatus,
  version: z.int(),
  created_at: z.int().optional(),
  updated_at: z.int().optional(),
  verify_jwt: z.boolean().optional(),
  import_map: z.boolean().optional(),
  entrypoint_path: z.string().optional(),
  import_map_path: z.string().optional(),
  ezbr_sha256: z.string().optional(),
});

export const updateFunctionBody = z.object({
  name: z.string().optional(),
  body: z.string().optional(),
  verify_jwt: z.boolean().optional(),
});

export const bulkUpdateFunctionResponse = z.object({ functions: z.array(functionResponse) });

/** `GET /v1/projects/{ref}/functions` */
export const listFunctions = operation({
  method: "GET",
  path: "/v1/projects/{ref}/functions",
  params: z.object({ ref: projectRef }),
  success: answers(200, z.array(functionResponse)),
  errors: [401, 403, 429, 500],
  scope: "edge_functions:read",
  permissions: [["edge_functions_read"]],
});

/** `PUT /v1/projects/{ref}/functions` */
export const updateFunctions = operation({
  method: "PUT",
  path: "/v1/projects/{ref}/functions",
  params: z.object({ ref: projectRef }),
  body: json(bulkUpdateFunctionBody),
  success: answersOfNamed(200, bulkUpdateFunctionResponse),
  errors: [401, 402, 403, 429, 500],
  scope: "edge_functions:write",
  permissions: [["edge_functions_write"]],
});

/** `POST /v1/projects/{ref}/functions/deploy` */
export const deployFunction = operation({
  method: "POST",
  path: "/v1/projects/{ref}/functions/deploy",
  params: z.object({ ref: projectRef }),
  query: z.object({
    slug: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_-]*$/)
      .optional(),
    bundleOnly: z.boolean().optional(),
  }),
  body: multipart(functionDeployBody),
  success: answersOfNamed(201, deployFunctionResponse),
  errors: [401, 402, 403, 429, 500],
  scope: "edge_functions:write",
  permissions: [["edge_functions_write"]],
  isLong: true,
});

/** `GET /v1/projects/{ref}/functions/{function_slug}` */
export const getFunction = operation({
  method: "GET",
  path: "/v1/projects/{ref}/functions/{function_slug}",
  params: z.object({ ref: projectRef, function_slug: z.string().regex(/^[A-Za-z0-9_-]+$/) }),
  success: answers(200, functionResponse),
  errors: [401, 403, 429, 500],
  scope: "edge_functions:read",
  permissions: [["edge_functions_read"]],
});

/** `PATCH /v1/projects/{ref}/functions/{function_slug}` */
export const updateFunction = operation({
  method: "PATCH",
  path: "/v1/projects/{ref}/functions/{function_slug}",
  params: z.object({ ref: projectRef, function_slug: z.string().regex(/^[A-Za-z0-9_-]+$/) }),
  query: z.object({
    slug: z
      .string()
      .regex(/^[A-Za-z0-9_-]+$/)
      .optional(),
    name: z.string().optional(),
    verify_jwt: z.boolean().optional(),
    import_map: z.boolean().optional(),
    entrypoint_path: z.string().optional(),
    import_map_path: z.string().optional(),
    ezbr_sha256: z.string().optional(),
  }),
  body: jsonOrBytes(updateFunctionBody),
  success: answersOfNamed(200, functionResponse),
  errors: [401, 403, 429, 500],
  scope: "edge_functions:write",
  permissions: [["edge_functions_write"]],
});

/** `DELETE /v1/projects/{ref}/functions/{function_slug}` */
export const deleteFunction = operation({
  method: "DELETE",
  path: "/v1/projects/{ref}/functions/{function_slug}",
  params: z.object({ ref: projectRef, function_slug: z.string().regex(/^[A-Za-z0-9_-]+$/) }),
  success: answersEmpty(200, { message: "ok" }),
  errors: [401, 403, 429, 500],
  scope: "edge_functions:write",
  permissions: [["edge_functions_write"]],
});

export const createFunctionBody = z.object({
  slug: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/),
  name: z.string(),
  body: z.string(),
  verify_jwt: z.boolean().optional(),
});

/** `POST /v1/projects/{ref}/functions` */
export const createFunction = operation({
  method: "POST",
  path: "/v1/projects/{ref}/functions",
  params: z.object({ ref: projectRef }),
  query: z.object({
    slug: z
      .string()
      .regex(/^[A-Za-z0-9_-]+$/)
      .optional(),
    name: z.string().optional(),
    verify_jwt: z.boolean().optional(),
    import_map: z.boolean().optional(),
    entrypoint_path: z.string().optional(),
    import_map_path: z.string().optional(),
    ezbr_sha256: z.string().optional(),
  }),
  body: jsonOrBytes(createFunctionBody),
  success: answersOfNamed(201, functionResponse),
  errors: [401, 402, 403, 429, 500],
  scope: "edge_functions:write",
  permissions: [["edge_functions_write"]],
  isLong: true,
  stability: ["deprecated"],
});

/**
 * `GET /v1/projects/{ref}/functions/{function_slug}/body`. The interface description has an empty JSON object here, which
 * stands for a stream: what comes back is the code as bytes. The emulator gives the bundle or the text as it was sent, and
 * for a deploy of files a tar archive of them; `ezbr_sha256` is its checksum. Asked for with `Accept: multipart/form-data`
 * it comes in parts: `metadata`, JSON with `deno2_entrypoint_path`, and each source file under its path (service, Edge functions).
 */
export const getFunctionBody = operation({
  method: "GET",
  path: "/v1/projects/{ref}/functions/{function_slug}/body",
  params: z.object({ ref: projectRef, function_slug: z.string().regex(/^[A-Za-z0-9_-]+$/) }),
  headers: z.object({ Accept: z.string().optional() }),
  success: answersBytes(200),
  errors: [401, 403, 429, 500],
  scope: "edge_functions:read",
  permissions: [["edge_functions_read"]],
});

export const functionsOperations = {
  listFunctions,
  updateFunctions,
  deployFunction,
  getFunction,
  updateFunction,
  deleteFunction,
  createFunction,
  getFunctionBody,
};
