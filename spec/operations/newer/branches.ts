import { z } from "zod";
import { identifier } from "../../identifier";
import { answers, json, operation } from "../../operation";
import { instanceSize, projectRef } from "../../shared-fields";

const branchAttributes = z.object({
  name: z.string().min(1),
  git_branch: z.string().min(1).optional(),
  region: z.string().optional(),
  persistent: z.boolean().optional(),
  with_data: z.boolean().optional(),
  desired_instance_size: instanceSize.exclude(["pico"]).optional(),
  desired_disk_size_gb: z.int().min(8).max(61_440).optional(),
  notify_url: z.url().optional(),
});

export const createBranchWithDiskBody = z.object({
  data: z.object({ type: z.enum(["branch"]), attributes: branchAttributes }),
});

/** It shows neither the status nor how the branch's database is reached. */
export const createBranchWithDiskResponse = z.object({
  data: z.object({
    type: z.enum(["branch"]),
    id: z.uuid(),
    attributes: z.object({
      name: z.string(),
      project_ref: identifier(z.string()),
      parent_project_ref: z.string(),
      is_default: z.boolean(),
      persistent: z.boolean(),
      with_data: z.boolean(),
      git_branch: z.string().optional(),
      notify_url: z.url().optional(),
      created_at: z.iso.datetime(),
      updated_at: z.iso.datetime(),
    }),
  }),
});

/** `POST /v2/projects/{ref}/branches` */
export const createBranchWithDisk = operation({
  method: "POST",
  path: "/v2/projects/{ref}/branches",
  params: z.object({ ref: projectRef }),
  body: json(createBranchWithDiskBody),
  success: answers(201, createBranchWithDiskResponse),
  errors: [400, 401, 403, 429],
  scope: "environment:write",
  permissions: [["branching_production_create"], ["branching_development_create"]],
  isLong: true,
});

export const newerBranchesOperations = { createBranchWithDisk };
