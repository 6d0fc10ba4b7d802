import type { Database } from "../databases/databases";

/** A type of the database, of any schema. */
export interface TypeFacts {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  /** `typtype`: base, composite, domain, enum, pseudo, range, multirange. */
  readonly kind: string;
  /** The type of an array's elements, else 0. */
  readonly element: number;
  /** What a domain is made from, else 0. */
  readonly base: number;
  /** `relkind` of the relation whose rows it is, else null. */
  readonly relation: string | null;
  /** Labels of an enum, in order. */
  readonly labels: readonly string[];
}

interface Column {
  readonly name: string;
  readonly type: number;
  readonly nullable: boolean;
  /** Whether an insert may leave it out although it is not nullable. */
  readonly hasDefault: boolean;
  /** Whether no insert and no update may give it. */
  readonly generated: boolean;
}

export interface Relationship {
  readonly name: string;
  readonly columns: readonly string[];
  readonly isOneToOne: boolean;
  readonly relation: string;
  readonly referencedColumns: readonly string[];
}

/** A table, a view or a composite type. */
export interface Relation {
  readonly schema: string;
  readonly name: string;
  /** `relkind`. */
  readonly kind: string;
  readonly insertable: boolean;
  readonly updatable: boolean;
  readonly columns: readonly Column[];
  readonly relationships: readonly Relationship[];
}

export interface Argument {
  readonly name: string;
  readonly type: number;
  readonly hasDefault: boolean;
}

export interface Routine {
  readonly schema: string;
  readonly name: string;
  readonly returns: number;
  readonly returnsSet: boolean;
  readonly inputs: readonly Argument[];
  /** Columns of what it returns, where it names them itself. */
  readonly outputs: readonly Argument[];
}

export interface TypeCatalog {
  readonly types: ReadonlyMap<number, TypeFacts>;
  readonly relations: readonly Relation[];
  readonly routines: readonly Routine[];
}

/** All types, and what the given schemas hold apart from the members of extensions. */
export async function readTypeCatalog(database: Database, schemas: readonly string[]): Promise<TypeCatalog> {
  const types = await database.query<TypeFacts>(allTypes);
  const relations = await database.query<Relation>(relationsOf, [schemas]);
  const routines = await database.query<RoutineRow>(routinesOf, [schemas]);
  return {
    types: new Map(types.rows.map((type) => [type.oid, type])),
    relations: relations.rows,
    routines: routines.rows.map(readRoutine),
  };
}

/** As in `pg_proc`: one entry per argument, in and out. */
interface RoutineRow {
  readonly schema: string;
  readonly name: string;
  readonly returns: number;
  readonly returnsSet: boolean;
  readonly types: readonly number[];
  /** Null when all are inputs. */
  readonly modes: readonly string[] | null;
  readonly names: readonly string[] | null;
  readonly defaults: number;
}

function readRoutine({ types, modes, names, defaults, ...routine }: RoutineRow): Routine {
  const all = types.map((type, index) => ({
    type,
    name: names?.[index] ?? "",
    mode: modes?.[index] ?? "i",
  }));
  const given = all.filter(({ mode }) => "ibv".includes(mode));
  // The inputs with a default are the last ones.
  const inputs = given.map(({ name, type }, index) => ({
    name,
    type,
    hasDefault: index >= given.length - defaults,
  }));
  const outputs: Argument[] = all
    .filter(({ mode }) => "obt".includes(mode))
    .map(({ name, type }, index) => ({ name: name || `column${index + 1}`, type, hasDefault: false }));
  return { ...routine, inputs, outputs };
}

const allTypes = `
select t.oid::integer as oid, n.nspname as schema, t.typname as name, t.typtype as kind,
    case when t.typcategory = 'A' then t.typelem::integer else 0 end as element,
    t.typbasetype::integer as base, c.relkind as relation,
    array(select e.enumlabel from pg_enum e where e.enumtypid = t.oid order by e.enumsortorder) as labels
  from pg_type t
    join pg_namespace n on n.oid = t.typnamespace
    left join pg_class c on c.oid = t.typrelid
  order by t.typname
`;

const isOfExtension = (catalog: string, oid: string): string =>
  `exists (select from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = ${oid} and d.deptype = 'e')`;

/** A view's columns may always be null: Postgres does not know better. */
const columns = `
select json_agg(json_build_object(
    'name', a.attname, 'type', a.atttypid::integer,
    'nullable', not (a.attnotnull or t.typnotnull),
    'hasDefault', a.atthasdef or a.attidentity <> '' or t.typdefault is not null,
    'generated', a.attgenerated <> '' or a.attidentity = 'a') order by a.attname)
  from pg_attribute a join pg_type t on t.oid = a.atttypid
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
`;

const namesOf = (relation: string, numbers: string): string => `
(select json_agg(a.attname order by k.place)
  from unnest(${numbers}) with ordinality as k(number, place)
    join pg_attribute a on a.attrelid = ${relation} and a.attnum = k.number)
`;

/** One to one where the referencing columns are unique as a whole. */
const relationships = `
select json_agg(json_build_object(
    'name', f.conname, 'relation', r.relname,
    'columns', ${namesOf("f.conrelid", "f.conkey")},
    'referencedColumns', ${namesOf("f.confrelid", "f.confkey")},
    'isOneToOne', exists (
      select from pg_index i where i.indrelid = f.conrelid and i.indisunique and i.indpred is null
        and i.indnkeyatts = cardinality(f.conkey) and i.indkey::smallint[] <@ f.conkey)
  ) order by f.conname)
  from pg_constraint f join pg_class r on r.oid = f.confrelid
  where f.contype = 'f' and f.conrelid = c.oid and f.conparentid = 0
`;

const relationsOf = `
select n.nspname as schema, c.relname as name, c.relkind as kind,
    pg_relation_is_updatable(c.oid, true) & 8 > 0 as insertable,
    pg_relation_is_updatable(c.oid, true) & 4 > 0 as updatable,
    coalesce((${columns}), '[]') as columns,
    coalesce((${relationships}), '[]') as relationships
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1::text[]) and c.relkind in ('r', 'p', 'f', 'v', 'm', 'c') and not c.relispartition
    and not ${isOfExtension("pg_class", "c.oid")}
  order by c.relname
`;

const routinesOf = `
select n.nspname as schema, p.proname as name, p.prorettype::integer as returns, p.proretset as "returnsSet",
    coalesce(p.proallargtypes::integer[], string_to_array(p.proargtypes::text, ' ')::integer[]) as types,
    p.proargmodes::text[] as modes, p.proargnames as names, p.pronargdefaults as defaults
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = any($1::text[]) and p.prokind = 'f'
    and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
    and not ${isOfExtension("pg_proc", "p.oid")}
  order by p.proname, p.oid
`;
