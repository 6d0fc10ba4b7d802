import { z } from "zod";
import { identifier } from "../../identifier";
import { answers, answersEmpty, operation } from "../../operation";
import { projectRef } from "../../shared-fields";

export const projectClaimTokenResponse = z.object({
  token_alias: z.string(),
  expires_at: z.string(),
  created_at: z.string(),
  created_by: z.uuid(),
});

export const createProjectClaimTokenResponse = z.object({
  token: identifier(z.string()),
  token_alias: z.string(),
  expires_at: z.string(),
  created_at: z.string(),
  created_by: z.uuid(),
});

const notes = z.array(z.object({ key: z.string(), message: z.string() }));
const subscriptionPlan = z.enum(["free", "pro", "team", "enterprise", "platform"]);

export const organizationProjectClaimResponse = z.object({
  project: z.object({ ref: identifier(z.string()), name: z.string() }),
  preview: z.object({
    valid: z.boolean(),
    warnings: notes,
    errors: notes,
    info: notes,
    members_exceeding_free_project_limit: z.array(z.object({ name: z.string(), limit: z.number() })),
    source_subscription_plan: subscriptionPlan,
    target_subscription_plan: subscriptionPlan.nullable(),
  }),
  expires_at: z.string(),
  created_at: z.string(),
  created_by: z.uuid(),
});

const claimedBy = z.object({ slug: z.string().regex(/^[\w-]+$/), token: z.string() });

/** `GET /v1/projects/{ref}/claim-token` */
export const getClaimToken = operation({
  method: "GET",
  path: "/v1/projects/{ref}/claim-token",
  params: z.object({ ref: projectRef }),
  success: answers(200, projectClaimTokenResponse),
  errors: [401, 403, 429],
  permissions: [["project_admin_read"]],
});

/** `POST /v1/projects/{ref}/claim-token` */
export const createClaimToken = operation({
  method: "POST",
  path: "/v1/projects/{ref}/claim-token",
  params: z.object({ ref: projectRef }),
  success: answers(200, createProjectClaimTokenResponse),
  errors: [401, 403, 429],
  permissions: [["organization_admin_write", "project_admin_write"]],
});

/** `DELETE /v1/projects/{ref}/claim-token` */
export const deleteClaimToken = operation({
  method: "DELETE",
  path: "/v1/projects/{ref}/claim-token",
  params: z.object({ ref: projectRef }),
  success: answersEmpty(204),
  errors: [401, 403, 429],
  permissions: [["organization_admin_write", "project_admin_write"]],
});

/** `GET /v1/organizations/{slug}/project-claim/{token}` */
export const getProjectClaim = operation({
  method: "GET",
  path: "/v1/organizations/{slug}/project-claim/{token}",
  params: claimedBy,
  success: answers(200, organizationProjectClaimResponse),
  errors: [401, 403, 429],
  permissions: [["organization_admin_write"]],
});

/** `POST /v1/organizations/{slug}/project-claim/{token}` */
export const claimProject = operation({
  method: "POST",
  path: "/v1/organizations/{slug}/project-claim/{token}",
  params: claimedBy,
  success: answersEmpty(204),
  errors: [401, 403, 429],
  permissions: [["organization_admin_write"]],
});

export const projectClaimsOperations = {
  getClaimToken,
  createClaimToken,
  deleteClaimToken,
  getProjectClaim,
  claimProject,
};
