import { platformSchemas } from "../sql/platform/new-database";
import { addressOf, type CatalogReader } from "./catalog-reader";

/** Reads schemas and extensions, and gives the names of the schemas whose content is compared. */
export async function readSchemas(reader: CatalogReader, included?: readonly string[]): Promise<string[]> {
  const { sql, add, addresses } = reader;
  const wanted = included && new Set(included);
  // What the platform keeps for itself, a branch does not change.
  const leftOut = new Set(platformSchemas(sql.names));
  const isWanted = (name: string): boolean => wanted?.has(name) ?? !leftOut.has(name);

  const schemas = await sql.query<{ oid: number; name: string; quoted: string }>(
    `select n.oid::int8 as oid, nspname as name, quote_ident(nspname) as quoted from pg_namespace n
     where nspname !~ '^pg_' and nspname <> 'information_schema' and not exists (select from pg_depend d where d.classid = 'pg_namespace'::regclass
       and d.objid = n.oid and d.deptype = 'e')`,
  );
  const compared = schemas.rows.filter(({ name }) => isWanted(name));
  for (const { oid, quoted } of compared) {
    const key = `schema ${quoted}`;
    addresses.set(addressOf("pg_namespace", oid), key);
    add({ kind: "schema", key, create: [`create schema ${quoted}`], drop: `drop schema ${quoted}` });
  }

  const extensions = await sql.query<{ oid: number; name: string; schema: string; quoted: string }>(
    `select e.oid::int8 as oid, quote_ident(extname) as name, nspname as schema, quote_ident(nspname) as quoted
     from pg_extension e join pg_namespace n on n.oid = extnamespace where extname <> 'plpgsql'`,
  );
  for (const { oid, name, schema, quoted } of extensions.rows) {
    // Extensions live in a platform schema as a rule, and are the branch's own nevertheless.
    if (wanted !== undefined && !wanted.has(schema)) continue;
    const key = `extension ${name}`;
    addresses.set(addressOf("pg_extension", oid), key);
    add({
      kind: "extension",
      key,
      create: [`create extension if not exists ${name} with schema ${quoted}`],
      drop: `drop extension ${name}`,
    });
  }
  return compared.map(({ name }) => name);
}
