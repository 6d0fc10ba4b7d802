import type { Control } from "../../emulator/control/control";
import type { OperationName } from "../../spec/table";

/** Values that exist, by operation (`*` for any) and then by place and name of the field: `path.ref`. */
export type KnownValues = Readonly<Partial<Record<OperationName | "*", Readonly<Record<string, unknown[]>>>>>;

export interface Scene {
  readonly known: KnownValues;
  /** Operations after whose success the scene is of no use any more. */
  readonly ending: readonly OperationName[];
}

const ending: readonly OperationName[] = [
  "deleteProject",
  "pauseProject",
  "disableBranching",
  "deleteBranch",
  "deleteApiKey",
  "deleteSigningKey",
  "updateSigningKey",
  "deleteSsoProvider",
  "deleteThirdPartyAuth",
  "deleteFunction",
  "updateFunctions",
  "deleteJitUser",
  "removeReadReplica",
  "removeAddon",
  "removeCustomHostname",
  "updateAuthConfig",
  "updateRestLayerConfig",
  "updateLegacyApiKeys",
  "exchangeToken",
  "revokeToken",
];

/** Throws everything away and makes a healthy project with something of each kind, and a branch. */
export function openScene(control: Control): Scene {
  control.reset();
  const { ref } = control.call("createProject", {
    body: { name: "shop", organization_slug: "acme", db_pass: "a-password", postgres_engine: "15" },
  });
  control.call("applyAddon", { ref, body: { addon_type: "custom_domain", addon_variant: "cd_default" } });
  control.call("initializeCustomHostname", { ref, body: { custom_hostname: "db.example.com" } });
  control.call("createSecrets", { ref, body: [{ name: "TOKEN", value: "one" }] });
  const content = new TextEncoder().encode("Deno.serve(() => new Response())");
  const deployed = control.call("deployFunction", {
    ref,
    slug: "greet",
    body: { metadata: { entrypoint_path: "index.ts" }, file: [{ name: "index.ts", content }] },
  });
  const apiKey = control.call("createApiKey", { ref, body: { type: "secret", name: "deploy" } });
  const signingKey = control.call("createSigningKey", { ref, body: { algorithm: "ES256" } });
  const provider = control.call("createSsoProvider", {
    ref,
    body: { type: "saml", metadata_url: "https://idp.example.com/metadata", domains: ["example.com"] },
  });
  const thirdParty = control.call("createThirdPartyAuth", {
    ref,
    body: { oidc_issuer_url: "https://issuer.example.com" },
  });
  const branch = control.call("createBranch", { ref, body: { branch_name: "preview" } });
  const runs = control.call("listActionRuns", { ref: branch.project_ref });
  const [member] = control.call("listMembers", { slug: "acme" });
  const snippet = control.createSnippet({ projectRef: ref, name: "recent", sql: "select 1" });
  const app = control.createOAuthApp({ scopes: ["projects:read", "database:write"] });
  control.failLogins(ref, { address: "203.0.113.9", times: 20 });

  return {
    ending,
    known: {
      "*": {
        "path.ref": [ref, ref, branch.project_ref],
        "path.slug": ["acme"],
        "path.branch_id_or_ref": [branch.id, branch.project_ref],
        "path.name": ["preview"],
        "path.function_slug": ["greet"],
        "path.provider_id": [provider.id],
        "path.tpa_id": [thirdParty.id],
        "path.run_id": runs.map(({ id }) => id),
        "path.user_id": [member?.user_id],
        "path.version": ["20260101000000"],
        "path.addon_variant": ["cd_default"],
        "query.gte": ["20260101000000"],
        "query.function_id": [deployed.id],
        "query.project_ref": [ref],
        "query.organization_slug": ["acme"],
        "query.client_id": [app.clientId],
        "query.sql": statements,
        "body.organization_slug": ["acme"],
        "body.user_id": [member?.user_id],
        "body.query": statements,
        "body.target_version": ["17"],
        "body.client_id": [app.clientId],
        "body.client_secret": [app.clientSecret],
        "body.refresh_token": [app.refreshToken],
        "body.database_identifier": [ref],
      },
      getApiKey: { "path.id": [apiKey.id] },
      updateApiKey: { "path.id": [apiKey.id] },
      deleteApiKey: { "path.id": [apiKey.id] },
      getSigningKey: { "path.id": [signingKey.id] },
      updateSigningKey: { "path.id": [signingKey.id] },
      deleteSigningKey: { "path.id": [signingKey.id] },
      getSnippet: { "path.id": [snippet] },
    },
  };
}

const statements = [
  "select 1 as one, now() as at, null as nothing, '{\"a\": [1]}'::jsonb as data",
  "select table_name from information_schema.tables order by 1 limit 3",
  "create table if not exists carts (id bigint primary key, owner uuid)",
  "insert into carts values (floor(random() * 1e15)::bigint, gen_random_uuid()) returning *",
  "select id, timestamp, event_message from edge_logs limit 5",
  "select 1; select 2",
  "selekt 1",
];
