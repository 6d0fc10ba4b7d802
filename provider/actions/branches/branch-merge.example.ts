import type { Example } from "../../define/example";

export const example: Example = {
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
};
