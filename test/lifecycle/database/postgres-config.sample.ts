import type { postgresConfig } from "../../../provider/resources/database/postgres-config/postgres-config";
import { field, type SampleOf } from "../sample";

export const sample: SampleOf<typeof postgresConfig> = {
  type: "PostgresConfig",
  needsProject: true,
  // The longer way, on which a restart is waited for.
  prepare: ({ emulator }) => emulator.control.set("settingsRestartDatabase", true),
  inputs: (projectRef) => ({ projectRef, maxConnections: 120, workMem: "16MB" }),
  changed: (projectRef) => ({ projectRef, maxConnections: 120, workMem: "32MB", statementTimeout: "5s" }),
  onService: ({ emulator }, ref) => {
    const config = emulator.control.call("getPostgresConfig", { ref });
    return config.work_mem === undefined ? [] : [config];
  },
  isChanged: (shown) => field(shown, "work_mem") === "32MB",
  editOutside: ({ projects }, ref) => {
    const project = projects.get(ref);
    if (project) project.postgresOverrides = { ...project.postgresOverrides, work_mem: "1MB" };
  },
};
