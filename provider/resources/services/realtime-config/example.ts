import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    realtime: {
      resource: "RealtimeConfig",
      properties: {
        projectRef: "${projectRef}",
        privateOnly: true,
        maxConcurrentUsers: 500,
        maxEventsPerSecond: 200,
      },
    },
  },
};
