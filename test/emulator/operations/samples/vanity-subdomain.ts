import type { Samples, Scene } from "../sample";

const body = { vanity_subdomain: "my-shop" };

function activate({ control, ref }: Scene): void {
  control.call("activateVanitySubdomain", { ref, body });
}

export const vanitySubdomainSamples = {
  getVanitySubdomain: (scene) => {
    activate(scene);
    return { ref: scene.ref };
  },
  checkVanitySubdomain: ({ ref }) => ({ ref, body }),
  activateVanitySubdomain: ({ ref }) => ({ ref, body }),
  deleteVanitySubdomain: (scene) => {
    activate(scene);
    return { ref: scene.ref };
  },
} satisfies Partial<Samples>;
