import type { z } from "zod";
import type { legacyPoolerConfigResponse, poolerConfigResponse } from "../../../spec/operations/pooler";

export interface PoolerRecord {
  /** Null where the compute size decides. */
  defaultPoolSize: number | null;
  poolMode: z.output<typeof poolerConfigResponse>["pool_mode"];
  /** What the legacy pooler is set to; no call changes it, and the compute size decides what is absent. */
  readonly legacy: Omit<z.output<typeof legacyPoolerConfigResponse>, "connection_string">;
}

/** Poolers as every project begins with them: made up, as the specification names no defaults. */
export function newPooler(): PoolerRecord {
  return {
    defaultPoolSize: null,
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
