import type { Samples, Scene } from "../sample";

const issuer = "https://idp.example.com";

/** An integration whose keys have been found. */
function integrationId({ control, clock, ref }: Scene): string {
  control.edit(({ auth }) => auth.keySets.set(issuer, { keys: [{ kty: "EC", crv: "P-256", kid: "one" }] }));
  const { id } = control.call("createThirdPartyAuth", { ref, body: { oidc_issuer_url: issuer } });
  clock.advance(60_000);
  return id;
}

export const thirdPartyAuthSamples = {
  listThirdPartyAuth: (scene) => {
    integrationId(scene);
    return { ref: scene.ref };
  },
  createThirdPartyAuth: ({ ref }) => ({ ref, body: { jwks_url: `${issuer}/keys` } }),
  getThirdPartyAuth: (scene) => ({ ref: scene.ref, tpa_id: integrationId(scene) }),
  deleteThirdPartyAuth: (scene) => ({ ref: scene.ref, tpa_id: integrationId(scene) }),
} satisfies Partial<Samples>;
