import type { Example, ExampleValues } from "./example";

/** A program that reads the parts of a project and shows one property of the answer. */
function ofProject(name: string, output: string, shown: string, more: ExampleValues = {}): Example {
  return {
    config: { projectRef: "text" },
    declares: { found: { function: name, arguments: { projectRef: "${projectRef}", ...more } } },
    outputs: { [shown]: `\${found.${output}}` },
  };
}

/** Functions that read and change nothing. */
export const functionExamples: Readonly<Record<string, Example>> = {
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
  getAvailableRegions: {
    declares: {
      regions: {
        function: "getAvailableRegions",
        arguments: { organizationSlug: "acme", continent: "EU", desiredInstanceSize: "small" },
      },
    },
    outputs: { recommended: "${regions.recommendations}" },
  },
  getOrganization: {
    declares: { acme: { function: "getOrganization", arguments: { slug: "acme" } } },
    outputs: { plan: "${acme.plan}" },
  },
  getBranch: {
    config: { projectRef: "text" },
    declares: {
      preview: {
        function: "getBranch",
        arguments: { projectRef: "${projectRef}", branchName: "checkout" },
      },
    },
    outputs: { host: "${preview.host}", password: "${preview.password}" },
  },
  getHealth: ofProject("getHealth", "services", "health", { services: ["db", "auth"] }),
  getUpgradeEligibility: ofProject("getUpgradeEligibility", "targetUpgradeVersions", "possibleVersions"),
  getApiKeys: ofProject("getApiKeys", "apiKeys", "keys"),
  getSigningKeys: ofProject("getSigningKeys", "signingKeys", "keys"),
  getSsoProviders: ofProject("getSsoProviders", "ssoProviders", "providers"),
  getFunctions: ofProject("getFunctions", "functions", "deployed"),
  getPostgresConfig: ofProject("getPostgresConfig", "maxConnections", "maxConnections"),
  getCustomHostname: ofProject("getCustomHostname", "validationRecords", "certificateRecords"),
};
