import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    preview: {
      function: "getBranch",
      arguments: { projectRef: "${projectRef}", name: "checkout" },
    },
  },
  outputs: { host: "${preview.host}", password: "${preview.password}" },
};
