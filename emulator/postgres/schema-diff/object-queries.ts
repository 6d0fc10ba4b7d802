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

/** An object as its query gives it: the same columns for every kind, without those that it has no need of. */
export interface ObjectRow {
  readonly kind: ObjectKind;
  readonly key: string;
  readonly create: readonly (string | null)[];
  readonly drop: string;
  /** Key of the object with which it goes, and on which it depends. */
  readonly owner?: string;
  /** Key of another object that it depends on, beside what `pg_depend` tells. */
  readonly needs?: string;
  readonly detail?: Readonly<Record<string, string | null>>;
  /** Where `pg_depend` and `pg_description` find it. */
  readonly addresses?: readonly (string | null)[];
}

/** A place in the catalog: class, oid and column number. */
const address = (catalog: string, oid: string, column = "0"): string =>
  `'${catalog}:' || ${oid} || ':' || ${column}`;

/** That no extension has brought it, nor what else the kinds of dependency name. */
export const isFree = (catalog: string, oid: string, kinds = "'e'"): string =>
  `not exists (select from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = ${oid} and d.deptype in (${kinds}))`;

/** Roles that policies and grants may name, without those of the platform, `$1`, which are everywhere. */
export const roles = `
  select 'role' as kind, format('role %I', rolname) as key,
    array[format('create role %I %s', rolname, case when rolcanlogin then 'login' else 'nologin' end)] as create,
    format('drop role %I', rolname) as drop
  from pg_roles where rolname !~ '^pg_' and rolname <> all($1::text[])`;

/** As a rule they are in a platform schema, and the branch's own nevertheless: `$1` is null unless schemas were named. */
export const extensions = `
  select 'extension' as kind, format('extension %I', extname) as key,
    array[format('create extension if not exists %I with schema %I', extname, nspname)] as create,
    format('drop extension %I', extname) as drop, array[${address("pg_extension", "e.oid")}] as addresses
  from pg_extension e join pg_namespace n on n.oid = extnamespace
  where extname <> 'plpgsql' and ($1::text[] is null or nspname = any($1))`;

const schemas = `
  select 'schema' as kind, format('schema %I', nspname) as key, array[format('create schema %I', nspname)] as create,
    format('drop schema %I', nspname) as drop, array[${address("pg_namespace", "oid")}] as addresses
  from pg_namespace where nspname = any($1)`;

/** Enums, domains, composite types and ranges. What depends on an array depends on its element. */
const types = `
  with checks as (
    select oid, contypid, conname, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contypid <> 0 and contype = 'c')
  select 'type' as kind, 'type ' || t.name as key, array[case typtype
      when 'e' then format('create type %s as enum (%s)', t.name, array_to_string(labels, ', '))
      when 'c' then format('create type %s as (%s)', t.name, (
        select string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' order by attnum)
        from pg_attribute where attrelid = typrelid and attnum > 0 and not attisdropped))
      when 'r' then format('create type %s as range (subtype = %s)', t.name,
        (select format_type(rngsubtype, null) from pg_range where rngtypid = t.oid))
      when 'd' then concat_ws(' ', 'create domain', t.name, 'as', base, 'default ' || typdefault,
        case when typnotnull then 'not null' end, (
          select string_agg(format('constraint %s %s', c.name, definition), ' ' order by conname)
          from checks c where contypid = t.oid))
    end] as create,
    format('drop %s %s', case typtype when 'd' then 'domain' else 'type' end, t.name) as drop,
    json_build_object('name', t.name, 'short', quote_ident(typname), 'schema', quote_ident(nspname),
      'kind', typtype, 'labels', array_to_json(labels)::text, 'base', case typtype when 'd' then base end,
      'default', typdefault, 'required', typnotnull::text, 'constraints', coalesce((
        select json_agg(json_build_array(c.name, definition) order by conname) from checks c where contypid = t.oid
      ), '[]')::text) as detail,
    array[${address("pg_type", "t.oid")}, ${address("pg_type", "typarray")}, ${address("pg_class", "typrelid")}]
      || array(select ${address("pg_constraint", "c.oid")} from checks c where contypid = t.oid) as addresses
  from (
    select t.*, nspname, format('%I.%I', nspname, t.typname) as name,
      (select array_agg(quote_literal(enumlabel) order by enumsortorder) from pg_enum where enumtypid = t.oid) as labels,
      format_type(t.typbasetype, t.typtypmod) || case when t.typcollation <> b.typcollation
        then ' collate ' || t.typcollation::regcollation::text else '' end as base
    from pg_type t join pg_namespace n on n.oid = t.typnamespace left join pg_type b on b.oid = t.typbasetype
    where nspname = any($1) and t.typtype in ('e', 'd', 'c', 'r') and ${isFree("pg_type", "t.oid")}
      and (t.typrelid = 0 or exists (select from pg_class where oid = t.typrelid and relkind = 'c'))
  ) t`;

