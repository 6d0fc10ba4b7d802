import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getSsoProviders", arguments: { projectRef: "${projectRef}" } } },
  outputs: { providers: "${found.ssoProviders}" },
};
