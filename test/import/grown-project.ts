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

export const PAYMENT_TOKEN = "value-of-the-payment-token";
export const MAIL_PASSWORD = "value-of-the-mail-password";

function settle(control: Emulator["control"]): void {
  control.edit(({ projects }) => {
    for (const project of projects.values()) project.activity = { ...project.activity, kind: "rest" };
  });
}
