import type { Declaration, Example, ResourceDifference } from "./example";
import { declaredIn } from "./from-fixtures";

/** A value for `rootKey` in the configuration of an example, which takes no text of another form. */
export const ROOT_KEY = "0f1e2d3c".repeat(8);

const inApp = (type: string, difference?: ResourceDifference): Declaration =>
  declaredIn("${app.ref}", type, difference);

const inReports = (type: string, difference?: ResourceDifference): Declaration =>
  declaredIn("${reports.ref}", type, difference);

/** What both projects have. */
const project = {
  organizationSlug: "${organizationSlug}",
  dbPass: "${dbPass}",
  region: "eu-central-1",
};

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
    platform: inApp("Organization", {
      comment: "For later projects: the API can make an organization, and neither rename nor delete it.",
    }),
    app: inApp("Project", {
      comment: "The project, settled: every service is healthy before anything below is made.",
      properties: { name: "whole-project", ...project, instanceSize: "xlarge" },
    }),
    disk: inApp("Disk"),
    recovery: inApp("BillingAddon"),
    backups: inApp("BackupSchedule", {
      comment: "This and the claim token below need operations that some installations do not have.",
      properties: { scheduleFor: "03:00" },
    }),
    claim: inApp("ProjectClaimToken"),
    replica: inApp("ReadReplica", {
      comment: "Replicas need a compute size that is large enough, and backups that the recovery makes.",
      dependsOn: ["recovery"],
    }),
    settings: inApp("PostgresConfig", { properties: { statementTimeout: "30s", workMem: "16MB" } }),
    pooler: inApp("PoolerConfig"),
    ssl: inApp("SslEnforcement"),
    encryption: inApp("CryptoExtensionKey", {
      comment: "Data encrypted with another key cannot be read with this one.",
    }),
    webhooks: inApp("DatabaseWebhooks"),
    schema: inApp("MigrationSet", {
      comment: "Each file of the folder is applied once, in the order of the versions.",
      properties: { directory: "../quickstart/migrations" },
    }),
    reporting: inApp("LoginRole", {
      comment: "Short-lived credentials: an up that finds them expired creates new ones.",
      properties: { rotateBefore: 0 },
    }),
    jitAccess: inApp("JitAccess"),
    onCall: inApp("JitUser", {
      properties: {
        roles: [{ role: "postgres", expiresAt: "2040-01-31T18:00:00Z", allowedCidrs: ["192.0.2.0/24"] }],
      },
    }),
    network: inApp("NetworkRestrictions"),
    auth: inApp("AuthConfig", {
      properties: {
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
    }),
    legacySigning: inApp("LegacySigningKey"),
    signing: inApp("SigningKey", { dependsOn: ["legacySigning"] }),
    backend: inApp("ApiKey", { properties: { description: "Used by the backend." } }),
    legacyKeys: inApp("LegacyApiKeys"),
    workforce: inApp("SsoProvider", {
      properties: {
        metadataUrl: "https://idp.example.com/saml/metadata",
        domains: ["example.com", "example.org"],
      },
    }),
    partners: inApp("ThirdPartyAuth"),
    realtime: inApp("RealtimeConfig"),
    restLayer: inApp("RestLayerConfig"),
    storage: inApp("StorageConfig"),
    avatars: inApp("StorageBucket"),
    vaultToken: inApp("VaultSecret", {
      comment: "SQL reads it from `vault.decrypted_secrets`.",
      properties: { value: "${paymentToken}" },
    }),
    operations: inApp("WebhookEndpoint", {
      comment: "The service tells it of this project. Some installations do not have these operations.",
      properties: { customHeaders: { Authorization: "${paymentToken}" } },
    }),
    archive: inApp("LogDrain", {
      comment: "Log drains need a paid plan, and operations that some installations do not have.",
      properties: {
        webhook: {
          url: "https://logs.example.com/ingest",
          gzip: true,
          headers: { Authorization: "${paymentToken}" },
        },
      },
    }),
    audit: inApp("OrganizationWebhookEndpoint", {
      properties: {
        organizationSlug: "${organizationSlug}",
        customHeaders: { Authorization: "${paymentToken}" },
      },
    }),
    paymentSecret: inApp("Secret", { properties: { value: "${paymentToken}" } }),
    mailSecrets: inApp("SecretSet", {
      properties: { secrets: { MAIL_HOST: "mail.example.com", MAIL_PASSWORD: "${smtpPassword}" } },
    }),
    ping: inApp("EdgeFunction", {
      properties: {
        slug: "ping",
        name: "Ping",
        verifyJwt: true,
        files: { "index.ts": 'Deno.serve(() => new Response("pong"));\n' },
      },
    }),
    fromFolders: inApp("FunctionSet", {
      properties: { sourceDir: "../quickstart/functions", functions: { hello: { verifyJwt: false } } },
    }),
    customDomain: inApp("BillingAddon", {
      properties: { addonType: "custom_domain", variant: "cd_default" },
    }),
    hostname: inApp("CustomHostname", {
      properties: { customHostname: "db.shop.example.com" },
      dependsOn: ["customDomain"],
    }),
    activation: inApp("CustomHostnameActivation", {
      comment:
        "Here it waits until somebody has made the DNS records; with a DNS provider it depends on them.",
      properties: { customHostname: "${hostname.customHostname}" },
    }),
    preview: inApp("Branch", {
      comment: "A preview has its own database: configure it by its own ref.",
      properties: { gitBranch: "feature/checkout" },
    }),
    previewSettings: {
      resource: "PostgresConfig",
      properties: { projectRef: "${preview.ref}", statementTimeout: "5s" },
    },
    reports: inApp("Project", {
      comment: "A second project: one has either a custom hostname or a vanity subdomain.",
      properties: { name: "whole-project-reports", ...project },
    }),
    subdomain: inReports("VanitySubdomain", { properties: { vanitySubdomain: "shop-reports" } }),
    ledger: inReports("Migration", {
      comment: "A migration by itself, where the project above has a folder of them.",
      properties: {
        version: "20260101120000",
        name: "create_ledger",
        query: "create table ledger (id bigint primary key);",
        rollback: "drop table ledger;",
      },
    }),
    office: inReports("AllowedCidr", {
      comment: "One entry of a list that others share, where the project above declares the whole list.",
      properties: { cidr: "203.0.113.0/24" },
    }),
  },
  outputs: {
    ref: "${app.ref}",
    previewRef: "${preview.ref}",
    reportsRef: "${reports.ref}",
    backendKey: "${backend.apiKey}",
    dnsRecords: "${hostname.validationRecords}",
  },
};
