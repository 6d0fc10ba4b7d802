import { z } from "zod";

/** A personal access token (management-api-1, Authentication 2 and 4). */
export const accessTokenRecord = z.strictObject({
  /** `full` holds every privilege of the user, `fine-grained` only the permissions listed. */
  kind: z.enum(["full", "fine-grained"]),
  user: z.string(),
  permissions: z.array(z.string()),
});
