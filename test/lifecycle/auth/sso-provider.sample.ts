import type { ssoProvider } from "../../../provider/resources/auth/sso-provider/sso-provider";
import { field, type SampleOf } from "../sample";

export const sample: SampleOf<typeof ssoProvider> = {
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
  editOutside: ({ projects }, ref) =>
    projects.get(ref)?.ssoProviders.forEach((one) => void (one.domains = one.domains.slice(0, 1))),
  objects: {
    ids: ({ emulator }, ref) => emulator.control.call("listSsoProviders", { ref }).items.map(({ id }) => id),
    show: ({ emulator }, ref, id) =>
      emulator.control.call("listSsoProviders", { ref }).items.find((one) => one.id === id),
    make: ({ emulator }, ref, count) => {
      const url = `https://idp-${count}.example.net/metadata`;
      const body = { type: "saml" as const, metadata_url: url, domains: [`idp-${count}.example.net`] };
      emulator.control.call("createSsoProvider", { ref, body });
    },
    remove: ({ emulator }, ref, id) => emulator.control.call("deleteSsoProvider", { ref, provider_id: id }),
  },
};
