import { addressOf, type CatalogReader } from "./catalog-reader";

interface ColumnRow {
  readonly relation: number;
  readonly table: string;
  readonly number: number;
  readonly name: string;
  readonly type: string;
  readonly collation: string | null;
  readonly required: boolean;
  readonly identity: "" | "a" | "d";
  readonly sequence: string | null;
  readonly generated: "" | "s" | "v";
  readonly expression: string | null;
  readonly default_oid: number | null;
}

/** Columns of tables; a default is an object of its own, since it may need what comes after the table. */
export async function readColumns({ sql, schemas, addresses, add }: CatalogReader): Promise<void> {
  const { rows } = await sql.query<ColumnRow>(columns, [schemas]);
  for (const row of rows) {
    const table = `table ${row.table}`;
    const key = `column ${row.table}.${row.name}`;
    addresses.set(addressOf("pg_class", row.relation, row.number), key);
    const alter = `alter table ${row.table}`;
    add({
      kind: "column",
      key,
      create: [columnText(row)],
      drop: `${alter} drop column ${row.name}`,
      owner: table,
      detail: {
        table: row.table,
        name: row.name,
        type: row.type + (row.collation === null ? "" : ` collate ${row.collation}`),
        required: String(row.required),
        identity: row.identity === "" ? null : identityKinds[row.identity],
        sequence: row.sequence,
        generated: row.generated === "" ? null : row.generated,
        expression: row.generated === "" ? null : row.expression,
      },
      dependsOn: new Set([table]),
    });
    if (row.default_oid === null) continue;
    if (row.generated !== "") {
      addresses.set(addressOf("pg_attrdef", row.default_oid), key);
      continue;
    }
    const defaultKey = `default ${row.table}.${row.name}`;
    addresses.set(addressOf("pg_attrdef", row.default_oid), defaultKey);
    add({
      kind: "default",
      key: defaultKey,
      create: [`${alter} alter column ${row.name} set default ${row.expression ?? ""}`],
      drop: `${alter} alter column ${row.name} drop default`,
      owner: key,
      detail: { expression: row.expression },
      dependsOn: new Set([key]),
    });
  }
}

const identityKinds = { a: "always", d: "by default" } as const;

function columnText(row: ColumnRow): string {
  return [
    row.name,
    row.type,
    ...(row.collation === null ? [] : [`collate ${row.collation}`]),
    ...(row.generated === ""
      ? []
      : [`generated always as (${row.expression ?? ""}) ${row.generated === "s" ? "stored" : "virtual"}`]),
    ...(row.identity === ""
      ? []
      : [`generated ${identityKinds[row.identity]} as identity (${row.sequence ?? ""})`]),
    ...(row.required ? ["not null"] : []),
  ].join(" ");
}

const columns = `
  select a.attrelid::int8 as relation, format('%I.%I', n.nspname, c.relname) as table, a.attnum as number,
    quote_ident(a.attname) as name, format_type(a.atttypid, a.atttypmod) as type,
    case when a.attcollation <> 0 and a.attcollation <> t.typcollation then a.attcollation::regcollation::text end
      as collation,
    a.attnotnull as required, a.attidentity as identity, a.attgenerated as generated,
    (select format('increment by %s minvalue %s maxvalue %s start with %s cache %s%s', s.seqincrement, s.seqmin, s.seqmax,
        s.seqstart, s.seqcache, case when s.seqcycle then ' cycle' else ' no cycle' end)
      from pg_depend d join pg_sequence s on s.seqrelid = d.objid
      where a.attidentity <> '' and d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass
        and d.refobjid = a.attrelid and d.refobjsubid = a.attnum and d.deptype = 'i') as sequence,
    pg_get_expr(f.adbin, f.adrelid) as expression, f.oid::int8 as default_oid
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  join pg_namespace n on n.oid = c.relnamespace
  join pg_type t on t.oid = a.atttypid
  left join pg_attrdef f on f.adrelid = a.attrelid and f.adnum = a.attnum
  where n.nspname = any($1) and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped and a.attislocal
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by a.attrelid, a.attnum`;
