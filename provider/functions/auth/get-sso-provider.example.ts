import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    staff: {
      function: "getSsoProvider",
      arguments: { projectRef: "${projectRef}", domain: "example.com" },
    },
  },
  outputs: { providerId: "${staff.providerId}" },
};
