import { typeOfReference, type PackageSpec, type TypeSpec } from "../package-spec";
import { fault, type Fault } from "./fault";
import { everyProperty, propertySets, typesWithin } from "./property-sets";

const BUILT_IN = ["pulumi.json#/Any", "pulumi.json#/Json", "pulumi.json#/Asset", "pulumi.json#/Archive"];

/** References that lead nowhere, types that nothing leads to, and required names of no property. */
export function referenceFaults(schema: PackageSpec): Fault[] {
  const within = everyProperty(schema).flatMap(({ path, spec }) => typesWithin(spec, path));
  const references = within.flatMap(({ path, spec: { $ref } }) =>
    $ref === undefined ? [] : [{ path, $ref }],
  );
  const used = usedTypes(schema);
  return [
    ...references
      .filter(({ $ref }) => !BUILT_IN.includes($ref) && !hasType(schema, typeOfReference($ref)))
      .map(({ path, $ref }) => fault(`${path}/$ref`, `refers to ${$ref}, which is not there: add the type`)),
    ...Object.keys(schema.types)
      .filter((token) => !used.has(token))
      .map((token) => fault(`#/types/${token}`, "is used by nothing: remove it")),
    ...propertySets(schema).flatMap(({ properties, required, requiredPath }) =>
      required
        .filter((name) => !Object.hasOwn(properties, name))
        .map((name) =>
          fault(requiredPath, `names ${name}, which is no property: remove it, or add the property`),
        ),
    ),
    ...within.flatMap(({ path, spec }) => variantFaults(schema, spec, path)),
  ];
}

/** What is told apart by a property must have it, as a constant, in each of its types. */
function variantFaults(schema: PackageSpec, { oneOf = [], discriminator }: TypeSpec, path: string): Fault[] {
  const objects = oneOf.filter(({ $ref }) => propertiesAt(schema, $ref) !== undefined);
  if (discriminator === undefined) {
    if (objects.length < 2) return [];
    return [fault(path, "is one of several objects that nothing tells apart: give it a discriminator")];
  }
  const { propertyName, mapping } = discriminator;
  return objects.flatMap(({ $ref = "" }) => {
    const constant = propertiesAt(schema, $ref)?.[propertyName]?.const;
    if (constant !== undefined && mapping[String(constant)] === $ref) return [];
    const wanted = `make its ${propertyName} a constant that the mapping leads from`;
    return [fault(`${path}/discriminator`, `cannot tell ${$ref} from the others: ${wanted}`)];
  });
}

/** The types that can be reached from what is not a type itself. */
function usedTypes(schema: PackageSpec): Set<string> {
  const used = new Set<string>();
  const pending = propertySets(schema)
    .filter(({ kind }) => kind !== "type")
    .flatMap(({ properties }) => Object.values(properties));
  for (const property of pending) {
    for (const { spec } of typesWithin(property, "")) {
      const token = typeOfReference(spec.$ref ?? "");
      if (token === undefined || used.has(token)) continue;
      used.add(token);
      pending.push(...Object.values(propertiesAt(schema, spec.$ref) ?? {}));
    }
  }
  return used;
}

function propertiesAt(schema: PackageSpec, reference: string | undefined) {
  const token = typeOfReference(reference ?? "");
  const type = token !== undefined && hasType(schema, token) ? schema.types[token] : undefined;
  return type !== undefined && "properties" in type ? type.properties : undefined;
}

function hasType(schema: PackageSpec, token: string | undefined): boolean {
  return token !== undefined && Object.hasOwn(schema.types, token);
}
