import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getJitUsers", arguments: { projectRef: "${projectRef}" } } },
  outputs: { users: "${found.users}" },
};
