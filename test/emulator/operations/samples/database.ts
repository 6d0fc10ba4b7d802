import type { Samples } from "../sample";

export const databaseSamples = {
  updateDatabasePassword: ({ ref }) => ({ ref, body: { password: "another-password" } }),
  getPostgresConfig({ control, ref }) {
    control.call("updatePostgresConfig", { ref, body: { work_mem: "16MB" } });
    return { ref };
  },
  updatePostgresConfig: ({ ref }) => ({
    ref,
    body: { work_mem: "16MB", max_connections: 100, restart_database: true },
  }),
} satisfies Partial<Samples>;
