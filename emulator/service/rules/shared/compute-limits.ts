import type { ComputeSize } from "./compute-sizes";

/** What a compute size allows. */
export interface ComputeLimits {
  readonly cpuCores: number;
  readonly memoryGb: number;
  /** Connections that the database takes. */
  readonly databaseConnections: number;
  /** Clients that the pooler takes. */
  readonly poolerClients: number;
  /** Connections that the pooler keeps per user and database when nothing else is set. */
  readonly defaultPoolSize: number;
}

function limits(
  cpuCores: number,
  memoryGb: number,
  databaseConnections: number,
  poolerClients: number,
  defaultPoolSize: number,
): ComputeLimits {
  return { cpuCores, memoryGb, databaseConnections, poolerClients, defaultPoolSize };
}

/** Made-up numbers that grow with the size: the specification names none. */
const limitsBySize: Readonly<Record<ComputeSize, ComputeLimits>> = {
  pico: limits(1, 0.25, 30, 100, 10),
  nano: limits(2, 0.5, 60, 200, 15),
  micro: limits(2, 1, 60, 200, 15),
  small: limits(2, 2, 90, 400, 15),
  medium: limits(2, 4, 120, 600, 15),
  large: limits(2, 8, 160, 800, 20),
  xlarge: limits(4, 16, 240, 1_000, 20),
  "2xlarge": limits(8, 32, 380, 1_500, 25),
  "4xlarge": limits(16, 64, 480, 3_000, 32),
  "8xlarge": limits(32, 128, 490, 6_000, 64),
  "12xlarge": limits(48, 192, 500, 9_000, 96),
  "16xlarge": limits(64, 256, 500, 12_000, 128),
  "24xlarge": limits(96, 384, 500, 18_000, 160),
  "24xlarge_optimized_cpu": limits(96, 192, 500, 18_000, 160),
  "24xlarge_optimized_memory": limits(96, 768, 500, 18_000, 160),
  "24xlarge_high_memory": limits(96, 1_536, 500, 18_000, 160),
  "48xlarge": limits(192, 768, 500, 24_000, 192),
  "48xlarge_optimized_cpu": limits(192, 384, 500, 24_000, 192),
  "48xlarge_optimized_memory": limits(192, 1_536, 500, 24_000, 192),
  "48xlarge_high_memory": limits(192, 3_072, 500, 24_000, 192),
};

export function limitsOf(size: ComputeSize): ComputeLimits {
  return limitsBySize[size];
}

const ascending: readonly ComputeSize[] = ["pico", "nano", "micro", "small", "medium", "large", "xlarge"];

/** Whether a size is `least` or more; `least` is one of the sizes that have no variants. */
export function isAtLeast(size: ComputeSize, least: (typeof ascending)[number]): boolean {
  const rank = ascending.indexOf(size);
  return rank === -1 || rank >= ascending.indexOf(least);
}
