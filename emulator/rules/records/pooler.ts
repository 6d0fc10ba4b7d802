import { z } from "zod";
import { legacyPoolerConfigResponse, poolerConfigResponse } from "../../../spec/operations/pooler";

export const poolerRecord = z.strictObject({
  /** Null where the compute size decides. */
  defaultPoolSize: z.number().nullable(),
  /** Null where the service does not return it (service, Poolers). */
  maxClientConn: z.number().nullable(),
  poolMode: poolerConfigResponse.shape.pool_mode,
  /** What the legacy pooler is set to; no call changes it, and the compute size decides what is absent. */
  legacy: legacyPoolerConfigResponse.omit({ connection_string: true }),
});
export type PoolerRecord = z.infer<typeof poolerRecord>;

/** Poolers as every project begins with them: made up, as the specification names no defaults. */
export function newPooler(): PoolerRecord {
  return {
    defaultPoolSize: null,
    maxClientConn: null,
    poolMode: "transaction",
    legacy: {
      ignore_startup_parameters: "extra_float_digits",
      pool_mode: "transaction",
      server_idle_timeout: 600,
      server_lifetime: 3_600,
      query_wait_timeout: 120,
      reserve_pool_size: 0,
    },
  };
}
