import type { ObjectKind } from "./catalog";
import { addressOf, type CatalogReader } from "./catalog-reader";

interface SubRow {
  readonly oid: number;
  /** The index behind a constraint. */
  readonly index?: number | null;
  readonly table: string;
  readonly on?: "table" | "view" | "materialized view";
  readonly name: string;
  readonly create: string;
  readonly then?: string | null;
  readonly foreign?: boolean;
}

/** Constraints, indexes, triggers and policies: what belongs to a table. */
export async function readSubObjects(reader: CatalogReader): Promise<void> {
  for (const row of await read(reader, constraints)) {
    const kind = row.foreign === true ? "foreign key" : "constraint";
    const key = put(
      reader,
      row,
      kind,
      "pg_constraint",
      `alter table ${row.table} drop constraint ${row.name}`,
    );
    if (row.index != null && row.foreign !== true)
      reader.addresses.set(addressOf("pg_class", row.index), key);
  }
  for (const row of await read(reader, indexes)) {
    const schema = row.table.slice(0, row.table.length - lastPart(row.table).length);
    put(reader, row, "index", "pg_class", `drop index ${schema}${row.name}`);
  }
  for (const row of await read(reader, triggers)) {
    put(reader, row, "trigger", "pg_trigger", `drop trigger ${row.name} on ${row.table}`);
  }
  for (const row of await read(reader, policies)) {
    put(reader, row, "policy", "pg_policy", `drop policy ${row.name} on ${row.table}`);
  }
}

async function read({ sql, schemas }: CatalogReader, query: string): Promise<readonly SubRow[]> {
  return (await sql.query<SubRow>(query, [schemas])).rows;
}

function put(reader: CatalogReader, row: SubRow, kind: ObjectKind, catalog: string, drop: string): string {
  const key = `${kind === "foreign key" ? "constraint" : kind} ${row.name} on ${row.table}`;
  const owner = `${row.on ?? "table"} ${row.table}`;
  reader.addresses.set(addressOf(catalog, row.oid), key);
  reader.add({
    kind,
    key,
    create: row.then == null ? [row.create] : [row.create, row.then],
    drop,
    owner,
    dependsOn: new Set([owner]),
  });
  return key;
}

/** The last part of a qualified name, which may be quoted and hold dots. */
function lastPart(name: string): string {
  return /(?:"(?:[^"]|"")*"|[^."]+)$/.exec(name)?.[0] ?? name;
}

const notOfExtension = (catalog: string, oid: string): string =>
  `not exists (select from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = ${oid} and d.deptype = 'e')`;

const constraints = `
  select k.oid::int8 as oid, k.conindid::int8 as index, k.conrelid::regclass::text as table, quote_ident(k.conname) as name,
    k.contype = 'f' as foreign,
    format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) as create
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and k.contype in ('p', 'u', 'c', 'f', 'x') and k.conparentid = 0 and k.conislocal
    and ${notOfExtension("pg_class", "c.oid")}
  order by array_position(array['p', 'u', 'c', 'x', 'f'], k.contype::text), 3, 4`;

const indexes = `
  select i.indexrelid::int8 as oid, i.indrelid::regclass::text as table, quote_ident(x.relname) as name,
    case c.relkind when 'm' then 'materialized view' else 'table' end as on, pg_get_indexdef(i.indexrelid) as create
  from pg_index i join pg_class x on x.oid = i.indexrelid join pg_class c on c.oid = i.indrelid
  join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and c.relkind in ('r', 'p', 'm') and not x.relispartition
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
    and ${notOfExtension("pg_class", "c.oid")} and ${notOfExtension("pg_class", "x.oid")}
  order by 2, 3`;

const triggers = `
  select t.oid::int8 as oid, t.tgrelid::regclass::text as table, quote_ident(t.tgname) as name,
    case c.relkind when 'v' then 'view' else 'table' end as on, pg_get_triggerdef(t.oid) as create,
    case t.tgenabled when 'D' then format('alter table %s disable trigger %I', t.tgrelid::regclass, t.tgname)
      when 'A' then format('alter table %s enable always trigger %I', t.tgrelid::regclass, t.tgname)
      when 'R' then format('alter table %s enable replica trigger %I', t.tgrelid::regclass, t.tgname) end as then
  from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and not t.tgisinternal and t.tgparentid = 0
  order by 2, 3`;

const policies = `
  select p.oid::int8 as oid, p.polrelid::regclass::text as table, quote_ident(p.polname) as name,
    format('create policy %I on %s as %s for %s to %s', p.polname, p.polrelid::regclass,
      case when p.polpermissive then 'permissive' else 'restrictive' end,
      case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
      (select string_agg(case when r = 0 then 'public' else quote_ident(pg_get_userbyid(r)) end, ', '
        order by pg_get_userbyid(r)) from unnest(p.polroles) r))
    || coalesce(' using (' || pg_get_expr(p.polqual, p.polrelid) || ')', '')
    || coalesce(' with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')', '') as create
  from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1)
  order by 2, 3`;
