import { randomBytes } from "node:crypto";
import type { Samples, Scene } from "../sample";

function standbyKeyId({ control, ref }: Scene): string {
  return control.call("createSigningKey", { ref, body: { algorithm: "ES256" } }).id;
}

export const signingKeySamples = {
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
} satisfies Partial<Samples>;
