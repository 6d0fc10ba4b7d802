import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getBackups", arguments: { projectRef: "${projectRef}" } } },
  outputs: { backups: "${found.backups}" },
};
