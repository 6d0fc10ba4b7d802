import { z } from "zod";
import { identifier } from "../identifier";
import { answers, answersEmpty, answersOfNamed, answersText, json, operation } from "../operation";
import {
  instanceSize,
  postgresEngine,
  projectRef,
  projectStatus,
  releaseChannel,
  secretName,
  timestamp,
} from "../shared-fields";

/** What a path names a branch by. */
const branchRefOrId = z.union([projectRef, z.uuid().meta({ deprecated: true })]);

export const branchStatus = z.enum([
  "CREATING_PROJECT",
  "RUNNING_MIGRATIONS",
  "MIGRATIONS_PASSED",
  "MIGRATIONS_FAILED",
  "FUNCTIONS_DEPLOYED",
  "FUNCTIONS_FAILED",
]);

export const branchResponse = z.object({
  id: z.uuid(),
  name: z.string(),
  project_ref: identifier(z.string()),
  parent_project_ref: z.string(),
  is_default: z.boolean(),
  git_branch: z.string().optional(),
  pr_number: z.int().optional(),
  latest_check_run_id: z.number().optional().meta({ deprecated: true }),
  persistent: z.boolean(),
  status: branchStatus,
  created_at: timestamp,
  updated_at: timestamp,
  review_requested_at: timestamp.optional(),
  with_data: z.boolean(),
  notify_url: z.url().optional(),
  deletion_scheduled_at: timestamp.optional(),
  preview_project_status: projectStatus.optional(),
});

export const createBranchBody = z.object({
  branch_name: z.string().min(1),
  git_branch: z.string().optional(),
  is_default: z.boolean().optional(),
  persistent: z.boolean().optional(),
  region: z.string().optional(),
  desired_instance_size: instanceSize.optional(),
  release_channel: releaseChannel.optional(),
  postgres_engine: postgresEngine.optional(),
  secrets: z.record(secretName(z.string()), z.string()).optional(),
  with_data: z.boolean().optional(),
  notify_url: z.url().optional(),
});

export const branchDetailResponse = z.object({
  ref: identifier(z.string()),
  postgres_version: z.string(),
  postgres_engine: z.string(),
  release_channel: z.string(),
  status: projectStatus,
  db_host: z.string(),
  db_port: z.int().gt(0),
  db_user: z.string().optional(),
  db_pass: z.string().optional(),
  jwt_secret: z.string().optional(),
});

export const updateBranchBody = z.object({
  branch_name: z.string().optional(),
  git_branch: z.string().optional(),
  reset_on_push: z.boolean().optional().meta({ deprecated: true }),
  persistent: z.boolean().optional(),
  status: branchStatus.optional(),
  request_review: z.boolean().optional(),
  notify_url: z.url().optional(),
});

export const branchDeleteResponse = z.object({ message: z.literal("ok") });

export const branchRestoreResponse = z.object({ message: z.literal("Branch restoration initiated") });

/** `GET /v1/projects/{ref}/branches` */
export const listBranches = operation({
  method: "GET",
  path: "/v1/projects/{ref}/branches",
  params: z.object({ ref: projectRef }),
  success: answers(200, z.array(branchResponse)),
  errors: [401, 403, 429, 500],
  scope: "environment:read",
  permissions: [["branching_production_read"], ["branching_development_read"]],
});

/** `POST /v1/projects/{ref}/branches` */
export const createBranch = operation({
  method: "POST",
  path: "/v1/projects/{ref}/branches",
  params: z.object({ ref: projectRef }),
  body: json(createBranchBody),
  success: answers(201, branchResponse),
  errors: [401, 403, 429, 500],
  scope: "environment:write",
  permissions: [["branching_production_create"], ["branching_development_create"]],
  isLong: true,
});

/** `GET /v1/projects/{ref}/branches/{name}` */
export const getBranch = operation({
  method: "GET",
  path: "/v1/projects/{ref}/branches/{name}",
  params: z.object({ ref: projectRef, name: z.string() }),
  success: answers(200, branchResponse),
  errors: [401, 403, 429, 500],
  scope: "environment:read",
  permissions: [["branching_production_read"], ["branching_development_read"]],
});

/** `DELETE /v1/projects/{ref}/branches` */
export const disableBranching = operation({
  method: "DELETE",
  path: "/v1/projects/{ref}/branches",
  params: z.object({ ref: projectRef }),
  success: answersEmpty(200),
  errors: [401, 403, 429, 500],
  scope: "environment:write",
  permissions: [["branching_production_delete"]],
});

