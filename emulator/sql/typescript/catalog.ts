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

export interface Column {
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
