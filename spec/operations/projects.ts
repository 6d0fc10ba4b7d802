import { z } from "zod";
import { identifier } from "../identifier";
import { answers, answersEmpty, answersOfNamed, json, operation } from "../operation";
import {
  continent,
  healthService,
  instanceSize,
  postgresEngine,
  projectRef,
  projectStatus,
  regionCode,
  releaseChannel,
} from "../shared-fields";

export const smartRegionCode = z.enum(["americas", "emea", "apac"]);

export const createProjectBody = z.strictObject({
  db_pass: z.string(),
  name: z.string().max(256),
  organization_id: z.string().optional().meta({ deprecated: true }),
  organization_slug: z.string().regex(/^[\w-]+$/),
  plan: z.enum(["free", "pro"]).optional().meta({ deprecated: true }),
  region: regionCode.optional().meta({ deprecated: true }),
  region_selection: z
    .discriminatedUnion("type", [
      z.object({ type: z.literal("specific"), code: regionCode }),
      z.object({ type: z.literal("smartGroup"), code: smartRegionCode }),
    ])
    .optional(),
  kps_enabled: z.boolean().optional().meta({ deprecated: true }),
  desired_instance_size: instanceSize.optional(),
  template_url: z.url().optional(),
  release_channel: releaseChannel.optional().meta({ deprecated: true }),
  postgres_engine: postgresEngine.optional().meta({ deprecated: true }),
});

export const projectResponse = z.object({
  id: z.string().meta({ deprecated: true }),
  ref: identifier(projectRef),
  organization_id: z.string().meta({ deprecated: true }),
  organization_slug: z.string().regex(/^[\w-]+$/),
  name: z.string(),
  region: z.string(),
  created_at: z.string(),
  status: projectStatus,
});

export const projectWithDatabaseResponse = projectResponse.extend({
  database: z.object({
    host: z.string(),
    version: z.string(),
    postgres_engine: z.string(),
    release_channel: z.string(),
  }),
});

export const updateProjectBody = z.object({ name: z.string().min(1).max(256) });

export const projectRefResponse = z.object({ id: z.int(), ref: z.string(), name: z.string() });

export const serviceHealthResponse = z.object({
  name: healthService,
  healthy: z.boolean().meta({ deprecated: true }),
  status: z.enum(["COMING_UP", "ACTIVE_HEALTHY", "UNHEALTHY"]),
  info: z
    .union([
      z.object({ name: z.literal("auth"), version: z.string(), description: z.string() }),
      z.object({
        healthy: z.boolean().meta({ deprecated: true }),
        db_connected: z.boolean(),
        replication_connected: z.boolean(),
        connected_cluster: z.int(),
      }),
      z.object({ db_schema: z.string() }),
    ])
    .optional(),
  error: z.string().optional(),
});

const smartGroupOption = z.object({
  name: z.string(),
  code: smartRegionCode,
  type: z.literal("smartGroup"),
});

const specificRegionOption = z.object({
  name: z.string(),
  code: regionCode,
  type: z.literal("specific"),
  provider: z.enum(["AWS", "FLY", "AWS_K8S", "AWS_PARTNER"]),
  status: z.enum(["capacity", "other"]).optional(),
});

export const availableRegionsResponse = z.object({
  recommendations: z.object({ smartGroup: smartGroupOption, specific: z.array(specificRegionOption) }),
  all: z.object({ smartGroup: z.array(smartGroupOption), specific: z.array(specificRegionOption) }),
});

/** `GET /v1/projects` */
export const listProjects = operation({
  method: "GET",
  path: "/v1/projects",
  success: answers(200, z.array(projectWithDatabaseResponse)),
  scope: "projects:read",
  permissions: [["projects_read"]],
});

/** `POST /v1/projects` */
export const createProject = operation({
  method: "POST",
  path: "/v1/projects",
  body: json(createProjectBody),
  success: answers(201, projectResponse),
  scope: "projects:write",
  permissions: [["organization_projects_create"]],
});

