import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getMigrations", arguments: { projectRef: "${projectRef}" } } },
  outputs: { applied: "${found.migrations}" },
};
