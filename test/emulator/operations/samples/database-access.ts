import type { Samples } from "../sample";

export const databaseAccessSamples = {
  createLoginRole: ({ ref }) => ({ ref, body: { read_only: true } }),
  deleteLoginRoles: async ({ control, ref }) => {
    await control.call("createLoginRole", { ref, body: { read_only: false } });
    return { ref };
  },
  getReadonlyMode: ({ ref }) => ({ ref }),
  disableReadonlyMode: ({ control, ref }) => {
    control.set(["projects", ref, "readonly", "enabled"], true);
    return { ref };
  },
  enableWebhooks: ({ ref }) => ({ ref }),
} satisfies Partial<Samples>;
