import type { Example } from "../../define/example";

export const example: Example = {
  declares: {
    paused: {
      function: "getProjects",
      arguments: { organizationSlug: "acme", statuses: ["INACTIVE"], sort: "name_asc" },
    },
  },
  outputs: { pausedProjects: "${paused.projects}" },
};
