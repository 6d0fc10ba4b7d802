import type { poolerConfig } from "../../../provider/resources/database/pooler-config/pooler-config";
import { field, type SampleOf } from "../sample";

export const sample: SampleOf<typeof poolerConfig> = {
  type: "PoolerConfig",
  needsProject: true,
  inputs: (projectRef) => ({ projectRef, defaultPoolSize: 20 }),
  changed: (projectRef) => ({ projectRef, defaultPoolSize: 30, poolMode: "session" }),
  onService: ({ emulator }, ref) =>
    emulator.control
      .call("listPoolerConfigs", { ref })
      .filter((pooler) => pooler.default_pool_size !== null || pooler.pool_mode !== "transaction"),
  isChanged: (shown) => field(shown, "default_pool_size") === 30 && field(shown, "pool_mode") === "session",
  editOutside: ({ projects }, ref) => {
    const pooler = projects.get(ref)?.pooler;
    if (pooler) pooler.defaultPoolSize = 40;
  },
  secrets: ["connectionString"],
};
