import type { Database } from "../sql/databases";
import { platformRoles, platformSchemas } from "../sql/platform/new-database";
import type { Catalog, CatalogObject, Comment } from "./catalog";
import { extensions, isFree, roles, schemaContents, type ObjectRow } from "./object-queries";
import { readDefaultGrants, readGrants } from "./read-grants";

/** Reads a catalog; platform schemas are left out unless `includedSchemas` names the schemas to read. */
export function readCatalog(sql: Database, includedSchemas?: readonly string[]): Promise<Catalog> {
  return sql.transaction(async () => {
    // With an empty path the catalog gives every name qualified.
    await sql.exec("set local search_path to ''");
    const schemas = await comparedSchemas(sql, includedSchemas);
    const objects = new Map<string, CatalogObject>();
    const addresses: Addresses = new Map();
    const read = async (query: string, parameter: readonly string[] | null): Promise<void> => {
      const { rows } = await sql.query<ObjectRow>(query, [parameter]);
      for (const row of rows) addObject(row, objects, addresses);
    };
    await read(roles, platformRoles(sql.names));
    await read(extensions, includedSchemas ?? null);
    for (const query of schemaContents) await read(query, schemas);
    await linkDependencies(sql, objects, addresses);
    return {
      objects,
      grants: await readGrants(sql, schemas),
      defaultGrants: await readDefaultGrants(sql),
      comments: await readComments(sql, objects, addresses),
    };
  });
}

/** What the platform keeps for itself, a branch does not change. */
async function comparedSchemas(sql: Database, included?: readonly string[]): Promise<string[]> {
  const { rows } = await sql.query<{ nspname: string }>(
    `select nspname from pg_namespace n where nspname !~ '^pg_' and nspname <> 'information_schema'
       and ${isFree("pg_namespace", "n.oid")} and (nspname = any($1::text[])) = $2`,
    [included ?? platformSchemas(sql.names), included !== undefined],
  );
  return rows.map(({ nspname }) => nspname);
}

/** Keys of objects by their places in the catalog: class, oid and column number, 0 for the whole. */
type Addresses = Map<string, string>;

function addObject(row: ObjectRow, objects: Map<string, CatalogObject>, addresses: Addresses): void {
  const { kind, key, create, drop, owner = null, needs, detail = {} } = row;
  objects.set(key, {
    kind,
    key,
    create: create.filter((statement) => statement !== null),
    drop,
    owner,
    detail,
    dependsOn: new Set([owner, needs].filter((need) => need != null)),
  });
  for (const address of row.addresses ?? []) if (address !== null) addresses.set(address, key);
}

/** The key of the part at an address, else of the whole. */
function find(addresses: Addresses, address: string): string | undefined {
  return addresses.get(address) ?? addresses.get(address.replace(/\d+$/, "0"));
}

interface DependRow {
  readonly dependent: string;
  readonly needed: string;
  readonly deptype: string;
}

/** Fills in what each object depends on, as the server itself remembers it. */
async function linkDependencies(
  sql: Database,
  objects: ReadonlyMap<string, CatalogObject>,
  addresses: Addresses,
): Promise<void> {
  const { rows } = await sql.query<DependRow>(
    `select classid::regclass || ':' || objid || ':' || objsubid as dependent,
       refclassid::regclass || ':' || refobjid || ':' || refobjsubid as needed, deptype
     from pg_depend where refobjid >= 16384 or refclassid = 'pg_namespace'::regclass`,
  );
  // What an extension brought is the extension's.
  for (const { dependent, needed, deptype } of rows) {
    const extension = deptype === "e" ? find(addresses, needed) : undefined;
    if (extension !== undefined) addresses.set(dependent, extension);
  }
  for (const { dependent, needed, deptype } of rows) {
    const object = objects.get(find(addresses, dependent) ?? "");
    const need = find(addresses, needed);
    if (object === undefined || need === undefined || need === object.key) continue;
    // A sequence goes with its column, but comes before it: that is the ownership's matter.
    if (object.kind === "sequence" && deptype === "a") continue;
    object.dependsOn.add(need);
  }
}

interface CommentRow {
  readonly class: string;
  readonly address: string;
  readonly text: string;
  /** Of a table or a view. */
  readonly column: string | null;
}

/** Comments by what `COMMENT ON` names. */
async function readComments(
  sql: Database,
  objects: ReadonlyMap<string, CatalogObject>,
  addresses: Addresses,
): Promise<Map<string, Comment>> {
  const { rows } = await sql.query<CommentRow>(
    `select classoid::regclass::text as class, classoid::regclass || ':' || objoid || ':' || objsubid as address,
       quote_literal(description) as text,
       (select a.attrelid::regclass || '.' || quote_ident(attname) from pg_attribute a
         where classoid = 'pg_class'::regclass and attrelid = objoid and attnum = objsubid and objsubid > 0) as column
     from pg_description where objoid >= 16384 or classoid = 'pg_namespace'::regclass`,
  );
  const comments = new Map<string, Comment>();
  for (const row of rows) {
    const object = objects.get(find(addresses, row.address) ?? "");
    if (object === undefined || isAlias(row.class, object)) continue;
    const target = row.column === null ? targetOf(object) : `column ${row.column}`;
    comments.set(target, { text: row.text, on: object.key });
  }
  return comments;
}

/** A constraint's index and what belongs to a type stand at the address of something that has a comment of its own. */
function isAlias(catalog: string, { kind }: CatalogObject): boolean {
  return (kind === "type" && catalog !== "pg_type") || (kind === "constraint" && catalog === "pg_class");
}

/** The object in the words of `COMMENT ON`. */
function targetOf({ kind, key, drop }: CatalogObject): string {
  // The key neither distinguishes procedures and domains nor names an index by itself.
  return kind === "function" || kind === "type" || kind === "index" ? drop.replace(/^drop /, "") : key;
}
