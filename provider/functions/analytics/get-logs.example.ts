import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    found: {
      function: "getLogs",
      arguments: {
        projectRef: "${projectRef}",
        sql: "select timestamp, event_message from edge_logs order by timestamp desc limit 10",
        startTime: "2026-01-31T06:00:00Z",
        endTime: "2026-01-31T18:00:00Z",
      },
    },
  },
  outputs: { lines: "${found.rows}" },
};
