import { z } from "zod";
import { identifier } from "../identifier";
import { answers, answersHeader, answersText, json, operation } from "../operation";
import { projectRef } from "../shared-fields";

export const runStepName = z.enum(["clone", "pull", "health", "configure", "migrate", "seed", "deploy"]);

export const runStepStatus = z.enum([
  "CREATED",
  "DEAD",
  "EXITED",
  "PAUSED",
  "REMOVING",
  "RESTARTING",
  "RUNNING",
]);

export const actionRunResponse = z.object({
  id: identifier(z.string()),
  branch_id: z.string(),
  run_steps: z.array(
    z.object({ name: runStepName, status: runStepStatus, created_at: z.string(), updated_at: z.string() }),
  ),
  git_config: z.unknown().nullable().optional(),
  workdir: z.string().nullable(),
  check_run_id: z.number().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** `GET /v1/projects/{ref}/actions` */
export const listActionRuns = operation({
  method: "GET",
  path: "/v1/projects/{ref}/actions",
  params: z.object({ ref: projectRef }),
  query: z.object({ offset: z.number().min(0).optional(), limit: z.number().min(10).optional() }),
  success: answers(200, z.array(actionRunResponse)),
  errors: [401, 403, 429, 500],
  scope: "environment:read",
  permissions: [["action_runs_read"]],
});

/** `GET /v1/projects/{ref}/actions/{run_id}` */
export const getActionRun = operation({
  method: "GET",
  path: "/v1/projects/{ref}/actions/{run_id}",
  params: z.object({ ref: projectRef, run_id: z.string() }),
  success: answers(200, actionRunResponse),
  errors: [401, 403, 429, 500],
  scope: "environment:read",
  permissions: [["action_runs_read"]],
});

/** `GET /v1/projects/{ref}/actions/{run_id}/logs` */
export const getActionRunLogs = operation({
  method: "GET",
  path: "/v1/projects/{ref}/actions/{run_id}/logs",
  params: z.object({ ref: projectRef, run_id: z.string() }),
  success: answersText(200),
  errors: [401, 403, 429, 500],
  scope: "environment:read",
  permissions: [["action_runs_read"]],
});

/** What is said of each step that is named. */
export const updateRunStatusBody = z.object({
  clone: runStepStatus.optional(),
  pull: runStepStatus.optional(),
  health: runStepStatus.optional(),
  configure: runStepStatus.optional(),
  migrate: runStepStatus.optional(),
  seed: runStepStatus.optional(),
  deploy: runStepStatus.optional(),
});

export const updateRunStatusResponse = z.object({ message: z.literal("ok") });

/** `HEAD /v1/projects/{ref}/actions` */
export const countActionRuns = operation({
  method: "HEAD",
  path: "/v1/projects/{ref}/actions",
  params: z.object({ ref: projectRef }),
  success: answersHeader(200, "x-total-count", z.int().min(0)),
  errors: [401, 403, 429, 500],
  scope: "environment:read",
  permissions: [["action_runs_read"]],
});

/** `PATCH /v1/projects/{ref}/actions/{run_id}/status` */
export const updateActionRunStatus = operation({
  method: "PATCH",
  path: "/v1/projects/{ref}/actions/{run_id}/status",
  params: z.object({ ref: projectRef, run_id: z.string() }),
  body: json(updateRunStatusBody),
  success: answers(200, updateRunStatusResponse),
  errors: [401, 403, 429, 500],
  scope: "environment:write",
  permissions: [["action_runs_write"]],
});

export const actionRunsOperations = {
  listActionRuns,
  getActionRun,
  getActionRunLogs,
  countActionRuns,
  updateActionRunStatus,
};
