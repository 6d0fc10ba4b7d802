import { randomBytes } from "node:crypto";
import type { Samples, Scene } from "../sample";

function apiKeyId({ control, ref }: Scene): string {
  const { id } = control.call("createApiKey", { ref, body: { type: "secret", name: "deploy" } });
  if (id == null) throw new Error("A new key has no id");
  return id;
}

function standbyKeyId({ control, ref }: Scene): string {
  return control.call("createSigningKey", { ref, body: { algorithm: "ES256" } }).id;
}

export const apiKeySamples = {
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
} satisfies Partial<Samples>;

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
} satisfies Partial<Samples>;
