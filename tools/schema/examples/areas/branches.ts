import type { Examples } from "../example";

export const branches: Examples = {
  getActionRuns: {
    config: { projectRef: "text" },
    declares: {
      latest: {
        function: "getActionRuns",
        arguments: { projectRef: "${projectRef}", newest: 5 },
      },
    },
    outputs: { runs: "${latest.runs}" },
  },

  getBranchDiff: {
    config: { projectRef: "text" },
    declares: {
      preview: {
        function: "getBranch",
        arguments: { projectRef: "${projectRef}", name: "checkout" },
      },
      diff: {
        function: "getBranchDiff",
        arguments: { branchRef: "${preview.ref}", includedSchemas: ["public"] },
      },
    },
    outputs: { changes: "${diff.sql}" },
  },

  getBranch: {
    config: { projectRef: "text" },
    declares: {
      preview: {
        function: "getBranch",
        arguments: { projectRef: "${projectRef}", name: "checkout" },
      },
    },
    outputs: { host: "${preview.host}", password: "${preview.password}" },
  },

  getBranches: {
    config: { projectRef: "text" },
    declares: { found: { function: "getBranches", arguments: { projectRef: "${projectRef}" } } },
    outputs: { branches: "${found.branches}" },
  },
};
