import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getBuckets", arguments: { projectRef: "${projectRef}" } } },
  outputs: { buckets: "${found.buckets}" },
};
