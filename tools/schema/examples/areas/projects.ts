import type { Examples } from "../example";

export const projects: Examples = {
  Project: {
    config: { dbPass: "secret" },
    declares: {
      shop: {
        resource: "Project",
        properties: {
          name: "shop",
          organizationSlug: "acme",
          dbPass: "${dbPass}",
          regionSelection: { type: "smartGroup", code: "emea" },
          instanceSize: "small",
          waitForServices: ["db", "auth", "rest"],
        },
      },
    },
    outputs: {
      projectRef: "${shop.ref}",
      region: "${shop.region}",
      connectionString: "${shop.connectionString}",
    },
  },

  ProjectClaim: {
    config: { projectRef: "text", claimToken: "secret" },
    declares: {
      takenOver: {
        resource: "ProjectClaim",
        properties: {
          projectRef: "${projectRef}",
          organizationSlug: "acme",
          token: "${claimToken}",
        },
      },
    },
  },

  ProjectClaimToken: {
    config: { projectRef: "text" },
    declares: {
      handOver: { resource: "ProjectClaimToken", properties: { projectRef: "${projectRef}" } },
    },
    outputs: { claimToken: "${handOver.token}", validUntil: "${handOver.expiresAt}" },
  },

  RestoreCancellation: {
    config: { projectRef: "text" },
    declares: {
      stopTheRestore: {
        resource: "RestoreCancellation",
        properties: { projectRef: "${projectRef}", triggers: { ticket: "4711" } },
      },
    },
  },

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
