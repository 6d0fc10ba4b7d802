import { z } from "zod";
import { identifier } from "../../identifier";
import { answers, operation } from "../../operation";

export const profileResponse = z.object({
  auth_id: z.string(),
  primary_email: z.string(),
  username: identifier(z.string()),
});

/** `GET /v1/profile` */
export const getProfile = operation({
  method: "GET",
  path: "/v1/profile",
  success: answers(200, profileResponse),
});

export const profileOperations = { getProfile };
