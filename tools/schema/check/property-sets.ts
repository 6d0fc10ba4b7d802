import type { PackageSpec, Properties, PropertySpec, TypeSpec } from "../package-spec";

/** Properties that stand together. */
export interface PropertySet {
  readonly path: string;
  readonly properties: Properties;
  readonly required: readonly string[];
  /** Where the names of the required ones stand. */
  readonly requiredPath: string;
  readonly kind: "config" | "provider" | "inputs" | "outputs" | "type" | "arguments" | "answer";
  /** The resource, function or type, without the package and module. */
  readonly owner: string;
}

/** Every set of properties in a schema. */
export function propertySets(schema: PackageSpec): PropertySet[] {
  const resources = [
    { path: "#/provider", spec: schema.provider, owner: "Provider" },
    ...Object.entries(schema.resources).map(([token, spec]) => ({
      path: `#/resources/${token}`,
      spec,
      owner: nameOf(token),
    })),
  ];
  return [
    set("#/config", "config", "config", { variables: schema.config.variables }, "variables"),
    ...resources.flatMap(({ path, spec, owner }) => [
      set(path, owner, owner === "Provider" ? "provider" : "outputs", spec, "properties"),
      set(
        path,
        owner,
        owner === "Provider" ? "provider" : "inputs",
        spec,
        "inputProperties",
        "requiredInputs",
      ),
    ]),
    ...Object.entries(schema.functions).flatMap(([token, { inputs, outputs }]) => [
      ...(inputs === undefined
        ? []
        : [set(`#/functions/${token}/inputs`, nameOf(token), "arguments", inputs, "properties")]),
      set(`#/functions/${token}/outputs`, nameOf(token), "answer", outputs, "properties"),
    ]),
    ...Object.entries(schema.types).flatMap(([token, spec]) =>
      "properties" in spec ? [set(`#/types/${token}`, nameOf(token), "type", spec, "properties")] : [],
    ),
  ];
}

type Holder<K extends string> = Readonly<Partial<Record<K, Properties>>> & {
  readonly required?: readonly string[];
  readonly requiredInputs?: readonly string[];
};

function set<K extends string>(
  path: string,
  owner: string,
  kind: PropertySet["kind"],
  holder: Holder<K>,
  key: K,
  requiredKey: "required" | "requiredInputs" = "required",
): PropertySet {
  return {
    path: `${path}/${key}`,
    properties: holder[key] ?? {},
    required: holder[requiredKey] ?? [],
    requiredPath: `${path}/${requiredKey}`,
    kind,
    owner,
  };
}

/** Every property with its path. */
export function everyProperty(
  schema: PackageSpec,
): { path: string; name: string; spec: PropertySpec; in: PropertySet }[] {
  return propertySets(schema).flatMap((holder) =>
    Object.entries(holder.properties).map(([name, spec]) => ({
      path: `${holder.path}/${name}`,
      name,
      spec,
      in: holder,
    })),
  );
}

/** A type and all types within it, as far as named ones. */
export function typesWithin(spec: TypeSpec, path: string): { path: string; spec: TypeSpec }[] {
  const { items, additionalProperties, oneOf = [] } = spec;
  return [
    { path, spec },
    ...(items === undefined ? [] : typesWithin(items, `${path}/items`)),
    ...(additionalProperties === undefined
      ? []
      : typesWithin(additionalProperties, `${path}/additionalProperties`)),
    ...oneOf.flatMap((member, index) => typesWithin(member, `${path}/oneOf/${index}`)),
  ];
}

/** The last part of a token. */
export function nameOf(token: string): string {
  return token.slice(token.lastIndexOf(":") + 1);
}
