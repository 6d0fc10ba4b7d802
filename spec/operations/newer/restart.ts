import { z } from "zod";
import { answersEmpty, operation } from "../../operation";
import { projectRef } from "../../shared-fields";

/** `POST /v1/projects/{ref}/restart` */
export const restartProject = operation({
  method: "POST",
  path: "/v1/projects/{ref}/restart",
  params: z.object({ ref: projectRef }),
  success: answersEmpty(200),
  errors: [401, 403, 429, 500],
  scope: "projects:write",
  permissions: [["project_admin_write"]],
  idempotent: false,
});

export const restartOperations = { restartProject };
