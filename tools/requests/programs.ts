/** The resources of one YAML program by name. */
type Program = Readonly<Record<string, object>>;

const secret = (value: unknown): object => ({ "fn::secret": value });

function declare(type: string, properties: object, options?: object): object {
  return { type: `management:index:${type}`, properties, ...(options === undefined ? {} : { options }) };
}

const projectRef = "${app.ref}";

/** The key of RFC 7515, A.3, which everybody knows. */
const PRIVATE_JWK = {
  kty: "EC",
  crv: "P-256",
  x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
  d: "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X9fDoZ4TKEk",
};

const PROJECT = { organizationSlug: "acme", region: "eu-central-1" };
const SSO = { projectRef, type: "saml", metadataUrl: "https://idp.example.com/metadata" };

/** Every resource, with something nested and something secret wherever there is such a thing. */
export const made: Program = {
  app: declare("Project", {
    ...PROJECT,
    dbPass: secret("recorded-db-password"),
    waitForServices: ["db", "auth"],
  }),
  settings: declare("PostgresConfig", { projectRef, maxConnections: 120, workMem: "16MB" }),
  preview: declare("Branch", {
    projectRef,
    branchName: "preview",
    gitBranch: "feature/a",
    secrets: { TOKEN: "recorded-branch-secret" },
  }),
  signing: declare("SigningKey", {
    projectRef,
    algorithm: "ES256",
    status: "standby",
    privateJwk: secret(PRIVATE_JWK),
  }),
  backend: declare("ApiKey", {
    projectRef,
    type: "secret",
    name: "backend",
    description: "one",
    secretJwtTemplate: { role: "service_role", app: { tenants: ["one", "two"] } },
  }),
  token: declare("Secret", { projectRef, name: "PAYMENT_TOKEN", value: "recorded-value" }),
  hello: declare("EdgeFunction", {
    projectRef,
    slug: "hello",
    name: "Hello",
    files: {
      "index.ts": 'import { text } from "./lib/text.ts";\nDeno.serve(() => new Response(text));\n',
      "lib/text.ts": 'export const text = "one";\n',
    },
  }),
  workforce: declare("SsoProvider", {
    ...SSO,
    domains: ["b.example.com", "a.example.com"],
    attributeMapping: { keys: { email: { name: "mail" }, "phone.work": { names: ["tel", "phone"] } } },
  }),
  hostname: declare(
    "CustomHostname",
    { projectRef, customHostname: "db.example.com" },
    // Somebody buys the add-on meanwhile.
    { dependsOn: ["${settings}"] },
  ),
};

/** Every resource with changes that are made in place, each at another depth or of another kind. */
export const updated: Program = {
  app: declare("Project", {
    ...PROJECT,
    dbPass: secret("recorded-next-password"),
    waitForServices: ["auth"],
  }),
  settings: declare("PostgresConfig", { projectRef, workMem: "32MB", statementTimeout: "30s" }),
  preview: declare("Branch", {
    projectRef,
    branchName: "preview",
    gitBranch: "feature/b",
    secrets: { TOKEN: "recorded-next-branch-secret", OTHER: "recorded-other-branch-secret" },
  }),
  signing: declare("SigningKey", {
    projectRef,
    algorithm: "ES256",
    status: "in_use",
    privateJwk: secret(PRIVATE_JWK),
  }),
  backend: declare("ApiKey", {
    projectRef,
    type: "secret",
    name: "backend",
    secretJwtTemplate: { role: "service_role", app: { tenants: ["one", "three"] } },
    reason: "rotated",
  }),
  token: declare("Secret", { projectRef, name: "PAYMENT_TOKEN", value: "recorded-next-value" }),
  hello: declare("EdgeFunction", {
    projectRef,
    slug: "hello",
    name: "Hello",
    verifyJwt: false,
    files: { "index.ts": 'Deno.serve(() => new Response("two"));\n' },
  }),
  workforce: declare("SsoProvider", {
    ...SSO,
    domains: ["a.example.com", "c.example.com"],
    attributeMapping: { keys: { email: { name: "e-mail" }, "phone.work": { names: ["tel"] } } },
  }),
  hostname: declare("CustomHostname", { projectRef, customHostname: "db.example.com", activate: true }),
};

/** What only a replacement can change, where it can be changed at all. */
export const replaced: Program = {
  ...made,
  preview: declare("Branch", { projectRef, branchName: "preview", region: "us-east-1" }),
  signing: declare("SigningKey", { projectRef, algorithm: "EdDSA" }),
  backend: declare("ApiKey", { projectRef, type: "publishable", name: "backend" }),
  token: declare("Secret", { projectRef, name: "OTHER_TOKEN", value: "recorded-value" }),
  hello: declare("EdgeFunction", {
    projectRef,
    slug: "hi",
    files: { "index.ts": "Deno.serve(() => new Response());\n" },
  }),
  hostname: declare("CustomHostname", { projectRef, customHostname: "api.example.com" }),
};

/** Another project, and so another of everything, its reference not known yet. */
export const moved: Program = {
  ...made,
  app: declare("Project", { ...PROJECT, region: "us-east-1", dbPass: secret("recorded-db-password") }),
};
