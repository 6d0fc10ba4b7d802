import type { z } from "zod";
import type { jitAccessRequestRequest, updateJitAccessBody } from "../../../spec/operations/jit-access";

export type JitRole = z.output<typeof updateJitAccessBody>["roles"][number];

/** Just-in-time access to a project's database. */
export interface JitRecord {
  state: z.output<typeof jitAccessRequestRequest>["state"];
  /** Roles that each user may assume, by the user's id. */
  readonly users: Map<string, JitRole[]>;
}

export function newJit(): JitRecord {
  return { state: "disabled", users: new Map() };
}