/** `GET /v1/projects/available-regions` */
export const getAvailableRegions = operation({
  method: "GET",
  path: "/v1/projects/available-regions",
  query: z.object({
    organization_slug: z.string(),
    continent: continent.optional(),
    desired_instance_size: instanceSize.optional(),
  }),
  success: answers(200, availableRegionsResponse),
  scope: "organizations:read",
  stability: ["beta"],
});

/** `GET /v1/projects/{ref}` */
export const getProject = operation({
  method: "GET",
  path: "/v1/projects/{ref}",
  params: z.object({ ref: projectRef }),
  success: answers(200, projectWithDatabaseResponse),
  errors: [401, 403, 429, 500],
  scope: "projects:read",
  permissions: [["project_admin_read"]],
});

/** `PATCH /v1/projects/{ref}` */
export const updateProject = operation({
  method: "PATCH",
  path: "/v1/projects/{ref}",
  params: z.object({ ref: projectRef }),
  body: json(updateProjectBody),
  success: answersOfNamed(200, projectRefResponse),
  errors: [401, 403, 429, 500],
  scope: "projects:write",
  permissions: [["project_admin_write"]],
});

/** `DELETE /v1/projects/{ref}` */
export const deleteProject = operation({
  method: "DELETE",
  path: "/v1/projects/{ref}",
  params: z.object({ ref: projectRef }),
  success: answersOfNamed(200, projectRefResponse),
  errors: [401, 403, 429],
  scope: "projects:write",
  permissions: [["project_admin_write"]],
});

/** `POST /v1/projects/{ref}/pause` */
export const pauseProject = operation({
  method: "POST",
  path: "/v1/projects/{ref}/pause",
  params: z.object({ ref: projectRef }),
  success: answersEmpty(200),
  errors: [401, 403, 429],
  scope: "projects:write",
  permissions: [["project_admin_write"]],
  idempotent: false,
});

/** `POST /v1/projects/{ref}/restore` */
export const restoreProject = operation({
  method: "POST",
  path: "/v1/projects/{ref}/restore",
  params: z.object({ ref: projectRef }),
  success: answersEmpty(200),
  errors: [401, 403, 429],
  scope: "projects:write",
  permissions: [["project_admin_write"]],
});

/** `GET /v1/projects/{ref}/health` */
export const getHealth = operation({
  method: "GET",
  path: "/v1/projects/{ref}/health",
  params: z.object({ ref: projectRef }),
  query: z.object({ services: z.array(healthService), timeout_ms: z.int().min(0).max(10000).optional() }),
  success: answers(200, z.array(serviceHealthResponse)),
  errors: [401, 403, 429, 500],
  scope: "projects:read",
  permissions: [["project_admin_read"]],
});

export const getProjectAvailableRestoreVersionsResponse = z.object({
  available_versions: z.array(
    z.object({
      version: identifier(z.string()),
      release_channel: releaseChannel,
      postgres_engine: z.enum(["13", "14", "15", "17", "17-oriole"]),
    }),
  ),
});

/** `GET /v1/projects/{ref}/restore` */
export const listRestoreVersions = operation({
  method: "GET",
  path: "/v1/projects/{ref}/restore",
  params: z.object({ ref: projectRef }),
  success: answers(200, getProjectAvailableRestoreVersionsResponse),
  errors: [401, 403, 429],
  scope: "projects:read",
  permissions: [["project_admin_read"]],
});

/** `POST /v1/projects/{ref}/restore/cancel` */
export const cancelRestore = operation({
  method: "POST",
  path: "/v1/projects/{ref}/restore/cancel",
  params: z.object({ ref: projectRef }),
  success: answersEmpty(200),
  errors: [401, 403, 429],
  scope: "projects:write",
  permissions: [["project_admin_write"]],
});

export const projectsOperations = {
  listProjects,
  createProject,
  getAvailableRegions,
  getProject,
  updateProject,
  deleteProject,
  pauseProject,
  restoreProject,
  getHealth,
  listRestoreVersions,
  cancelRestore,
};
