import type { DatabaseAddress } from "../../world/database-addresses";
import type { World } from "../../world/world";

/** Below which every project has its hosts. */
export const SERVICE_DOMAIN = "service.example";

export const CLOUD_PROVIDER = "CLOUD";

/** The service's own, unless this emulator's databases can be reached. */
export function databaseAddress(world: World, ref: string): DatabaseAddress {
  return world.addresses?.of(ref) ?? { host: `db.${ref}.${SERVICE_DOMAIN}`, port: 5_432 };
}
