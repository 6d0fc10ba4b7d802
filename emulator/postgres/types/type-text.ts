import type { TypeCatalog, TypeFacts } from "./read-catalog";

/** What JSON has for a value of each of Postgres' own types. */
const scalars: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bool: "boolean",
    ...named("number", ["int2", "int4", "int8", "float4", "float8", "numeric", "oid", "money"]),
    ...named("Json", ["json", "jsonb"]),
    ...named("string", [
      ...["text", "varchar", "bpchar", "char", "name", "citext", "uuid", "bytea", "bit", "varbit", "xml"],
      ...[
        "date",
        "time",
        "timetz",
        "timestamp",
        "timestamptz",
        "interval",
        "inet",
        "cidr",
        "macaddr",
        "macaddr8",
      ],
      ...["tsvector", "tsquery", "jsonpath", "vector", "hstore", "ltree", "regclass", "regtype", "regproc"],
    ]),
    void: "undefined",
    record: "Record<string, unknown>",
  }),
);

function named(text: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, text]));
}

/** Writes the TypeScript type of values of a database type; `schemas` are those that `Database` describes. */
export class TypeTexts {
  constructor(
    private readonly catalog: TypeCatalog,
    private readonly schemas: readonly string[],
  ) {}

  of(oid: number): string {
    const type = this.catalog.types.get(oid);
    if (type === undefined) return "unknown";
    if (type.element !== 0) return arrayOf(this.of(type.element));
    if (type.base !== 0) return this.of(type.base);
    if (type.kind === "e") return this.ofEnum(type);
    if (type.kind === "c") return this.ofRow(type);
    if (type.kind === "r" || type.kind === "m") return "string";
    // A type that someone made under the name of one of Postgres' own cannot be distinguished from it.
    return scalars.get(type.name) ?? "unknown";
  }

  private ofEnum(type: TypeFacts): string {
    if (this.schemas.includes(type.schema)) return member(type.schema, "Enums", type.name);
    return type.labels.map((label) => JSON.stringify(label)).join(" | ") || "never";
  }

  private ofRow({ schema, name, relation }: TypeFacts): string {
    if (!this.schemas.includes(schema)) return "unknown";
    if (relation === "c") return member(schema, "CompositeTypes", name);
    const group = relation === "v" || relation === "m" ? "Views" : "Tables";
    return `${member(schema, group, name)}["Row"]`;
  }
}

function member(schema: string, group: string, name: string): string {
  return `Database[${JSON.stringify(schema)}]["${group}"][${JSON.stringify(name)}]`;
}

export function arrayOf(text: string): string {
  return text.includes(" | ") ? `(${text})[]` : `${text}[]`;
}

/** A name as a property, quoted where it has to be. */
export function property(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
