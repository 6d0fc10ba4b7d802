import type { Context } from "../../../define/context";
import { endpointHistory } from "./migration-endpoint";
import { DEFAULT_VIA, type MigrationHistory, type MigrationVia } from "./migration-history";
import { queryHistory } from "./migration-query";

/** The history of a database, by the endpoint that is declared. */
export function historyOf(ctx: Context, ref: string, via: MigrationVia = DEFAULT_VIA): MigrationHistory {
  return via === "query" ? queryHistory(ctx, ref) : endpointHistory(ctx, ref);
}
