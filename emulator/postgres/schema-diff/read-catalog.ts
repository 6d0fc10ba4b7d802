import type { Database } from "../databases/databases";
import { platformRoles, platformSchemas } from "../sql/platform/new-database";
import { extensions, isFree, type ObjectKind, type ObjectRow, roles, schemaContents } from "./object-queries";

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

interface Comment {
  readonly text: string;
  /** Key of the object that carries it. */
  readonly on: string;
}

/** Privileges by grantee, `public` or a role: `SELECT` or, with grant option, `SELECT*`. */
export type Grants = ReadonlyMap<string, ReadonlySet<string>>;

/** What new objects are granted by themselves; by kind, or by kind and schema where that differs. */
export type DefaultGrants = ReadonlyMap<string, Grants>;

/** Reads a catalog; platform schemas are left out unless `includedSchemas` names the schemas to read. */
export function readCatalog(sql: Database, includedSchemas?: readonly string[]): Promise<Catalog> {
  return sql.transaction(async () => {
    // With an empty path the catalog gives every name qualified.
    await sql.exec("set local search_path to ''");
    const schemas = await comparedSchemas(sql, includedSchemas);
    const objects = new Map<string, CatalogObject>();
    const addresses: CatalogAddresses = new Map();
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
type CatalogAddresses = Map<string, string>;

function addObject(row: ObjectRow, objects: Map<string, CatalogObject>, addresses: CatalogAddresses): void {
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
function find(addresses: CatalogAddresses, address: string): string | undefined {
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
  addresses: CatalogAddresses,
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
  addresses: CatalogAddresses,
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
    const target = row.column === null ? commentTarget(object) : `column ${row.column}`;
    comments.set(target, { text: row.text, on: object.key });
  }
  return comments;
}

/** A constraint's index and what belongs to a type stand at the address of something that has a comment of its own. */
function isAlias(catalog: string, { kind }: CatalogObject): boolean {
  return (kind === "type" && catalog !== "pg_type") || (kind === "constraint" && catalog === "pg_class");
}

/** The object in the words of `COMMENT ON`. */
function commentTarget({ kind, key, drop }: CatalogObject): string {
  // The key neither distinguishes procedures and domains nor names an index by itself.
  return kind === "function" || kind === "type" || kind === "index" ? drop.replace(/^drop /, "") : key;
}

interface GrantRow {
  readonly target: string;
  readonly grantee: string;
  readonly privilege: string;
}

const exploded = (acl: string): string => `
  cross join lateral (select case when g.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(g.grantee)) end as grantee,
    g.privilege_type || case when g.is_grantable then '*' else '' end as privilege
    from aclexplode(${acl}) g where g.grantee <> g.grantor) g`;

const grants = `
  select case c.relkind when 'S' then 'sequence' else 'table' end || ' ' || format('%I.%I', n.nspname, c.relname) as target,
    g.grantee, g.privilege
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  ${exploded("coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::\"char\", c.relowner))")}
  where n.nspname = any($1) and c.relkind in ('r', 'p', 'v', 'm', 'S')
  union all
  select 'routine ' || format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)),
    g.grantee, g.privilege
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  ${exploded("coalesce(p.proacl, acldefault('f', p.proowner))")}
  where n.nspname = any($1)
  union all
  select 'schema ' || quote_ident(n.nspname), g.grantee, g.privilege
  from pg_namespace n ${exploded("coalesce(n.nspacl, acldefault('n', n.nspowner))")}
  where n.nspname = any($1)
  union all
  select 'type ' || format('%I.%I', n.nspname, t.typname), g.grantee, g.privilege
  from pg_type t join pg_namespace n on n.oid = t.typnamespace
  ${exploded("coalesce(t.typacl, acldefault('T', t.typowner))")}
  where n.nspname = any($1) and t.typtype in ('e', 'd', 'c', 'r')`;

const defaultGrants = `
  select k.kind || coalesce(' ' || quote_ident(s.nspname), '') as target, g.grantee, g.privilege
  from (values ('table', 'r'), ('sequence', 'S'), ('routine', 'f'), ('schema', 'n'), ('type', 'T')) k (kind, letter)
  left join (select oid, nspname from pg_namespace where nspname !~ '^pg_' union all select null, null) s on k.kind <> 'schema'
  ${exploded(`coalesce(
    (select d.defaclacl from pg_default_acl d where d.defaclobjtype::text = k.letter and d.defaclnamespace = 0
      and d.defaclrole = current_user::regrole),
    acldefault(case k.letter when 'S' then 's' else k.letter end::"char", current_user::regrole))
    || coalesce((select d.defaclacl from pg_default_acl d where d.defaclobjtype::text = k.letter
      and d.defaclnamespace = s.oid and d.defaclrole = current_user::regrole), '{}')`)}`;

async function readGrants(sql: Database, schemas: readonly string[]): Promise<Map<string, Grants>> {
  return grouped((await sql.query<GrantRow>(grants, [schemas])).rows);
}

/** For the role that the difference is applied with, which is the reader's own. */
async function readDefaultGrants(sql: Database): Promise<DefaultGrants> {
  return grouped((await sql.query<GrantRow>(defaultGrants)).rows);
}

function grouped(rows: readonly GrantRow[]): Map<string, Grants> {
  const targets = new Map<string, Map<string, Set<string>>>();
  for (const { target, grantee, privilege } of rows) {
    const grantees = targets.get(target) ?? new Map<string, Set<string>>();
    targets.set(target, grantees.set(grantee, (grantees.get(grantee) ?? new Set()).add(privilege)));
  }
  return targets;
}
