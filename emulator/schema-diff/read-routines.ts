import { addressOf, type CatalogReader } from "./catalog-reader";

interface RoutineRow {
  readonly oid: number;
  readonly kind: "function" | "procedure";
  readonly name: string;
  readonly definition: string;
  readonly result: string | null;
  readonly arguments: string;
}

/** Functions and procedures; aggregates, which have no definition to read, are left out. */
export async function readRoutines({ sql, schemas, addresses, add }: CatalogReader): Promise<void> {
  const { rows } = await sql.query<RoutineRow>(
    `select p.oid::int8 as oid, case p.prokind when 'p' then 'procedure' else 'function' end as kind,
       format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)) as name,
       pg_get_functiondef(p.oid) as definition, pg_get_function_result(p.oid) as result,
       pg_get_function_arguments(p.oid) as arguments
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname = any($1) and p.prokind <> 'a' and not exists (select from pg_depend d
       where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype in ('e', 'i'))
     order by 3`,
    [schemas],
  );
  for (const row of rows) {
    // Procedures and functions share one name space.
    const key = `function ${row.name}`;
    addresses.set(addressOf("pg_proc", row.oid), key);
    add({
      kind: "function",
      key,
      create: [row.definition.trim()],
      drop: `drop ${row.kind} ${row.name}`,
      detail: { kind: row.kind, result: row.result, arguments: row.arguments },
    });
  }
}