const sequenceOptions = `
  format('increment by %s minvalue %s maxvalue %s start with %s cache %s %s', seqincrement, seqmin, seqmax, seqstart,
    seqcache, case when seqcycle then 'cycle' else 'no cycle' end)`;

const theColumns = `(
  select a.*, format('%I.%I', nspname, relname) as table, quote_ident(attname) as name,
    format_type(atttypid, atttypmod) || case when attcollation not in (0, typcollation)
      then ' collate ' || attcollation::regcollation::text else '' end as type,
    case attidentity when 'a' then 'always' when 'd' then 'by default' end as identity,
    (select ${sequenceOptions} from pg_depend d join pg_sequence on seqrelid = d.objid
      where attidentity <> '' and d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass
        and d.refobjid = attrelid and d.refobjsubid = attnum and d.deptype = 'i') as sequence,
    nullif(attgenerated, '') as generated, pg_get_expr(adbin, adrelid) as expression, f.oid as default_oid
  from pg_attribute a join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = relnamespace
  join pg_type t on t.oid = atttypid left join pg_attrdef f on adrelid = attrelid and adnum = attnum
  where nspname = any($1) and relkind in ('r', 'p') and attnum > 0 and not attisdropped and attislocal
    and ${isFree("pg_class", "c.oid")}
) c`;

const columns = `
  select 'column' as kind, format('column %s.%s', c.table, name) as key,
    array[concat_ws(' ', name, type,
      'generated always as (' || expression || case generated when 's' then ') stored' when 'v' then ') virtual' end,
      'generated ' || identity || ' as identity (' || sequence || ')',
      case when attnotnull then 'not null' end)] as create,
    format('alter table %s drop column %s', c.table, name) as drop, 'table ' || c.table as owner,
    json_build_object('table', c.table, 'name', name, 'type', type, 'required', attnotnull::text, 'identity', identity,
      'sequence', sequence, 'generated', generated, 'expression', case when generated is not null then expression end
    ) as detail,
    array[${address("pg_class", "attrelid", "attnum")},
      case when generated is not null then ${address("pg_attrdef", "default_oid")} end] as addresses
  from ${theColumns} order by attrelid, attnum`;

/** Objects of their own, since they may need what comes after the table. */
const defaults = `
  select 'default' as kind, format('default %s.%s', c.table, name) as key,
    array[format('alter table %s alter column %s set default %s', c.table, name, expression)] as create,
    format('alter table %s alter column %s drop default', c.table, name) as drop,
    format('column %s.%s', c.table, name) as owner, json_build_object('expression', expression) as detail,
    array[${address("pg_attrdef", "default_oid")}] as addresses
  from ${theColumns} where generated is null and default_oid is not null order by attrelid, attnum`;

const theRelations = `(
  select c.*, format('%I.%I', nspname, relname) as name, array_to_string(reloptions, ', ') as options,
    case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end as kind,
    case relkind when 'p' then pg_get_partkeydef(c.oid) end as partition_key, pg_get_expr(relpartbound, c.oid) as bound,
    (select string_agg(inhparent::regclass::text, ', ' order by inhseqno) from pg_inherits where inhrelid = c.oid) as parents,
    (select format('as %s ', format_type(seqtypid, null)) || ${sequenceOptions} from pg_sequence where seqrelid = c.oid)
      as sequence
  from pg_class c join pg_namespace n on n.oid = relnamespace
  where nspname = any($1) and relkind in ('r', 'p', 'v', 'm', 'S')
    -- Nor the sequence of an identity column.
    and ${isFree("pg_class", "c.oid", "'e', case relkind when 'S' then 'i' end")}
) r`;

