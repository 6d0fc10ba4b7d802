import type { AnyResource } from "../../provider/define/resource";
import { resourceByType } from "../../provider/catalog";
import type { Values } from "../../provider/lifecycle/state";
import type { Scenario } from "./scenario";

/** One resource of each type: how a program declares it, changes it, and where the service shows it. */
export interface Sample {
  readonly type: string;
  readonly inputs: (projectRef: string) => Values;
  /** The same resource with a change that is made in place. */
  readonly changed: (projectRef: string) => Values;
  /** What of this sample exists on the service, as the service itself shows it. */
  readonly onService: (scenario: Scenario, projectRef: string) => unknown[];
  /** How a shown object must differ after the change. */
  readonly isChanged: (shown: unknown) => boolean;
  readonly needsProject: boolean;
  readonly prepare?: (scenario: Scenario, projectRef: string) => void;
}

const SOURCE = { "index.ts": 'Deno.serve(() => new Response("one"));\n' };

function field(shown: unknown, name: string): unknown {
  return typeof shown === "object" && shown !== null ? Reflect.get(shown, name) : undefined;
}

export const samples: readonly Sample[] = [
  {
    type: "Project",
    needsProject: false,
    inputs: () => ({
      name: "shop",
      organizationSlug: "acme",
      dbPass: "first-password",
      region: "eu-central-1",
    }),
    changed: () => ({
      name: "store",
      organizationSlug: "acme",
      dbPass: "first-password",
      region: "eu-central-1",
    }),
    onService: ({ emulator }) =>
      emulator.control.call("listProjects", {}).filter(({ name }) => name === "shop" || name === "store"),
    isChanged: (shown) => field(shown, "name") === "store",
  },
  {
    type: "Branch",
    needsProject: true,
    inputs: (projectRef) => ({ projectRef, branchName: "preview", gitBranch: "feature/a" }),
    changed: (projectRef) => ({ projectRef, branchName: "preview", gitBranch: "feature/b" }),
    onService: ({ emulator }, ref) =>
      emulator.control.call("listBranches", { ref }).filter(({ is_default }) => !is_default),
    isChanged: (shown) => field(shown, "git_branch") === "feature/b",
  },
  {
    type: "SigningKey",
    needsProject: true,
    inputs: (projectRef) => ({ projectRef, algorithm: "ES256", status: "standby" }),
    changed: (projectRef) => ({ projectRef, algorithm: "ES256", status: "revoked" }),
    onService: ({ emulator }, ref) =>
      emulator.control.call("listSigningKeys", { ref }).keys.filter(({ algorithm }) => algorithm === "ES256"),
    isChanged: (shown) => field(shown, "status") === "revoked",
  },
  {
    type: "ApiKey",
    needsProject: true,
    inputs: (projectRef) => ({ projectRef, type: "secret", name: "backend", description: "one" }),
    changed: (projectRef) => ({ projectRef, type: "secret", name: "backend", description: "two" }),
    onService: ({ emulator }, ref) =>
      emulator.control.call("listApiKeys", { ref }).filter(({ name }) => name === "backend"),
    isChanged: (shown) => field(shown, "description") === "two",
  },
  {
    type: "Secret",
    needsProject: true,
    inputs: (projectRef) => ({ projectRef, name: "PAYMENT_TOKEN", value: "first-value" }),
    changed: (projectRef) => ({ projectRef, name: "PAYMENT_TOKEN", value: "second-value" }),
    onService: ({ emulator }, ref) =>
      emulator.control.call("listSecrets", { ref }).filter(({ name }) => name === "PAYMENT_TOKEN"),
    // SHA-256 of "second-value".
    isChanged: (shown) =>
      field(shown, "value") === "e3ae6d0f1fc09e6a11e25aefa4cb66d73da71a6b2ef9b4d989ea2d5a6caf69f1",
  },
  {
    type: "EdgeFunction",
    needsProject: true,
    inputs: (projectRef) => ({ projectRef, slug: "hello", name: "Hello", files: SOURCE }),
    changed: (projectRef) => ({
      projectRef,
      slug: "hello",
      name: "Hello",
      files: { "index.ts": 'Deno.serve(() => new Response("two"));\n' },
    }),
    onService: ({ emulator }, ref) =>
      emulator.control
        .call("listFunctions", { ref })
        .filter(({ slug }) => slug === "hello")
        .map((one) => {
          const body = emulator.control.call("getFunctionBody", { ref, function_slug: one.slug });
          return { ...one, source: Buffer.from(body).toString() };
        }),
    isChanged: (shown) => String(field(shown, "source")).includes('Response("two")'),
  },
  {
    type: "SsoProvider",
    needsProject: true,
    inputs: (projectRef) => ({
      projectRef,
      type: "saml",
      metadataUrl: "https://idp.example.com/metadata",
      domains: ["example.com"],
    }),
    changed: (projectRef) => ({
      projectRef,
      type: "saml",
      metadataUrl: "https://idp.example.com/metadata",
      domains: ["example.com", "example.org"],
    }),
    onService: ({ emulator }, ref) => emulator.control.call("listSsoProviders", { ref }).items,
    isChanged: (shown) => JSON.stringify(field(shown, "domains")).includes("example.org"),
  },
  {
    type: "CustomHostname",
    needsProject: true,
    prepare: ({ emulator }, ref) => {
      emulator.control.call("applyAddon", {
        ref,
        body: { addon_type: "custom_domain", addon_variant: "cd_default" },
      });
    },
    inputs: (projectRef) => ({ projectRef, customHostname: "db.example.com" }),
    changed: (projectRef) => ({ projectRef, customHostname: "db.example.com", activate: true }),
    onService: ({ emulator }, ref) => {
      try {
        return [emulator.control.call("getCustomHostname", { ref })];
      } catch {
        return [];
      }
    },
    isChanged: (shown) => field(shown, "status") === "5_services_reconfigured",
  },
  {
    type: "PostgresConfig",
    needsProject: true,
    // The longer way, on which a restart is waited for.
    prepare: ({ emulator }) => emulator.control.set("settingsRestartDatabase", true),
    inputs: (projectRef) => ({ projectRef, maxConnections: 120, workMem: "16MB" }),
    changed: (projectRef) => ({ projectRef, maxConnections: 120, workMem: "32MB", statementTimeout: "5s" }),
    onService: ({ emulator }, ref) => {
      const config = emulator.control.call("getPostgresConfig", { ref });
      return config.work_mem === undefined ? [] : [config];
    },
    isChanged: (shown) => field(shown, "work_mem") === "32MB",
  },
];

export function resourceOf(sample: Sample): AnyResource {
  return resourceByType(sample.type);
}
