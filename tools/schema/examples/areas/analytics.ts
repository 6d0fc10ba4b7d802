import type { Examples } from "../example";

export const analytics: Examples = {
  getFunctionStats: {
    config: { projectRef: "text" },
    declares: {
      found: {
        function: "getFunctionStats",
        arguments: { projectRef: "${projectRef}", slug: "hello", interval: "1day" },
      },
    },
    outputs: { stats: "${found.stats}" },
  },

  getLogs: {
    config: { projectRef: "text" },
    declares: {
      found: {
        function: "getLogs",
        arguments: {
          projectRef: "${projectRef}",
          sql: "select timestamp, event_message from logs where source = 'edge_logs' order by timestamp desc limit 10",
          startTime: "2026-01-31T06:00:00Z",
          endTime: "2026-01-31T18:00:00Z",
        },
      },
    },
    outputs: { lines: "${found.rows}" },
  },

  getMetrics: {
    config: { projectRef: "text" },
    declares: {
      found: {
        function: "getMetrics",
        arguments: {
          projectRef: "${projectRef}",
          names: ["node_filesystem_size_bytes", "node_filesystem_avail_bytes"],
        },
      },
    },
    outputs: { samples: "${found.samples}" },
  },

  getUsage: {
    config: { projectRef: "text" },
    declares: {
      found: { function: "getUsage", arguments: { projectRef: "${projectRef}", interval: "1day" } },
    },
    outputs: { requestCount: "${found.requestCount}" },
  },
};
