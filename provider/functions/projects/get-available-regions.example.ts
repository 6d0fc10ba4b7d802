import type { Example } from "../../define/example";

export const example: Example = {
  declares: {
    regions: {
      function: "getAvailableRegions",
      arguments: { organizationSlug: "acme", continent: "EU", instanceSize: "small" },
    },
  },
  outputs: { recommended: "${regions.recommendations}" },
};
