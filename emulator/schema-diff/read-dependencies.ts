import type { CatalogObject } from "./catalog";
import { addressOf, type Addresses, type CatalogReader } from "./catalog-reader";

interface DependRow {
  readonly class: string;
  readonly oid: number;
  readonly sub: number;
  readonly refclass: string;
  readonly refoid: number;
  readonly refsub: number;
  readonly deptype: string;
}

const FIRST_USER_OID = 16_384;

/** Fills in what each object depends on, as the server itself remembers it. */
export async function linkDependencies(
  { sql, addresses }: CatalogReader,
  objects: ReadonlyMap<string, CatalogObject>,
): Promise<void> {
  const { rows } = await sql.query<DependRow>(
    `select classid::regclass::text as class, objid::int8 as oid, objsubid as sub,
       refclassid::regclass::text as refclass, refobjid::int8 as refoid, refobjsubid as refsub, deptype
     from pg_depend where refobjid >= $1 or refclassid = 'pg_namespace'::regclass`,
    [FIRST_USER_OID],
  );
  // What an extension brought is the extension's.
  for (const row of rows) {
    const extension = row.deptype === "e" ? find(addresses, row.refclass, row.refoid, 0) : undefined;
    if (extension !== undefined) addresses.set(addressOf(row.class, row.oid), extension);
  }
  for (const row of rows) {
    const dependent = objects.get(find(addresses, row.class, row.oid, row.sub) ?? "");
    const needed = find(addresses, row.refclass, row.refoid, row.refsub);
    if (dependent === undefined || needed === undefined || needed === dependent.key) continue;
    // A sequence goes with its column, but comes before it: that is the ownership's matter.
    if (dependent.kind === "sequence" && row.deptype === "a") continue;
    dependent.dependsOn.add(needed);
  }
}

function find(addresses: Addresses, catalog: string, oid: number, column: number): string | undefined {
  return addresses.get(addressOf(catalog, oid, column)) ?? addresses.get(addressOf(catalog, oid));
}
