import type { Database } from "../sql/databases";
import type { Catalog, CatalogObject } from "./catalog";
import type { CatalogReader } from "./catalog-reader";
import { readComments } from "./read-comments";
import { linkDependencies } from "./read-dependencies";
import { readDefaultGrants, readGrants } from "./read-grants";
import { readRelations } from "./read-relations";
import { readRoles } from "./read-roles";
import { readRoutines } from "./read-routines";
import { readSchemas } from "./read-schemas";
import { readSubObjects } from "./read-sub-objects";
import { readTypes } from "./read-types";

/** Reads a catalog; platform schemas are left out unless `includedSchemas` names the schemas to read. */
export function readCatalog(sql: Database, includedSchemas?: readonly string[]): Promise<Catalog> {
  return sql.transaction(async () => {
    // With an empty path the catalog gives every name qualified.
    await sql.exec("set local search_path to ''");
    const objects = new Map<string, CatalogObject>();
    const reader: CatalogReader = {
      sql,
      schemas: [],
      addresses: new Map(),
      add(partial) {
        const object = { owner: null, detail: {}, dependsOn: new Set<string>(), ...partial };
        objects.set(object.key, object);
        return object;
      },
    };
    await readRoles(reader);
    const scoped = { ...reader, schemas: await readSchemas(reader, includedSchemas) };
    await readTypes(scoped);
    await readRelations(scoped);
    await readRoutines(scoped);
    await readSubObjects(scoped);
    await linkDependencies(scoped, objects);
    return {
      objects,
      grants: await readGrants(scoped),
      defaultGrants: await readDefaultGrants(scoped),
      comments: await readComments(scoped, objects),
    };
  });
}
