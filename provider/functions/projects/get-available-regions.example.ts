import type { Example } from "../../define/example";

export const example: Example = {
  declares: {
    regions: {
      function: "getAvailableRegions",
      arguments: { organizationSlug: "acme", continent: "EU", desiredInstanceSize: "small" },
    },
  },
  outputs: { recommended: "${regions.recommendations}" },
};
