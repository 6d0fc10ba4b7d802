import type { thirdPartyAuth } from "../../../provider/resources/auth/third-party-auth/third-party-auth";
import { field, type SampleOf } from "../sample";

const ISSUER = "https://idp.example.com";

export const sample: SampleOf<typeof thirdPartyAuth> = {
  type: "ThirdPartyAuth",
  needsProject: true,
  inputs: (projectRef) => ({ projectRef, oidcIssuerUrl: ISSUER }),
  changed: (projectRef) => ({ projectRef, oidcIssuerUrl: ISSUER }),
  replacedBy: [],
  onService: ({ emulator }, ref) => emulator.control.call("listThirdPartyAuth", { ref }),
  isChanged: (shown) => field(shown, "oidc_issuer_url") === ISSUER,
  // Another issuer is refused: test/adapters/immutable-inputs.test.ts.
  editOutside: ({ projects }, ref) => projects.get(ref)?.auth.thirdParties.clear(),
  objects: {
    ids: ({ emulator }, ref) => emulator.control.call("listThirdPartyAuth", { ref }).map(({ id }) => id),
    show: ({ emulator }, ref, id) =>
      emulator.control.call("listThirdPartyAuth", { ref }).find((one) => one.id === id)?.oidc_issuer_url,
    make: ({ emulator }, ref, count) =>
      emulator.control.call("createThirdPartyAuth", {
        ref,
        body: { oidc_issuer_url: `https://idp-${count}.example.net` },
      }),
    remove: ({ emulator }, ref, id) => emulator.control.call("deleteThirdPartyAuth", { ref, tpa_id: id }),
  },
};
