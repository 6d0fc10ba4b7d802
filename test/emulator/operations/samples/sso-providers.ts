import type { Samples, Scene } from "../sample";

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

export const ssoProviderSamples = {
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
} satisfies Partial<Samples>;
