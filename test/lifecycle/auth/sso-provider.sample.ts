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
};
