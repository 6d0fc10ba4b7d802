import type { ServiceVersion } from "../../service/world/state";
import type { Service } from "../../service/server/service";
import type { EmulatorSeed, SeedRequest } from "./seed";
import type { ProjectSeed } from "./seed-schema";

/** What a start asks for. */
export interface SeedOptions {
  /** An organization `acme` of the plan `pro`, `hobby` of the plan `free`, and one token with every privilege when absent. */
  readonly seed?: EmulatorSeed;
  /** File in JSON or YAML with a seed; what `seed` says wins. */
  readonly seedFile?: string;
  /** How the service behaves: `current`, the default, as measured; `2026-06` as its documents of that month say. */
  readonly service?: ServiceVersion;
  /** Whether answers carry the fields that no document lists; not when absent. */
  readonly newer?: boolean;
  /** Whether the smallest size of a paid plan shows as an add-on, as in some installations; not when absent. */
  readonly microIsAddon?: boolean;
}

export function readWantedSeed({ seed, seedFile, service, newer, microIsAddon }: SeedOptions): SeedRequest {
  return {
    ...(seedFile === undefined ? {} : readSeed(seedFile)),
    ...seed,
    ...(service !== undefined && { service }),
    ...(newer !== undefined && { newer }),
    ...(microIsAddon !== undefined && { microIsAddon }),
  };
}

/** Loaded with the first file, as below. */
function readSeed(file: string): EmulatorSeed {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at every start
  const loaded = require("./read-seed-file") as typeof import("./read-seed-file");
  return loaded.readSeedFile(file);
}

/** At once, but for what reaches a database. */
export function plantSeed(service: Service, projects: readonly ProjectSeed[]): Promise<void> {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at every start
  const loaded = require("./plant-seed") as typeof import("./plant-seed");
  return loaded.plantProjects(service, projects);
}
