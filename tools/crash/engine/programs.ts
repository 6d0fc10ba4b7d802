import { declare, type YamlProgram } from "../../engine/emulated-yaml";
import type { Inventory } from "./inventory";

const FUNCTION = 'Deno.serve(() => new Response("hello"));';
const DB_PASS = "db-password-of-the-test";
const METADATA_URL = "https://idp.example.com/saml/metadata";

/** What both programs declare, by the number of objects. */
export const DECLARED: Inventory = {
  projects: 1,
  branches: 2,
  apiKeys: 2,
  signingKeys: 1,
  functions: 2,
  secrets: 3,
  ssoProviders: 1,
};

/** The quickstart's resources and more of those that are made quickly. */
export const CLASSES = `
const management = require("pulumi-management");
const project = new management.Project("app", {
  name: "shop", organizationSlug: "acme", dbPass: "${DB_PASS}", region: "eu-central-1",
});
const projectRef = project.ref;
new management.PostgresConfig("settings", { projectRef, maxConnections: 120, workMem: "16MB" });
for (const name of ["preview", "staging"]) {
  new management.Branch(name, { projectRef, name, gitBranch: "feature/" + name });
}
for (const name of ["backend", "worker"]) new management.ApiKey(name, { projectRef, type: "secret", name });
new management.SigningKey("signing-key", { projectRef, algorithm: "ES256" });
for (const slug of ["hello", "goodbye"]) {
  new management.EdgeFunction(slug, { projectRef, slug, files: { "index.ts": ${JSON.stringify(FUNCTION)} } });
}
for (const name of ["PAYMENT_TOKEN", "MAIL_TOKEN", "MAP_TOKEN"]) {
  new management.Secret(name, { projectRef, name, value: "value-of-the-test" });
}
new management.SsoProvider("workforce", {
  projectRef, type: "saml", metadataUrl: "${METADATA_URL}", domains: ["example.com"],
});
exports.ref = project.ref;
`;

const projectRef = "${app.ref}";
const edgeFunction = declare("EdgeFunction", { projectRef, files: { "index.ts": FUNCTION } });
const apiKey = declare("ApiKey", { projectRef, type: "secret" });
const secret = (name: string) => declare("Secret", { projectRef, name, value: "value-of-the-test" });

/** The same in YAML, without the names that the plugin makes up. */
export const YAML: YamlProgram = {
  resources: {
    app: declare("Project", { organizationSlug: "acme", dbPass: DB_PASS, region: "eu-central-1" }),
    settings: declare("PostgresConfig", { projectRef, maxConnections: 120, workMem: "16MB" }),
    preview: declare("Branch", { projectRef, gitBranch: "feature/preview" }),
    staging: declare("Branch", { projectRef, gitBranch: "feature/staging" }),
    backend: apiKey,
    worker: apiKey,
    "signing-key": declare("SigningKey", { projectRef, algorithm: "ES256" }),
    hello: edgeFunction,
    goodbye: edgeFunction,
    "payment-token": secret("PAYMENT_TOKEN"),
    "mail-token": secret("MAIL_TOKEN"),
    "map-token": secret("MAP_TOKEN"),
    workforce: declare("SsoProvider", {
      projectRef,
      type: "saml",
      metadataUrl: METADATA_URL,
      domains: ["example.com"],
    }),
  },
  outputs: { ref: "${app.ref}" },
};
