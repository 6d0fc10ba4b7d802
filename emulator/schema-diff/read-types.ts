import { addressOf, type CatalogReader } from "./catalog-reader";

interface TypeRow {
  readonly oid: number;
  readonly typtype: "e" | "d" | "c" | "r";
  readonly name: string;
  readonly short: string;
  readonly schema: string;
  readonly labels: string[] | null;
  readonly base: string;
  readonly default: string | null;
  readonly required: boolean;
  readonly attributes: string | null;
  readonly subtype: string | null;
}

interface DomainConstraintRow {
  readonly oid: number;
  readonly type: number;
  readonly name: string;
  readonly definition: string;
}

/** Enums, domains, composite types and ranges. */
export async function readTypes({ sql, schemas, addresses, add }: CatalogReader): Promise<void> {
  const constraints = await sql.query<DomainConstraintRow>(
    `select oid::int8 as oid, contypid::int8 as type, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contypid <> 0 and contype = 'c' order by conname`,
  );
  const { rows } = await sql.query<TypeRow>(
    `select t.oid::int8 as oid, t.typtype, format('%I.%I', nspname, t.typname) as name, quote_ident(t.typname) as short,
       quote_ident(nspname) as schema,
       (select array_agg(quote_literal(enumlabel) order by enumsortorder) from pg_enum where enumtypid = t.oid) as labels,
       coalesce(format_type(t.typbasetype, t.typtypmod), '') || case when t.typcollation <> b.typcollation
         then ' collate ' || t.typcollation::regcollation::text else '' end as base,
       t.typdefault as default, t.typnotnull as required,
       (select string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' order by attnum)
         from pg_attribute where attrelid = t.typrelid and attnum > 0 and not attisdropped) as attributes,
       (select format_type(rngsubtype, null) from pg_range where rngtypid = t.oid) as subtype
     from pg_type t join pg_namespace n on n.oid = t.typnamespace left join pg_type b on b.oid = t.typbasetype
     where nspname = any($1) and t.typtype in ('e', 'd', 'c', 'r')
       and (t.typrelid = 0 or exists (select from pg_class where oid = t.typrelid and relkind = 'c'))
       and not exists (select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')`,
    [schemas],
  );
  for (const row of rows) {
    const own = constraints.rows.filter(({ type }) => type === row.oid);
    const key = `type ${row.name}`;
    addresses.set(addressOf("pg_type", row.oid), key);
    for (const { oid } of own) addresses.set(addressOf("pg_constraint", oid), key);
    add({
      kind: "type",
      key,
      create: createType(row, own),
      drop: `drop ${row.typtype === "d" ? "domain" : "type"} ${row.name}`,
      detail: {
        name: row.name,
        short: row.short,
        schema: row.schema,
        kind: row.typtype,
        labels: row.labels === null ? null : JSON.stringify(row.labels),
        base: row.typtype === "d" ? row.base : null,
        default: row.default,
        required: String(row.required),
        constraints: JSON.stringify(own.map(({ name, definition }) => [name, definition])),
      },
    });
  }
  await aliasArrays({ sql, addresses });
}

function createType(row: TypeRow, constraints: readonly DomainConstraintRow[]): string[] {
  switch (row.typtype) {
    case "e":
      return [`create type ${row.name} as enum (${(row.labels ?? []).join(", ")})`];
    case "c":
      return [`create type ${row.name} as (${row.attributes ?? ""})`];
    case "r":
      return [`create type ${row.name} as range (subtype = ${row.subtype ?? ""})`];
    case "d":
      return [
        [
          `create domain ${row.name} as ${row.base}`,
          ...(row.default === null ? [] : [`default ${row.default}`]),
          ...(row.required ? ["not null"] : []),
          ...constraints.map(({ name, definition }) => `constraint ${name} ${definition}`),
        ].join(" "),
      ];
  }
}

/** What depends on an array depends on its element; a composite type also stands at its own relation. */
async function aliasArrays({ sql, addresses }: Pick<CatalogReader, "sql" | "addresses">): Promise<void> {
  const { rows } = await sql.query<{ oid: number; element: number; relation: number }>(
    `select oid::int8 as oid, typelem::int8 as element, typrelid::int8 as relation from pg_type
     where oid >= 16384 and (typelem <> 0 or typrelid <> 0)`,
  );
  for (const { oid, element, relation } of rows) {
    const key = addresses.get(addressOf("pg_type", element !== 0 ? element : oid));
    if (key === undefined) continue;
    if (element !== 0) addresses.set(addressOf("pg_type", oid), key);
    if (relation !== 0) addresses.set(addressOf("pg_class", relation), key);
  }
}
