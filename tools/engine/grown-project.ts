import type { Emulator } from "../../emulator";

/** A project as it is after some years by hand: keys, secrets, functions, settings and a branch; its reference. */
export function growProject({ control }: Pick<Emulator, "control">): string {
  const { ref } = control.call("createProject", {
    body: {
      name: "shop",
      organization_slug: "acme",
      db_pass: "initial-password",
      region_selection: { type: "specific", code: "eu-central-1" },
    },
  });
  settle(control);
  control.call("createApiKey", {
    ref,

    body: { type: "secret", name: "backend", description: "The shop's server" },
  });
  control.call("createSecrets", {
    ref,
    body: [
      { name: "PAYMENT_TOKEN", value: PAYMENT_TOKEN },
      { name: "MAIL_PASSWORD", value: MAIL_PASSWORD },
    ],
  });
  control.call("updateAuthConfig", {
    ref,
    body: {
      site_url: "https://shop.example.com",
      external_idp01_enabled: true,
      external_idp01_client_id: "client",
      external_idp01_secret: "secret-of-the-provider",
      mailer_otp_length: 8,
    },
  });
  control.call("updatePostgresConfig", { ref, body: { max_connections: 120, statement_timeout: "30s" } });
  control.call("applyNetworkRestrictions", { ref, body: { dbAllowedCidrs: ["203.0.113.0/24"] } });
  const text = 'import { greet } from "./greet.ts";\n\nDeno.serve(() => new Response(greet("`${name}`")));\n';
  const files = {
    "index.ts": text,
    "greet.ts": "export const greet = (name: string) => `Hello, ${name}`;\n",
  };
  control.call("deployFunction", {
    ref,
    slug: "hello",
    body: {
      file: Object.entries(files).map(([name, content]) => ({
        name,
        content: new TextEncoder().encode(content),
      })),
      metadata: { entrypoint_path: "index.ts" },
    },
  });
  control.call("createBranch", { ref, body: { branch_name: "staging", persistent: true } });
  settle(control);
  return ref;
}

const IDENTITY_PROVIDER =
  '<?xml version="1.0"?><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" ' +
  'entityID="https://idp.example.com"><md:IDPSSODescriptor/></md:EntityDescriptor>';

const BUCKETS = `insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
  values ('avatars', 'avatars', true, 1048576, array['image/png']), ('Customer Files', 'Customer Files', false, null, null)`;

/**
 * A company's project, made by hand over years: ten secrets, five functions with shared code, twenty migrations, three
 * branches, and every setting of the API changed; its reference. The service takes no time from then on.
 */
export async function growCompanyProject({ control }: Pick<Emulator, "control">): Promise<string> {
  control.setPace(0);
  const ref = growProject({ control });
  for (const name of ["reports", "mobile"])
    control.call("createApiKey", { ref, body: { type: "secret", name, description: `For ${name}` } });
  control.call("createSecrets", {
    ref,
    body: Array.from({ length: 8 }, (_, index) => ({
      name: `PARTNER_TOKEN_${index}`,
      value: `token-${index}`,
    })),
  });
  const encode = (content: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(content);
  for (const slug of ["checkout", "invoices", "search", "webhook"]) {
    const text = `import { log } from "../_shared/log.ts";\n\nDeno.serve(() => new Response(log("${slug}")));\n`;
    control.call("deployFunction", {
      ref,
      slug,
      body: {
        file: [
          { name: `functions/${slug}/index.ts`, content: encode(text) },
          {
            name: "functions/_shared/log.ts",
            content: encode("export const log = (text: string) => text;\n"),
          },
        ],
        metadata: { entrypoint_path: `functions/${slug}/index.ts`, verify_jwt: slug !== "webhook" },
      },
    });
  }
  for (let number = 1; number <= 20; number += 1) {
    const query = `create table orders_${number} (id bigint generated always as identity primary key, note text);`;
    await control.call("applyMigration", { ref, body: { name: `orders ${number}`, query } });
  }
  control.call("createSsoProvider", {
    ref,
    body: { type: "saml", metadata_xml: IDENTITY_PROVIDER, domains: ["example.com"] },
  });
  control.call("createThirdPartyAuth", { ref, body: { jwks_url: "https://idp.example.com/keys" } });
  for (const [addon_type, addon_variant] of [
    ["compute_instance", "ci_small"],
    ["custom_domain", "cd_default"],
    ["ipv4", "ipv4_default"],
  ] as const) {
    control.call("applyAddon", { ref, body: { addon_type, addon_variant } });
  }
  control.call("initializeCustomHostname", { ref, body: { custom_hostname: "db.example.com" } });
  control.call("updateStorageConfig", { ref, body: { fileSizeLimit: 104_857_600 } });
  await control.call("runQuery", { ref, body: { query: BUCKETS } });
  control.call("updatePoolerConfig", { ref, body: { default_pool_size: 20 } });
  control.call("updateRestLayerConfig", { ref, body: { db_schema: "public, api", max_rows: 500 } });
  control.call("updateRealtimeConfig", { ref, body: { max_concurrent_users: 500 } });
  control.call("updateDisk", { ref, body: { attributes: { type: "gp3", size_gb: 20, iops: 4_000 } } });
  control.call("updateSslEnforcement", { ref, body: { requestedConfig: { database: true } } });
  control.call("updateJitAccess", { ref, body: { state: "enabled" } });
  for (const branch_name of ["qa", "demo"])
    control.call("createBranch", { ref, body: { branch_name, persistent: true } });
  settle(control);
  return ref;
}

export const PAYMENT_TOKEN = "value-of-the-payment-token";
export const MAIL_PASSWORD = "value-of-the-mail-password";

function settle(control: Emulator["control"]): void {
  control.edit(({ projects }) => {
    for (const project of projects.values()) project.activity = { ...project.activity, kind: "rest" };
  });
}
