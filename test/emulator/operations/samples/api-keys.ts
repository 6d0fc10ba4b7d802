import type { Samples, Scene } from "../sample";

function apiKeyId({ control, ref }: Scene): string {
  const { id } = control.call("createApiKey", { ref, body: { type: "secret", name: "deploy" } });
  if (id == null) throw new Error("A new key has no id");
  return id;
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
  getLegacyApiKeys: ({ ref }) => ({ ref }),
  updateLegacyApiKeys: ({ ref }) => ({ ref, enabled: false }),
} satisfies Partial<Samples>;
