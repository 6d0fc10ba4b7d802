import type { Example } from "../../define/example";

export const example: Example = {
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
};
