import { z } from "zod";
import { time } from "./fields";

/** One invocation of an edge function; the emulator runs none, so an operator reports them. */
export const invocationRecord = z.strictObject({
  id: z.string(),
  functionId: z.string(),
  at: time,
  statusCode: z.number(),
  executionMs: z.number(),
});
export type InvocationRecord = z.infer<typeof invocationRecord>;
