import { z } from "zod";
import { realtimeConfigResponse } from "../../../spec/operations/realtime";
import { time } from "./fields";

export const realtimeRecord = z.strictObject({
  config: realtimeConfigResponse,
  /** Clients that are connected. */
  connections: z.number(),
  /** When its connections were last shut down. */
  shutDownAt: time.nullable(),
});
export type RealtimeRecord = z.infer<typeof realtimeRecord>;

/** Realtime as every project begins with it: made up, as the specification names no defaults. */
export function newRealtime(): RealtimeRecord {
  return {
    config: {
      private_only: false,
      connection_pool: 2,
      max_concurrent_users: 200,
      max_events_per_second: 100,
      max_bytes_per_second: 100_000,
      max_channels_per_client: 100,
      max_joins_per_second: 100,
      max_presence_events_per_second: 100,
      max_payload_size_in_kb: 100,
      suspend: false,
    },
    connections: 0,
    shutDownAt: null,
  };
}
