import { z } from "zod";
import { identifier } from "../../identifier";
import { answers, answersEmpty, json, operation } from "../../operation";
import { projectRef } from "../../shared-fields";

const transferBody = z.object({
  data: z.object({
    type: z.enum(["project_transfer_input"]),
    attributes: z.object({ target_organization_slug: z.string() }),
  }),
});

const notes = z.array(z.object({ key: z.string(), message: z.string() }));

const transferPreviewResponse = z.object({
  data: z.object({
    type: z.enum(["project_transfer_result"]),
    // Nobody can consent to what an answer does not say.
    attributes: z.object({
      valid: identifier(z.boolean()),
      errors: identifier(z.array(z.object({ key: identifier(z.string()), message: identifier(z.string()) }))),
      ...{ warnings: notes, info: notes },
    }),
  }),
});

/** `POST /v2/projects/{ref}/transfers/previews` */
export const checkProjectTransfer = operation({
  method: "POST",
  path: "/v2/projects/{ref}/transfers/previews",
  params: z.object({ ref: projectRef }),
  body: json(transferBody),
  success: answers(200, transferPreviewResponse),
  errors: [401, 403, 429],
  permissions: [["project_admin_read"]],
  // It changes nothing.
  idempotent: true,
});

/** `POST /v2/projects/{ref}/transfers` */
export const transferProject = operation({
  method: "POST",
  path: "/v2/projects/{ref}/transfers",
  params: z.object({ ref: projectRef }),
  body: json(transferBody),
  success: answersEmpty(200),
  errors: [401, 403, 429],
  permissions: [["organization_admin_write"]],
});

export const projectTransfersOperations = { checkProjectTransfer, transferProject };
