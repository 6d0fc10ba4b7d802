import { z } from "zod";

/** A personal access token (service, Access). */
export const accessTokenRecord = z.strictObject({
  /** `full` holds every privilege of the user, `fine-grained` only the permissions listed. */
  kind: z.enum(["full", "fine-grained"]),
  user: z.string(),
  permissions: z.array(z.string()),
});
