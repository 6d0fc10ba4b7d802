import { typeOfReference, type PackageSpec, type PropertySpec, type TypeSpec } from "../package-spec";
import { plain, valuesKind, type FieldMap, type ToldField } from "./field-facts";
import { propertySets, type PropertySet } from "./property-sets";

const ANY = "pulumi.json#/Any";

/** Every field that a finished schema tells of. */
export function toldFields(schema: PackageSpec): FieldMap<ToldField> {
  const fields: FieldMap<ToldField> = new Map();
  for (const holder of propertySets(schema)) {
    if (holder.kind === "type") continue;
    for (const [name, spec] of Object.entries(holder.properties)) {
      add(fields, schema, `${pathOf(holder)}.${name}`, spec, holder.required.includes(name));
    }
  }
  return fields;
}

function pathOf({ kind, owner, path }: PropertySet): string {
  if (kind === "config") return "config";
  const holder = kind === "provider" ? "provider" : owner;
  if (kind === "arguments" || path.endsWith("inputProperties")) return `${holder}.inputs`;
  return kind === "answer" ? `${holder}.outputs` : `${holder}.properties`;
}

function add(
  fields: FieldMap<ToldField>,
  schema: PackageSpec,
  path: string,
  spec: PropertySpec,
  required: boolean,
): void {
  fields.set(path, {
    ...plain,
    kind: spec.const === undefined ? kindOf(schema, spec) : valuesKind([spec.const]),
    secret: spec.secret === true,
    required,
    replaceOnChanges: spec.replaceOnChanges === true,
    willReplaceOnChanges: spec.willReplaceOnChanges === true,
    default: spec.default,
    description: spec.description ?? "",
  });
  addBelow(fields, schema, path, spec);
}

function addBelow(fields: FieldMap<ToldField>, schema: PackageSpec, path: string, spec: TypeSpec): void {
  const below = (step: string, child: TypeSpec): void => {
    fields.set(path + step, { ...plain, kind: kindOf(schema, child), description: "" });
    addBelow(fields, schema, path + step, child);
  };
  if (spec.items !== undefined) below("[]", spec.items);
  if (spec.additionalProperties !== undefined) below("{}", spec.additionalProperties);
  spec.oneOf?.forEach((member, index) => below(`|${index}`, member));
  const type = schema.types[typeOfReference(spec.$ref ?? "") ?? ""];
  if (type === undefined || !("properties" in type)) return;
  for (const [name, property] of Object.entries(type.properties)) {
    add(fields, schema, `${path}.${name}`, property, type.required?.includes(name) === true);
  }
}

function kindOf(schema: PackageSpec, { type, $ref, oneOf, additionalProperties }: TypeSpec): string {
  if (oneOf !== undefined) return "union";
  if ($ref === ANY) return "any";
  if ($ref !== undefined) {
    const named = schema.types[typeOfReference($ref) ?? ""];
    return named !== undefined && "enum" in named
      ? valuesKind(named.enum.map(({ value }) => value))
      : "object";
  }
  if (type === "object") return additionalProperties === undefined ? "map of strings" : "map";
  return type === "integer" ? "number" : (type ?? "nothing");
}
