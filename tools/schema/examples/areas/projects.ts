import type { Examples } from "../example";

export const projects: Examples = {
  getAvailableRegions: {
    declares: {
      regions: {
        function: "getAvailableRegions",
        arguments: { organizationSlug: "acme", continent: "EU", instanceSize: "small" },
      },
    },
    outputs: { recommended: "${regions.recommendations}" },
  },

  getHealth: {
    config: { projectRef: "text" },
    declares: {
      found: { function: "getHealth", arguments: { projectRef: "${projectRef}", services: ["db", "auth"] } },
    },
    outputs: { health: "${found.services}" },
  },

  getProject: {
    declares: {
      shop: { function: "getProject", arguments: { organizationSlug: "acme", name: "shop" } },
      backend: {
        resource: "ApiKey",
        properties: { projectRef: "${shop.ref}", type: "publishable", name: "web_shop" },
      },
    },
    outputs: { status: "${shop.status}" },
  },

  getProjects: {
    declares: {
      paused: {
        function: "getProjects",
        arguments: { organizationSlug: "acme", statuses: ["INACTIVE"], sort: "name_asc" },
      },
    },
    outputs: { pausedProjects: "${paused.projects}" },
  },

  getRestoreVersions: {
    config: { projectRef: "text" },
    declares: { found: { function: "getRestoreVersions", arguments: { projectRef: "${projectRef}" } } },
    outputs: { versions: "${found.versions}" },
  },

  getUpgradeEligibility: {
    config: { projectRef: "text" },
    declares: { found: { function: "getUpgradeEligibility", arguments: { projectRef: "${projectRef}" } } },
    outputs: { possibleVersions: "${found.targetUpgradeVersions}" },
  },

  getUpgradeStatus: {
    config: { projectRef: "text" },
    declares: { found: { function: "getUpgradeStatus", arguments: { projectRef: "${projectRef}" } } },
    outputs: { upgrade: "${found.upgrade}" },
  },
};
