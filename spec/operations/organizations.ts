import { z } from "zod";
import { identifier } from "../identifier";
import { takesValues } from "../names/marks";
import { answers, json, operation } from "../operation";
import { instanceSize, projectStatus, releaseChannel } from "../shared-fields";

export const organizationResponse = z.object({
  id: z.string().meta({ deprecated: true }),
  slug: identifier(z.string().regex(/^[\w-]+$/)),
  name: z.string(),
});

export const organizationSlugResponse = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.enum(["free", "pro", "team", "enterprise", "platform"]).optional(),
  opt_in_tags: z.array(
    z.enum(["AI_SQL_GENERATOR_OPT_IN", "AI_DATA_GENERATOR_OPT_IN", "AI_LOG_GENERATOR_OPT_IN"]),
  ),
  allowed_release_channels: z.array(releaseChannel),
});

/** Open here; the regions list its values. */
const cloudProvider = takesValues(["AWS_PARTNER"], z.string());

export const organizationProjectsResponse = z.object({
  projects: z.array(
    z.object({
      ref: identifier(z.string()),
      name: z.string(),
      cloud_provider: cloudProvider,
      region: z.string(),
      is_branch: z.boolean(),
      status: projectStatus,
      inserted_at: z.string(),
      databases: z.array(
        z.object({
          infra_compute_size: instanceSize.optional(),
          region: z.string(),
          status: z.enum([
            "ACTIVE_HEALTHY",
            "ACTIVE_UNHEALTHY",
            "COMING_UP",
            "GOING_DOWN",
            "INIT_FAILED",
            "REMOVED",
            "RESTORING",
            "UNKNOWN",
            "INIT_READ_REPLICA",
            "INIT_READ_REPLICA_FAILED",
            "RESTARTING",
            "RESIZING",
          ]),
          cloud_provider: cloudProvider,
          identifier: z.string(),
          type: z.enum(["PRIMARY", "READ_REPLICA"]),
          disk_volume_size_gb: z.number().optional(),
          disk_type: z.enum(["gp3", "io2"]).optional(),
          disk_throughput_mbps: z.number().optional(),
          disk_last_modified_at: z.string().optional(),
        }),
      ),
    }),
  ),
  pagination: z.object({ count: z.number(), limit: z.number(), offset: z.number() }),
});

/** `GET /v1/organizations` */
export const listOrganizations = operation({
  method: "GET",
  path: "/v1/organizations",
  success: answers(200, z.array(organizationResponse)),
  errors: [500],
  scope: "organizations:read",
  permissions: [["organizations_read"]],
});

/** `GET /v1/organizations/{slug}` */
export const getOrganization = operation({
  method: "GET",
  path: "/v1/organizations/{slug}",
  params: z.object({ slug: z.string().regex(/^[\w-]+$/) }),
  success: answers(200, organizationSlugResponse),
  errors: [401, 403, 429],
  scope: "organizations:read",
  permissions: [["organization_admin_read"]],
});

/** `GET /v1/organizations/{slug}/projects` */
export const listOrganizationProjects = operation({
  method: "GET",
  path: "/v1/organizations/{slug}/projects",
  params: z.object({ slug: z.string().regex(/^[\w-]+$/) }),
  query: z.object({
    offset: z.int().min(0).optional().meta({ default: 0 }),
    limit: z.int().min(1).max(100).optional().meta({ default: 100 }),
    search: z.string().optional(),
    sort: z
      .enum(["name_asc", "name_desc", "created_asc", "created_desc"])
      .optional()
      .meta({ default: "name_asc" }),
    statuses: z.string().optional(),
  }),
  success: answers(200, organizationProjectsResponse),
  errors: [500],
  changedScope: "projects:read",
  permissions: [["organization_projects_read"]],
});

export const createOrganizationBody = z.strictObject({ name: z.string().max(256) });

export const organizationMemberResponse = z.object({
  user_id: identifier(z.string()),
  user_name: z.string(),
  email: z.string().optional(),
  role_name: z.string(),
  mfa_enabled: z.boolean(),
});

/** `POST /v1/organizations` */
export const createOrganization = operation({
  method: "POST",
  path: "/v1/organizations",
  body: json(createOrganizationBody),
  success: answers(201, organizationResponse),
  errors: [500],
  permissions: [["organizations_create"]],
});

/** `GET /v1/organizations/{slug}/members` */
export const listMembers = operation({
  method: "GET",
  path: "/v1/organizations/{slug}/members",
  params: z.object({ slug: z.string().regex(/^[\w-]+$/) }),
  success: answers(200, z.array(organizationMemberResponse)),
  scope: "organizations:read",
  permissions: [["members_read"]],
});

export const organizationsOperations = {
  listOrganizations,
  getOrganization,
  listOrganizationProjects,
  createOrganization,
  listMembers,
};
