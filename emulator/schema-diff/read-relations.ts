import { addressOf, type CatalogReader } from "./catalog-reader";
import { readColumns } from "./read-columns";

interface RelationRow {
  readonly oid: number;
  readonly type: number;
  readonly kind: "r" | "p" | "v" | "m" | "S";
  readonly name: string;
  readonly unlogged: boolean;
  readonly options: string | null;
  readonly partition_key: string | null;
  readonly bound: string | null;
  readonly parents: string | null;
  readonly definition: string | null;
  readonly rule: number | null;
  readonly secured: boolean;
  readonly forced: boolean;
  readonly identity: string;
  readonly sequence: string | null;
  /** The column that a sequence goes with. */
  readonly owner_relation: number | null;
  readonly owner_column: number | null;
  readonly owner_name: string | null;
}

/** Tables with their columns, sequences, views and materialized views. */
export async function readRelations(reader: CatalogReader): Promise<void> {
  const { sql, schemas, addresses, add } = reader;
  const { rows } = await sql.query<RelationRow>(relations, [schemas]);
  for (const row of rows) {
    const key = `${kinds[row.kind]} ${row.name}`;
    addresses.set(addressOf("pg_class", row.oid), key);
    if (row.type !== 0) addresses.set(addressOf("pg_type", row.type), key);
    if (row.rule !== null) addresses.set(addressOf("pg_rewrite", row.rule), key);
  }
  await readColumns(reader);
  for (const row of rows) {
    const key = `${kinds[row.kind]} ${row.name}`;
    switch (row.kind) {
      case "r":
      case "p":
        add({
          kind: "table",
          key,
          // The columns are put between the two halves when the table is made.
          create: [`create${row.unlogged ? " unlogged" : ""} table ${row.name}`, tableTail(row)],
          drop: `drop table ${row.name}`,
          detail: {
            name: row.name,
            unlogged: String(row.unlogged),
            options: row.options,
            parents: row.parents,
            bound: row.bound,
          },
        });
        addSettings(reader, row, key);
        break;
      case "S":
        add({
          kind: "sequence",
          key,
          create: [`create sequence ${row.name} ${row.sequence ?? ""}`],
          // It may have gone with its column.
          drop: `drop sequence if exists ${row.name}`,
          detail: { name: row.name, options: row.sequence },
        });
        addOwnership(reader, row, key);
        break;
      default: {
        const kind = kinds[row.kind];
        const options = row.options === null ? "" : ` with (${row.options})`;
        const definition = (row.definition ?? "").replace(/;\s*$/, "");
        add({
          kind,
          key,
          create: [`create ${kind} ${row.name}${options} as\n${definition}`],
          drop: `drop ${kind} ${row.name}`,
        });
      }
    }
  }
}

const kinds = {
  r: "table",
  p: "table",
  v: "view",
  m: "materialized view",
  S: "sequence",
} as const;

function tableTail(row: RelationRow): string {
  if (row.bound !== null) {
    const further = row.partition_key === null ? "" : ` partition by ${row.partition_key}`;
    return `partition of ${row.parents ?? ""} ${row.bound}${further}`;
  }
  return [
    ...(row.parents === null ? [] : [`inherits (${row.parents})`]),
    ...(row.partition_key === null ? [] : [`partition by ${row.partition_key}`]),
    ...(row.options === null ? [] : [`with (${row.options})`]),
  ].join(" ");
}

function addSettings({ add }: CatalogReader, row: RelationRow, table: string): void {
  const alter = `alter table ${row.name}`;
  const settings = [
    ["row security", "", row.secured, "enable row level security", "disable row level security"],
    ["row security", " forced", row.forced, "force row level security", "no force row level security"],
    ["replica identity", "", row.identity === "f", "replica identity full", "replica identity default"],
    [
      "replica identity",
      " none",
      row.identity === "n",
      "replica identity nothing",
      "replica identity default",
    ],
  ] as const;
  for (const [kind, variant, isOn, create, drop] of settings) {
    if (!isOn) continue;
    add({
      kind,
      key: `${kind}${variant} ${row.name}`,
      create: [`${alter} ${create}`],
      drop: `${alter} ${drop}`,
      owner: table,
      dependsOn: new Set([table]),
    });
  }
}

function addOwnership({ add, addresses }: CatalogReader, row: RelationRow, sequence: string): void {
  if (row.owner_relation === null || row.owner_column === null || row.owner_name === null) return;
  const column = addresses.get(addressOf("pg_class", row.owner_relation, row.owner_column));
  if (column === undefined) return;
  add({
    kind: "ownership",
    key: `ownership ${row.name}`,
    create: [`alter sequence ${row.name} owned by ${row.owner_name}`],
    drop: `alter sequence ${row.name} owned by none`,
    owner: sequence,
    dependsOn: new Set([sequence, column]),
  });
}

const relations = `
  select c.oid::int8 as oid, c.reltype::int8 as type, c.relkind as kind, format('%I.%I', n.nspname, c.relname) as name,
    c.relpersistence = 'u' as unlogged, array_to_string(c.reloptions, ', ') as options,
    case when c.relkind = 'p' then pg_get_partkeydef(c.oid) end as partition_key,
    pg_get_expr(c.relpartbound, c.oid) as bound,
    (select string_agg(i.inhparent::regclass::text, ', ' order by i.inhseqno) from pg_inherits i where i.inhrelid = c.oid)
      as parents,
    case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end as definition,
    (select r.oid::int8 from pg_rewrite r where r.ev_class = c.oid and r.rulename = '_RETURN') as rule,
    c.relrowsecurity as secured, c.relforcerowsecurity as forced, c.relreplident as identity,
    case when c.relkind = 'S' then format('as %s increment by %s minvalue %s maxvalue %s start with %s cache %s%s',
      format_type(s.seqtypid, null), s.seqincrement, s.seqmin, s.seqmax, s.seqstart, s.seqcache,
      case when s.seqcycle then ' cycle' else ' no cycle' end) end as sequence,
    o.refobjid::int8 as owner_relation, o.refobjsubid as owner_column,
    case when o.refobjid is not null then o.refobjid::regclass::text || '.' || quote_ident(a.attname) end as owner_name
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  left join pg_sequence s on s.seqrelid = c.oid
  left join pg_depend o on c.relkind = 'S' and o.classid = 'pg_class'::regclass and o.objid = c.oid
    and o.refclassid = 'pg_class'::regclass and o.deptype = 'a'
  left join pg_attribute a on a.attrelid = o.refobjid and a.attnum = o.refobjsubid
  where n.nspname = any($1) and c.relkind in ('r', 'p', 'v', 'm', 'S')
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
      -- An extension's own, and the sequences of identity columns.
      and (d.deptype = 'e' or (c.relkind = 'S' and d.deptype = 'i')))
  order by 4`;
