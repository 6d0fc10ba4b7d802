import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getAuthConfig", arguments: { projectRef: "${projectRef}" } } },
  outputs: { siteUrl: "${found.siteUrl}" },
};
