import type { Database } from "../sql/databases";
import { readComments } from "./read-comments";
import { linkDependencies, type Addresses } from "./read-dependencies";
import { readDefaultGrants, readGrants, type DefaultGrants, type Grants } from "./read-grants";
import { readRelations } from "./read-relations";
import { readRoles } from "./read-roles";
import { readRoutines } from "./read-routines";
import { readSchemas } from "./read-schemas";
import { readSubObjects } from "./read-sub-objects";
import { readTypes } from "./read-types";

export type ObjectKind =
  | "role"
  | "schema"
  | "extension"
  | "type"
  | "sequence"
  | "ownership"
  | "table"
  | "column"
  | "default"
  | "constraint"
  | "foreign key"
  | "index"
  | "view"
  | "materialized view"
  | "function"
  | "trigger"
  | "policy"
  | "row security"
  | "replica identity";

/** One thing in a database's catalog that can be made and removed by itself. */
export interface CatalogObject {
  readonly kind: ObjectKind;
  /** Kind and qualified name: `table public.orders`. */
  readonly key: string;
  readonly create: readonly string[];
  readonly drop: string;
  /** The object with which it goes, if any. */
  readonly owner: string | null;
  /** What an alteration in place needs to know; part of what is compared. */
  readonly detail: Readonly<Record<string, string | null>>;
  /** Keys of the objects that must exist before it. */
  readonly dependsOn: Set<string>;
}

/** What the schema differ knows of a database, as plain data. */
export interface Catalog {
  readonly objects: Map<string, CatalogObject>;
  /** By the object as `GRANT` names it: `table public.orders`. */
  readonly grants: Map<string, Grants>;
  readonly defaultGrants: DefaultGrants;
  /** By the object as `COMMENT` names it. */
  readonly comments: Map<string, Comment>;
}

export interface Comment {
  readonly text: string;
  /** Key of the object that carries it. */
  readonly on: string;
}

export interface CatalogReader {
  readonly sql: Database;
  readonly schemas: readonly string[];
  readonly addresses: Addresses;
  readonly add: (
    object: Omit<CatalogObject, "dependsOn" | "detail" | "owner"> & Partial<CatalogObject>,
  ) => CatalogObject;
}

/** Reads a catalog; platform schemas are left out unless `includedSchemas` names the schemas to read. */
export function readCatalog(sql: Database, includedSchemas?: readonly string[]): Promise<Catalog> {
  return sql.transaction(async () => {
    // With an empty path every name that the catalog tells is qualified.
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
