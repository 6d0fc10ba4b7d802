import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getRestoreVersions", arguments: { projectRef: "${projectRef}" } } },
  outputs: { versions: "${found.versions}" },
};
