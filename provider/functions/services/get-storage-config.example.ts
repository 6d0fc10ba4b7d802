import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getStorageConfig", arguments: { projectRef: "${projectRef}" } } },
  outputs: { fileSizeLimit: "${found.fileSizeLimit}" },
};
