import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getCustomHostname", arguments: { projectRef: "${projectRef}" } } },
  outputs: { certificateRecords: "${found.validationRecords}" },
};
