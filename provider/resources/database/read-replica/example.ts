import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    replica: {
      resource: "ReadReplica",
      properties: { projectRef: "${projectRef}", region: "us-east-1" },
    },
  },
  outputs: { status: "${replica.status}" },
};