/** Tables, whose columns are put between the two parts of `create`, sequences, views and materialized views. */
const relations = `
  select kind, kind || ' ' || name as key, case kind
      when 'table' then array[
        format('create%s table %s', case relpersistence when 'u' then ' unlogged' end, name),
        case when bound is null
          then concat_ws(' ', 'inherits (' || parents || ')', 'partition by ' || partition_key, 'with (' || options || ')')
          else concat_ws(' ', 'partition of', parents, bound, 'partition by ' || partition_key) end]
      when 'sequence' then array[format('create sequence %s %s', name, sequence)]
      else array[format('create %s %s%s as\n%s', kind, name, ' with (' || options || ')',
        regexp_replace(pg_get_viewdef(oid), ';\\s*$', ''))]
    end as create,
    -- A sequence may have gone with its column.
    format('drop %s %s', case kind when 'sequence' then 'sequence if exists' else kind end, name) as drop,
    case kind
      when 'table' then json_build_object('name', name, 'unlogged', (relpersistence = 'u')::text, 'options', options,
        'parents', parents, 'bound', bound)
      when 'sequence' then json_build_object('name', name, 'options', sequence)
      else '{}' end as detail,
    array[${address("pg_class", "oid")}, ${address("pg_type", "nullif(reltype, 0)")}, ${address(
      "pg_rewrite",
      "(select oid from pg_rewrite where ev_class = r.oid and rulename = '_RETURN')",
    )}] as addresses
  from ${theRelations} order by name`;

const tableSettings = `
  select s.kind, s.kind || variant || ' ' || name as key, array[format('alter table %s %s', name, setting)] as create,
    format('alter table %s %s', name, without) as drop, 'table ' || name as owner
  from ${theRelations}, lateral (values
    ('row security', '', relrowsecurity, 'enable row level security', 'disable row level security'),
    ('row security', ' forced', relforcerowsecurity, 'force row level security', 'no force row level security'),
    ('replica identity', '', relreplident = 'f', 'replica identity full', 'replica identity default'),
    ('replica identity', ' none', relreplident = 'n', 'replica identity nothing', 'replica identity default')
  ) s (kind, variant, is_on, setting, without)
  where r.kind = 'table' and is_on order by name, variant`;

/** The column with which a sequence goes. */
const sequenceOwners = `
  select 'ownership' as kind, 'ownership ' || r.name as key,
    array[format('alter sequence %s owned by %s.%s', r.name, c.table, c.name)] as create,
    format('alter sequence %s owned by none', r.name) as drop, 'sequence ' || r.name as owner,
    format('column %s.%s', c.table, c.name) as needs
  from ${theRelations}
  join pg_depend o on o.classid = 'pg_class'::regclass and o.objid = r.oid and o.refclassid = 'pg_class'::regclass
    and o.deptype = 'a'
  join ${theColumns} on attrelid = o.refobjid and attnum = o.refobjsubid
  where kind = 'sequence' order by r.name`;

/** Functions and procedures, which share one name space; aggregates, which have no definition to read, are left out. */
const routines = `
  select 'function' as kind, 'function ' || name as key, array[btrim(pg_get_functiondef(oid), E' \\n')] as create,
    format('drop %s %s', routine, name) as drop,
    json_build_object('kind', routine, 'result', pg_get_function_result(oid), 'arguments', pg_get_function_arguments(oid))
      as detail,
    array[${address("pg_proc", "oid")}] as addresses
  from (
    select p.oid, case prokind when 'p' then 'procedure' else 'function' end as routine,
      format('%I.%I(%s)', nspname, proname, pg_get_function_identity_arguments(p.oid)) as name
    from pg_proc p join pg_namespace n on n.oid = pronamespace
    where nspname = any($1) and prokind <> 'a' and ${isFree("pg_proc", "p.oid", "'e', 'i'")}
  ) p order by name`;

