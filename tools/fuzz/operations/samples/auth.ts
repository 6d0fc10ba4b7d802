import type { Samples, Scene } from "../sample";
import { randomBytes } from "node:crypto";

function apiKeyId({ control, ref }: Scene): string {
  const { id } = control.call("createApiKey", { ref, body: { type: "secret", name: "deploy" } });
  if (id == null) throw new Error("A new key has no id");
  return id;
}

function standbyKeyId({ control, ref }: Scene): string {
  return control.call("createSigningKey", { ref, body: { algorithm: "ES256" } }).id;
}

const metadata =
  '<?xml version="1.0"?><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" ' +
  'entityID="https://idp.example.com"><md:IDPSSODescriptor/></md:EntityDescriptor>';

const described = {
  domains: ["example.com"],
  attribute_mapping: { keys: { mail: { name: "email", default: "nobody@example.com", array: false } } },
  name_id_format: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent" as const,
};

function providerId({ control, ref }: Scene): string {
  const body = { type: "saml" as const, metadata_xml: metadata, ...described };
  return control.call("createSsoProvider", { ref, body }).id;
}

const issuer = "https://idp.example.com";

/** An integration whose keys have been found. */
function integrationId({ control, clock, ref }: Scene): string {
  control.edit(({ auth }) => auth.keySets.set(issuer, { keys: [{ kty: "EC", crv: "P-256", kid: "one" }] }));
  const { id } = control.call("createThirdPartyAuth", { ref, body: { oidc_issuer_url: issuer } });
  clock.advance(60_000);
  return id;
}

export const authSamples = {
  listApiKeys: (scene) => {
    apiKeyId(scene);
    return { ref: scene.ref, reveal: true };
  },
  createApiKey: ({ ref }) => ({
    ref,
    reveal: true,
    body: {
      type: "secret",
      name: "deploy",
      description: "For the pipeline",
      secret_jwt_template: { role: "service_role" },
    },
  }),
  getApiKey: (scene) => ({ ref: scene.ref, id: apiKeyId(scene) }),
  updateApiKey: (scene) => ({
    ref: scene.ref,
    id: apiKeyId(scene),
    body: { name: "release", description: "For releases" },
  }),
  deleteApiKey: (scene) => ({
    ref: scene.ref,
    id: apiKeyId(scene),
    was_compromised: true,
    reason: "found in a log",
  }),
  getLegacyApiKeys: ({ ref }) => ({ ref }),
  updateLegacyApiKeys: ({ ref }) => ({ ref, enabled: false }),
  getAuthConfig: ({ ref }) => ({ ref }),
  updateAuthConfig: ({ ref }) => ({
    ref,
    body: {
      site_url: "https://shop.example.com",
      uri_allow_list: "https://shop.example.com/**",
      smtp_host: "mail.example.com",
      smtp_pass: "a-password",
      external_idp03_enabled: true,
      external_idp03_client_id: "client",
      external_idp03_secret: "a-secret",
      sessions_tags: "one, two",
      sms_test_otp: "4912345=123456",
      rate_limit_verify: null,
    },
  }),
  listSigningKeys: ({ ref }) => ({ ref }),
  createSigningKey: ({ ref }) => ({
    ref,
    body: {
      algorithm: "HS256",
      status: "standby",
      private_jwk: { kty: "oct", k: randomBytes(32).toString("base64url") },
    },
  }),
  getSigningKey: (scene) => ({ ref: scene.ref, id: standbyKeyId(scene) }),
  updateSigningKey: (scene) => ({ ref: scene.ref, id: standbyKeyId(scene), body: { status: "in_use" } }),
  deleteSigningKey: (scene) => {
    const id = standbyKeyId(scene);
    scene.clock.advance(3_600_000);
    scene.control.call("updateSigningKey", { ref: scene.ref, id, body: { status: "revoked" } });
    scene.clock.advance(24 * 3_600_000);
    return { ref: scene.ref, id };
  },
  // A project has its legacy key from the beginning, unless it is told not to.
  createLegacySigningKey({ control, ref }) {
    control.edit(({ projects }) => projects.get(ref)?.signingKeys.clear());
    return { ref };
  },
  getLegacySigningKey: ({ ref }) => ({ ref }),
  listSsoProviders: (scene) => {
    providerId(scene);
    return { ref: scene.ref };
  },
  createSsoProvider: ({ ref }) => ({ ref, body: { type: "saml", metadata_xml: metadata, ...described } }),
  getSsoProvider: (scene) => ({ ref: scene.ref, provider_id: providerId(scene) }),
  updateSsoProvider: (scene) => ({
    ref: scene.ref,
    provider_id: providerId(scene),
    body: { ...described, domains: ["example.org"] },
  }),
  deleteSsoProvider: (scene) => ({ ref: scene.ref, provider_id: providerId(scene) }),
  listThirdPartyAuth: (scene) => {
    integrationId(scene);
    return { ref: scene.ref };
  },
  createThirdPartyAuth: ({ ref }) => ({ ref, body: { jwks_url: `${issuer}/keys` } }),
  getThirdPartyAuth: (scene) => ({ ref: scene.ref, tpa_id: integrationId(scene) }),
  deleteThirdPartyAuth: (scene) => ({ ref: scene.ref, tpa_id: integrationId(scene) }),
} satisfies Partial<Samples>;
