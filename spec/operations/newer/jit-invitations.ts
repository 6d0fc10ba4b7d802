import { z } from "zod";
import { answersEmpty, answersOfNamed, json, operation } from "../../operation";
import { projectRef } from "../../shared-fields";
import { jitRole, updateJitAccessBody } from "../jit-access";

export const inviteJitUserBody = z.object({
  email: z.email().min(1),
  roles: updateJitAccessBody.shape.roles,
});

export const jitInvitationResponse = z.object({
  email: z.email(),
  invite_id: z.uuid(),
  user_roles: z.array(jitRole),
});

/** `POST /v1/projects/{ref}/database/jit/invite` */
export const inviteJitUser = operation({
  method: "POST",
  path: "/v1/projects/{ref}/database/jit/invite",
  params: z.object({ ref: projectRef }),
  body: json(inviteJitUserBody),
  success: answersOfNamed(200, jitInvitationResponse),
  errors: [401, 403, 429, 500],
  permissions: [["database_jit_write"]],
});

/** `DELETE /v1/projects/{ref}/database/jit/invite/{invite_id}` */
export const deleteJitInvitation = operation({
  method: "DELETE",
  path: "/v1/projects/{ref}/database/jit/invite/{invite_id}",
  params: z.object({ ref: projectRef, invite_id: z.uuid() }),
  success: answersEmpty(200),
  errors: [401, 403, 429],
  permissions: [["database_jit_write"]],
});

export const jitInvitationsOperations = { inviteJitUser, deleteJitInvitation };
