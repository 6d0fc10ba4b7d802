import type { Example } from "./example";

/** A value for `rootKey` in the configuration of an example, which takes no text of another form. */
export const ROOT_KEY = "0f1e2d3c".repeat(8);

/** A resource of every type in one program; two of a kind where a project cannot have both. */
export const wholeProject: Example = {
  config: {
    organizationSlug: "text",
    dbPass: "secret",
    paymentToken: "secret",
    smtpPassword: "secret",
    rootKey: "secret",
  },
  declares: {
    platform: {
      comment: "For later projects: the API can make an organization, and neither rename nor delete it.",
      resource: "Organization",
      properties: { name: "Platform" },
    },
    app: {
      comment: "The project, settled: every service is healthy before anything below is made.",
      resource: "Project",
      properties: {
        name: "whole-project",
        organizationSlug: "${organizationSlug}",
        dbPass: "${dbPass}",
        region: "eu-central-1",
        instanceSize: "xlarge",
      },
    },
    disk: {
      resource: "Disk",
      properties: { projectRef: "${app.ref}", type: "gp3", sizeGb: 20, iops: 3500 },
    },
    recovery: {
      resource: "BillingAddon",
      properties: { projectRef: "${app.ref}", addonType: "pitr", variant: "pitr_7" },
    },
    backups: {
      comment: "This and the claim token below need operations that some installations do not have.",
      resource: "BackupSchedule",
      properties: { projectRef: "${app.ref}", scheduleFor: "03:00" },
    },
    claim: { resource: "ProjectClaimToken", properties: { projectRef: "${app.ref}" } },
    replica: {
      comment: "Replicas need a compute size that is large enough, and backups that the recovery makes.",
      resource: "ReadReplica",
      properties: { projectRef: "${app.ref}", region: "us-east-1" },
      dependsOn: ["recovery"],
    },
    settings: {
      resource: "PostgresConfig",
      properties: {
        projectRef: "${app.ref}",
        maxConnections: 120,
        statementTimeout: "30s",
        workMem: "16MB",
      },
    },
    pooler: {
      resource: "PoolerConfig",
      properties: { projectRef: "${app.ref}", defaultPoolSize: 20 },
    },
    ssl: {
      resource: "SslEnforcement",
      properties: { projectRef: "${app.ref}", database: true },
    },
    encryption: {
      comment: "Data encrypted with another key cannot be read with this one.",
      resource: "CryptoExtensionKey",
      properties: { projectRef: "${app.ref}", rootKey: "${rootKey}", allowKeyChange: true },
    },
    webhooks: { resource: "DatabaseWebhooks", properties: { projectRef: "${app.ref}" } },
    schema: {
      comment: "Each file of the folder is applied once, in the order of the versions.",
      resource: "MigrationSet",
      properties: { projectRef: "${app.ref}", directory: "../quickstart/migrations" },
    },
    reporting: {
      comment: "Short-lived credentials: an up that finds them expired creates new ones.",
      resource: "LoginRole",
      properties: { projectRef: "${app.ref}", readOnly: true, rotateBefore: 0 },
    },
    jitAccess: { resource: "JitAccess", properties: { projectRef: "${app.ref}", state: "enabled" } },
    onCall: {
      resource: "JitUser",
      properties: {
        projectRef: "${app.ref}",
        userId: "7f0c9a2e-3b1d-4c5e-8f6a-0b1c2d3e4f50",
        roles: [{ role: "postgres", expiresAt: "2040-01-31T18:00:00Z", allowedCidrs: ["192.0.2.0/24"] }],
      },
    },
    network: {
      resource: "NetworkRestrictions",
      properties: {
        projectRef: "${app.ref}",
        allowedCidrs: ["203.0.113.0/24", "198.51.100.7/32"],
        allowedCidrsV6: ["2001:db8:42::/48"],
      },
    },
    auth: {
      resource: "AuthConfig",
      properties: {
        projectRef: "${app.ref}",
        siteUrl: "https://shop.example.com",
        jwtExp: 1800,
        smtp: {
          host: "mail.example.com",
          port: 587,
          user: "mailer",
          password: "${smtpPassword}",
          adminEmail: "auth@example.com",
        },
        mailer: { otpLength: 8, templates: { invite: { subject: "Welcome to the shop" } } },
        rateLimits: { emailSent: 100 },
        password: { minLength: 12 },
      },
    },
    legacySigning: { resource: "LegacySigningKey", properties: { projectRef: "${app.ref}" } },
    signing: {
      resource: "SigningKey",
      properties: { projectRef: "${app.ref}", algorithm: "ES256", status: "standby" },
      dependsOn: ["legacySigning"],
    },
    backend: {
      resource: "ApiKey",
      properties: {
        projectRef: "${app.ref}",
        type: "secret",
        name: "backend",
        description: "Used by the backend.",
      },
    },
    legacyKeys: {
      resource: "LegacyApiKeys",
      properties: { projectRef: "${app.ref}", enabled: false },
    },
    workforce: {
      resource: "SsoProvider",
      properties: {
        projectRef: "${app.ref}",
        type: "saml",
        metadataUrl: "https://idp.example.com/saml/metadata",
        domains: ["example.com", "example.org"],
      },
    },
    partners: {
      resource: "ThirdPartyAuth",
      properties: { projectRef: "${app.ref}", oidcIssuerUrl: "https://idp.example.com" },
    },
    realtime: {
      resource: "RealtimeConfig",
      properties: { projectRef: "${app.ref}", privateOnly: true, maxConcurrentUsers: 500 },
    },
    restLayer: {
      resource: "RestLayerConfig",
      properties: { projectRef: "${app.ref}", dbSchema: "public,api", maxRows: 500 },
    },
    storage: {
      resource: "StorageConfig",
      properties: {
        projectRef: "${app.ref}",
        fileSizeLimit: 10485760,
        features: { s3Protocol: { enabled: false }, vectorBuckets: { maxBuckets: 20 } },
      },
    },
    paymentSecret: {
      resource: "Secret",
      properties: { projectRef: "${app.ref}", name: "PAYMENT_TOKEN", value: "${paymentToken}" },
    },
    mailSecrets: {
      resource: "SecretSet",
      properties: {
        projectRef: "${app.ref}",
        secrets: { MAIL_HOST: "mail.example.com", MAIL_PASSWORD: "${smtpPassword}" },
      },
    },
    ping: {
      resource: "EdgeFunction",
      properties: {
        projectRef: "${app.ref}",
        slug: "ping",
        name: "Ping",
        verifyJwt: true,
        files: { "index.ts": 'Deno.serve(() => new Response("pong"));\n' },
      },
    },
    fromFolders: {
      resource: "FunctionSet",
      properties: {
        projectRef: "${app.ref}",
        sourceDir: "../quickstart/functions",
        functions: { hello: { verifyJwt: false } },
      },
    },
    customDomain: {
      resource: "BillingAddon",
      properties: { projectRef: "${app.ref}", addonType: "custom_domain", variant: "cd_default" },
    },
    hostname: {
      resource: "CustomHostname",
      properties: { projectRef: "${app.ref}", customHostname: "db.shop.example.com" },
      dependsOn: ["customDomain"],
    },
    activation: {
      comment:
        "Here it waits until somebody has made the DNS records; with a DNS provider it depends on them.",
      resource: "CustomHostnameActivation",
      properties: { projectRef: "${app.ref}", customHostname: "${hostname.customHostname}" },
    },
    preview: {
      comment: "A preview has its own database: configure it by its own ref.",
      resource: "Branch",
      properties: { projectRef: "${app.ref}", name: "preview", gitBranch: "feature/checkout" },
    },
    previewSettings: {
      resource: "PostgresConfig",
      properties: { projectRef: "${preview.ref}", statementTimeout: "5s" },
    },
    reports: {
      comment: "A second project: one has either a custom hostname or a vanity subdomain.",
      resource: "Project",
      properties: {
        name: "whole-project-reports",
        organizationSlug: "${organizationSlug}",
        dbPass: "${dbPass}",
        region: "eu-central-1",
      },
    },
    subdomain: {
      resource: "VanitySubdomain",
      properties: { projectRef: "${reports.ref}", vanitySubdomain: "shop-reports" },
    },
    ledger: {
      comment: "A migration by itself, where the project above has a folder of them.",
      resource: "Migration",
      properties: {
        projectRef: "${reports.ref}",
        version: "20260101120000",
        name: "create_ledger",
        query: "create table ledger (id bigint primary key);",
        rollback: "drop table ledger;",
      },
    },
    office: {
      comment: "One entry of a list that others share, where the project above declares the whole list.",
      resource: "AllowedCidr",
      properties: { projectRef: "${reports.ref}", cidr: "203.0.113.0/24" },
    },
  },
  outputs: {
    ref: "${app.ref}",
    previewRef: "${preview.ref}",
    reportsRef: "${reports.ref}",
    backendKey: "${backend.apiKey}",
    dnsRecords: "${hostname.validationRecords}",
  },
};
