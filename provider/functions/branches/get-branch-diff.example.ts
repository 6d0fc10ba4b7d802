import type { Example } from "../../define/example";

export const example: Example = {
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
};
