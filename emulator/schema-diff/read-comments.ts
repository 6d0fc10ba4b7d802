import type { CatalogObject, Comment } from "./catalog";
import { addressOf, type CatalogReader } from "./catalog-reader";

interface CommentRow {
  readonly class: string;
  readonly oid: number;
  readonly sub: number;
  readonly text: string;
  /** Of a view's column. */
  readonly column: string | null;
}

/** Comments by what `COMMENT ON` names. */
export async function readComments(
  { sql, addresses }: CatalogReader,
  objects: ReadonlyMap<string, CatalogObject>,
): Promise<Map<string, Comment>> {
  const { rows } = await sql.query<CommentRow>(
    `select classoid::regclass::text as class, objoid::int8 as oid, objsubid as sub, quote_literal(description) as text,
       (select a.attrelid::regclass || '.' || quote_ident(attname) from pg_attribute a
         where classoid = 'pg_class'::regclass and attrelid = objoid and attnum = objsubid and objsubid > 0) as column
     from pg_description where objoid >= 16384 or classoid = 'pg_namespace'::regclass`,
  );
  const comments = new Map<string, Comment>();
  for (const row of rows) {
    const key =
      addresses.get(addressOf(row.class, row.oid, row.sub)) ?? addresses.get(addressOf(row.class, row.oid));
    const object = objects.get(key ?? "");
    if (object === undefined || isAlias(row.class, object)) continue;
    const target = row.sub > 0 && row.column !== null ? `column ${row.column}` : targetOf(object);
    if (target !== undefined) comments.set(target, { text: row.text, on: object.key });
  }
  return comments;
}

/** A constraint's index and what belongs to a type stand at the address of something that has a comment of its own. */
function isAlias(catalog: string, { kind }: CatalogObject): boolean {
  return (kind === "type" && catalog !== "pg_type") || (kind === "constraint" && catalog === "pg_class");
}

/** The object in the words of `COMMENT ON`; undefined where it takes none. */
function targetOf({ kind, key, detail, drop }: CatalogObject): string | undefined {
  switch (kind) {
    // The key neither distinguishes procedures nor names an index by itself.
    case "function":
    case "index":
      return drop.replace(/^drop /, "");
    case "type":
      return detail["kind"] === "d" ? key.replace(/^type/, "domain") : key;
    case "schema":
    case "extension":
    case "sequence":
    case "table":
    case "view":
    case "materialized view":
    case "constraint":
    case "trigger":
    case "policy":
    case "foreign key":
      return key;
    default:
      return undefined;
  }
}
