import type { Database } from "../sql/databases";
import type { CatalogObject } from "./catalog";

/** Which object stands at an address of the catalog: class, oid and column number. */
export type Addresses = Map<string, string>;

export function addressOf(catalog: string, oid: number, column = 0): string {
  return `${catalog}:${oid}:${column}`;
}

/** What reads one sort of object: where from, and where to put what it has found. */
export interface CatalogReader {
  readonly sql: Database;
  readonly schemas: readonly string[];
  readonly addresses: Addresses;
  readonly add: (
    object: Omit<CatalogObject, "dependsOn" | "detail" | "owner"> & Partial<CatalogObject>,
  ) => CatalogObject;
}
