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

export interface Comment {
  readonly text: string;
  /** Key of the object that carries it. */
  readonly on: string;
}

/** Privileges by grantee, `public` or a role: `SELECT` or, with grant option, `SELECT*`. */
export type Grants = ReadonlyMap<string, ReadonlySet<string>>;

/** What new objects are granted by themselves; by kind, or by kind and schema where that differs. */
export type DefaultGrants = ReadonlyMap<string, Grants>;
