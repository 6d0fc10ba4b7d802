import * as pulumi from "@pulumi/pulumi";
import * as management from "pulumi-management";

const config = new pulumi.Config();
const organizationSlug = config.require("organizationSlug");
const customHostname = config.get("customHostname");

// The project, settled: every service is healthy before anything below is made.
const project = new management.Project("app", {
  name: config.get("projectName") ?? "quickstart",
  organizationSlug,
  dbPass: config.requireSecret("dbPass"),
  region: "eu-central-1",
});
const projectRef = project.ref;

const settings = new management.PostgresConfig("settings", {
  projectRef,
  maxConnections: 120,
  statementTimeout: "30s",
  workMem: "16MB",
});

// A database of its own for a preview; ready means usable.
const preview = new management.Branch("preview", {
  projectRef,
  name: "preview",
  gitBranch: "feature/checkout",
});

const signingKey = new management.SigningKey("signing-key", { projectRef, algorithm: "ES256" });

const apiKey = new management.ApiKey("backend", {
  projectRef,
  type: "secret",
  name: "backend",
  description: "Used by the backend.",
});

const paymentToken = new management.Secret("payment-token", {
  projectRef,
  name: "PAYMENT_TOKEN",
  value: config.requireSecret("paymentToken"),
});

const hello = new management.EdgeFunction("hello", {
  projectRef,
  slug: "hello",
  name: "Hello",
  verifyJwt: true,
  sourceDir: "functions/hello",
});

const sso = new management.SsoProvider("workforce", {
  projectRef,
  type: "saml",
  metadataUrl: "https://idp.example.com/saml/metadata",
  domains: ["example.com", "example.org"],
});

// Needs the custom-domain add-on, and a domain of yours: set `customHostname` to have it.
const hostname =
  customHostname === undefined
    ? undefined
    : new management.CustomHostname("hostname", { projectRef, customHostname });

export const ref = project.ref;
export const databaseHost = project.database.host;
export const branchRef = preview.ref;
export const branchPassword = preview.password;
export const backendKey = apiKey.apiKey;
export const signingKeyId = signingKey.id;
export const functionVersion = hello.version;
export const secretInSync = paymentToken.inSync;
export const ssoProviderId = sso.id;
export const maxConnections = settings.maxConnections;
export const dnsRecords = hostname?.validationRecords;
