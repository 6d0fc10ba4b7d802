import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    found: {
      function: "getTypescriptTypes",
      arguments: { projectRef: "${projectRef}", includedSchemas: ["public"] },
    },
  },
  outputs: { types: "${found.types}" },
};
