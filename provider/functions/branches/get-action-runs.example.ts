import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    latest: {
      function: "getActionRuns",
      arguments: { projectRef: "${projectRef}", newest: 5 },
    },
  },
  outputs: { runs: "${latest.runs}" },
};
