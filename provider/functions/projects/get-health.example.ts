import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    found: { function: "getHealth", arguments: { projectRef: "${projectRef}", services: ["db", "auth"] } },
  },
  outputs: { health: "${found.services}" },
};
