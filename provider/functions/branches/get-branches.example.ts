import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getBranches", arguments: { projectRef: "${projectRef}" } } },
  outputs: { branches: "${found.branches}" },
};
