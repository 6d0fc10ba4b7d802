import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    fresh: {
      comment: "All data of the branch is lost, each time that the triggers change.",
      resource: "BranchReset",
      properties: {
        projectRef: "${projectRef}",
        branchRef: "abcdefghijklmnopqrst",
        confirm: "abcdefghijklmnopqrst",
        triggers: ["week 5"],
      },
    },
  },
};
