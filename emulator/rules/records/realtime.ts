import { z } from "zod";
import { realtimeConfigResponse } from "../../../spec/operations/realtime";
import { newRealtimeConfig } from "../../../spec/new-project";
import { time } from "./fields";

export const realtimeRecord = z.strictObject({
  config: realtimeConfigResponse,
  /** Clients that are connected. */
  connections: z.number(),
  /** When its connections were last shut down. */
  shutDownAt: time.nullable(),
});
export type RealtimeRecord = z.infer<typeof realtimeRecord>;

/** Realtime as every project begins with it. */
export function newRealtime(): RealtimeRecord {
  return {
    config: { ...newRealtimeConfig },
    connections: 0,
    shutDownAt: null,
  };
}
