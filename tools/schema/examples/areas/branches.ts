import type { Examples } from "../example";

export const branches: Examples = {
  Branch: {
    config: { projectRef: "text", paymentToken: "secret" },
    declares: {
      preview: {
        resource: "Branch",
        properties: {
          projectRef: "${projectRef}",
          name: "checkout",
          gitBranch: "feature/checkout",
          persistent: false,
          secrets: { PAYMENT_TOKEN: "${paymentToken}" },
        },
      },
      settings: {
        resource: "PostgresConfig",
        properties: { projectRef: "${preview.ref}", statementTimeout: "30s" },
      },
    },
    outputs: { host: "${preview.host}", password: "${preview.password}" },
  },

  BranchMerge: {
    config: { projectRef: "text" },
    declares: {
      preview: {
        resource: "Branch",
        properties: { projectRef: "${projectRef}", name: "preview" },
      },
      release: {
        comment: "The next release is another text.",
        resource: "BranchMerge",
        properties: { projectRef: "${projectRef}", branchRef: "${preview.ref}", triggers: ["1.4.0"] },
      },
    },
    outputs: { runId: "${release.runId}" },
  },

  BranchPush: {
    config: { projectRef: "text" },
    declares: {
      preview: {
        resource: "Branch",
        properties: { projectRef: "${projectRef}", name: "preview" },
      },
      catchUp: {
        comment: "Brings what was migrated in the project since to the branch.",
        resource: "BranchPush",
        properties: {
          projectRef: "${projectRef}",
          branchRef: "${preview.ref}",
          triggers: { migration: "20270131180000" },
        },
      },
    },
  },

  BranchReset: {
    config: { projectRef: "text" },
    declares: {
      fresh: {
        comment: "Each change of the triggers deletes all data of the branch.",
        resource: "BranchReset",
        properties: {
          projectRef: "${projectRef}",
          branchRef: "abcdefghijklmnopqrst",
          confirm: "abcdefghijklmnopqrst",
          triggers: ["week 5"],
        },
      },
    },
  },

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