const constraints = `
  select case contype when 'f' then 'foreign key' else 'constraint' end as kind,
    format('constraint %I on %s', conname, conrelid::regclass) as key,
    array[format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(k.oid))] as create,
    format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
    'table ' || conrelid::regclass as owner,
    array[${address("pg_constraint", "k.oid")},
      -- The index behind it.
      case when contype <> 'f' then ${address("pg_class", "conindid")} end] as addresses
  from pg_constraint k join pg_class c on c.oid = conrelid join pg_namespace n on n.oid = relnamespace
  where nspname = any($1) and contype in ('p', 'u', 'c', 'f', 'x') and conparentid = 0 and conislocal
    and ${isFree("pg_class", "c.oid")}
  order by array_position(array['p', 'u', 'c', 'x', 'f'], contype::text), conrelid::regclass::text, quote_ident(conname)`;

const indexes = `
  select 'index' as kind, format('index %I on %s', x.relname, indrelid::regclass) as key,
    array[pg_get_indexdef(indexrelid)] as create, format('drop index %I.%I', nspname, x.relname) as drop,
    case c.relkind when 'm' then 'materialized view ' else 'table ' end || indrelid::regclass as owner,
    array[${address("pg_class", "indexrelid")}] as addresses
  from pg_index i join pg_class x on x.oid = indexrelid join pg_class c on c.oid = indrelid
  join pg_namespace n on n.oid = c.relnamespace
  where nspname = any($1) and c.relkind in ('r', 'p', 'm') and not x.relispartition
    and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
    and ${isFree("pg_class", "c.oid")} and ${isFree("pg_class", "x.oid")}
  order by indrelid::regclass::text, quote_ident(x.relname)`;

const triggers = `
  select 'trigger' as kind, format('trigger %I on %s', tgname, tgrelid::regclass) as key,
    array[pg_get_triggerdef(t.oid), format('alter table %s ', tgrelid::regclass) || case tgenabled when 'D' then 'disable'
      when 'A' then 'enable always' when 'R' then 'enable replica' end || format(' trigger %I', tgname)] as create,
    format('drop trigger %I on %s', tgname, tgrelid::regclass) as drop,
    case relkind when 'v' then 'view ' else 'table ' end || tgrelid::regclass as owner,
    array[${address("pg_trigger", "t.oid")}] as addresses
  from pg_trigger t join pg_class c on c.oid = tgrelid join pg_namespace n on n.oid = relnamespace
  where nspname = any($1) and not tgisinternal and tgparentid = 0
  order by tgrelid::regclass::text, quote_ident(tgname)`;

const policies = `
  select 'policy' as kind, format('policy %I on %s', polname, polrelid::regclass) as key,
    array[format('create policy %I on %s as %s for %s to %s', polname, polrelid::regclass,
      case when polpermissive then 'permissive' else 'restrictive' end,
      case polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
      (select string_agg(case when r = 0 then 'public' else quote_ident(pg_get_userbyid(r)) end, ', '
        order by pg_get_userbyid(r)) from unnest(polroles) r))
      || coalesce(' using (' || pg_get_expr(polqual, polrelid) || ')', '')
      || coalesce(' with check (' || pg_get_expr(polwithcheck, polrelid) || ')', '')] as create,
    format('drop policy %I on %s', polname, polrelid::regclass) as drop, 'table ' || polrelid::regclass as owner,
    array[${address("pg_policy", "p.oid")}] as addresses
  from pg_policy p join pg_class c on c.oid = polrelid join pg_namespace n on n.oid = relnamespace
  where nspname = any($1) order by polrelid::regclass::text, quote_ident(polname)`;

/** What is in the schemas `$1`. */
export const schemaContents: readonly string[] = [
  schemas,
  types,
  columns,
  defaults,
  relations,
  tableSettings,
  sequenceOwners,
  routines,
  constraints,
  indexes,
  triggers,
  policies,
];
