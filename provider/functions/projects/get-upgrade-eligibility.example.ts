import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getUpgradeEligibility", arguments: { projectRef: "${projectRef}" } } },
  outputs: { possibleVersions: "${found.targetUpgradeVersions}" },
};
