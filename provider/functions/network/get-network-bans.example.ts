import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getNetworkBans", arguments: { projectRef: "${projectRef}" } } },
  outputs: { bannedAddresses: "${found.addresses}" },
};
