import type { realtimeConfig } from "../../../provider/resources/services/realtime-config/realtime-config";
import { field, type SampleOf } from "../sample";

export const sample: SampleOf<typeof realtimeConfig> = {
  type: "RealtimeConfig",
  needsProject: true,
  inputs: (projectRef) => ({ projectRef, privateOnly: true, maxConcurrentUsers: 500 }),
  changed: (projectRef) => ({
    projectRef,
    privateOnly: true,
    maxConcurrentUsers: 750,
    maxEventsPerSecond: 300,
  }),
  onService: ({ emulator }, ref) => {
    const config = emulator.control.call("getRealtimeConfig", { ref });
    return config.private_only === true ? [config] : [];
  },
  isChanged: (shown) => field(shown, "max_concurrent_users") === 750,
  editOutside: ({ projects }, ref) => {
    const realtime = projects.get(ref)?.realtime;
    if (realtime) realtime.config = { ...realtime.config, max_concurrent_users: 7 };
  },
};
