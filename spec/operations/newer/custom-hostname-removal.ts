import { z } from "zod";
import { answersEmpty, operation } from "../../operation";
import { projectRef } from "../../shared-fields";

/** `DELETE /v1/projects/{ref}/custom-hostname` */
export const removeCustomHostname = operation({
  method: "DELETE",
  path: "/v1/projects/{ref}/custom-hostname",
  params: z.object({ ref: projectRef }),
  query: z.object({ remove_addon: z.boolean().optional().meta({ default: "false" }) }),
  success: answersEmpty(200, null),
  errors: [401, 403, 429, 500],
  scope: "domains:write",
  permissions: [["custom_domain_write"]],
  stricterLimits: [{ limit: 10, windowMs: 60_000 }],
  stability: ["beta"],
});

export const customHostnameRemovalOperations = { removeCustomHostname };
