import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    settings: {
      resource: "RealtimeConfig",
      properties: { projectRef: "${projectRef}", privateOnly: true },
    },
    reconnect: {
      comment: "Who is connected already connects again, by the new settings.",
      resource: "RealtimeShutdown",
      properties: { projectRef: "${projectRef}", triggers: ["${settings.privateOnly}"] },
    },
  },
};
