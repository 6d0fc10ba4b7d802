import { z } from "zod";
import { jitAccessRequestRequest, updateJitAccessBody } from "../../../spec/operations/jit-access";
import { mapOf } from "./fields";

const { roles } = updateJitAccessBody.shape;
export type JitRole = z.output<typeof roles>[number];

/** Just-in-time access to a project's database. */
export const jitRecord = z.strictObject({
  state: jitAccessRequestRequest.shape.state,
  /** Roles that each user may assume, by the user's id. */
  users: mapOf(z.string(), roles),
});
export type JitRecord = z.infer<typeof jitRecord>;

export function newJit(): JitRecord {
  return { state: "disabled", users: new Map() };
}