/** `GET /v1/branches/{branch_id_or_ref}` */
export const getBranchConfig = operation({
  method: "GET",
  path: "/v1/branches/{branch_id_or_ref}",
  params: z.object({ branch_id_or_ref: branchRefOrId }),
  success: answers(200, branchDetailResponse),
  errors: [500],
  scope: "environment:read",
  permissions: [["branching_production_read"], ["branching_development_read"]],
});

/** `PATCH /v1/branches/{branch_id_or_ref}` */
export const updateBranch = operation({
  method: "PATCH",
  path: "/v1/branches/{branch_id_or_ref}",
  params: z.object({ branch_id_or_ref: branchRefOrId }),
  body: json(updateBranchBody),
  success: answersOfNamed(200, branchResponse),
  errors: [500],
  scope: "environment:write",
  permissions: [["branching_production_write"], ["branching_development_write"]],
});

/** `DELETE /v1/branches/{branch_id_or_ref}` */
export const deleteBranch = operation({
  method: "DELETE",
  path: "/v1/branches/{branch_id_or_ref}",
  params: z.object({ branch_id_or_ref: branchRefOrId }),
  query: z.object({ force: z.boolean().optional().meta({ default: true }) }),
  success: answers(200, branchDeleteResponse),
  errors: [500],
  scope: "environment:write",
  permissions: [["branching_production_delete"], ["branching_development_delete"]],
});

/** `POST /v1/branches/{branch_id_or_ref}/restore` */
export const restoreBranch = operation({
  method: "POST",
  path: "/v1/branches/{branch_id_or_ref}/restore",
  params: z.object({ branch_id_or_ref: branchRefOrId }),
  success: answers(200, branchRestoreResponse),
  errors: [500],
  scope: "environment:write",
  permissions: [["branching_production_write"], ["branching_development_write"]],
  isLong: true,
});

export const branchActionBody = z.object({ migration_version: z.string().optional() });

export const branchUpdateResponse = z.object({
  workflow_run_id: identifier(z.string()),
  message: z.literal("ok"),
});

/** `GET /v1/branches/{branch_id_or_ref}/diff` */
export const diffBranch = operation({
  method: "GET",
  path: "/v1/branches/{branch_id_or_ref}/diff",
  params: z.object({ branch_id_or_ref: branchRefOrId }),
  query: z.object({ included_schemas: z.string().optional(), pgdelta: z.boolean().optional() }),
  success: answersText(200),
  errors: [500],
  scope: "environment:write",
  permissions: [["branching_production_write"], ["branching_development_write"]],
  isLong: true,
  stability: ["beta"],
});

/** `POST /v1/branches/{branch_id_or_ref}/merge` */
export const mergeBranch = operation({
  method: "POST",
  path: "/v1/branches/{branch_id_or_ref}/merge",
  params: z.object({ branch_id_or_ref: branchRefOrId }),
  body: json(branchActionBody),
  success: answers(201, branchUpdateResponse),
  errors: [500],
  scope: "environment:write",
  permissions: [["branching_production_write"], ["branching_development_write"]],
  isLong: true,
});

/** `POST /v1/branches/{branch_id_or_ref}/push` */
export const pushBranch = operation({
  method: "POST",
  path: "/v1/branches/{branch_id_or_ref}/push",
  params: z.object({ branch_id_or_ref: branchRefOrId }),
  body: json(branchActionBody),
  success: answers(201, branchUpdateResponse),
  errors: [500],
  scope: "environment:write",
  permissions: [["branching_production_write"], ["branching_development_write"]],
  isLong: true,
});

/** `POST /v1/branches/{branch_id_or_ref}/reset` */
export const resetBranch = operation({
  method: "POST",
  path: "/v1/branches/{branch_id_or_ref}/reset",
  params: z.object({ branch_id_or_ref: branchRefOrId }),
  body: json(branchActionBody),
  success: answers(201, branchUpdateResponse),
  errors: [500],
  scope: "environment:write",
  permissions: [["branching_production_write"], ["branching_development_write"]],
  isLong: true,
});

export const branchesOperations = {
  listBranches,
  createBranch,
  getBranch,
  disableBranching,
  getBranchConfig,
  updateBranch,
  deleteBranch,
  restoreBranch,
  diffBranch,
  mergeBranch,
  pushBranch,
  resetBranch,
};
