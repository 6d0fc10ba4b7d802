import type { Example } from "./example";

/** Projects, their branches and what is configured for each. */
export const projectExamples: Readonly<Record<string, Example>> = {
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
          desiredInstanceSize: "small",
          waitForServices: ["db", "auth", "rest"],
        },
      },
    },
    outputs: { projectRef: "${shop.ref}", region: "${shop.region}" },
  },
  Branch: {
    config: { projectRef: "text", paymentToken: "secret" },
    declares: {
      preview: {
        resource: "Branch",
        properties: {
          projectRef: "${projectRef}",
          branchName: "checkout",
          gitBranch: "feature/checkout",
          persistent: false,
          secrets: { PAYMENT_TOKEN: "${paymentToken}" },
        },
      },
      settings: {
        resource: "PostgresConfig",
        properties: { projectRef: "${preview.ref}", statementTimeout: "30s" },
      },
    },
    outputs: { host: "${preview.host}", password: "${preview.password}" },
  },
  PostgresConfig: {
    config: { projectRef: "text" },
    declares: {
      settings: {
        resource: "PostgresConfig",
        properties: {
          projectRef: "${projectRef}",
          maxConnections: 120,
          statementTimeout: "30s",
          workMem: "16MB",
          trackCommitTimestamp: true,
          restartDatabase: true,
        },
      },
    },
  },
  CustomHostname: {
    config: { projectRef: "text" },
    declares: {
      hostname: {
        resource: "CustomHostname",
        properties: { projectRef: "${projectRef}", customHostname: "db.example.com" },
      },
    },
    outputs: {
      ownershipRecord: "${hostname.ownershipVerification}",
      certificateRecords: "${hostname.validationRecords}",
      cnameTarget: "${hostname.customOriginServer}",
    },
  },
};
