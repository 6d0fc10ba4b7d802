import type { PackageSpec, Properties, PropertySpec } from "../package-spec";

/** Properties that stand together. */
export interface PropertySet {
  readonly path: string;
  readonly properties: Properties;
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
      owner: formatType(token),
    })),
  ];
  return [
    set("#/config", "config", "config", { variables: schema.config.variables }, "variables"),
    ...resources.flatMap(({ path, spec, owner }) => [
      set(path, owner, owner === "Provider" ? "provider" : "outputs", spec, "properties"),
      set(path, owner, owner === "Provider" ? "provider" : "inputs", spec, "inputProperties"),
      ...(spec.listInputs?.properties === undefined
        ? []
        : [
            set(
              `${path}/listInputs`,
              owner,
              "arguments",
              { properties: spec.listInputs.properties },
              "properties",
            ),
          ]),
    ]),
    ...Object.entries(schema.functions).flatMap(([token, { inputs, outputs }]) => [
      ...(inputs === undefined
        ? []
        : [set(`#/functions/${token}/inputs`, formatType(token), "arguments", inputs, "properties")]),
      set(`#/functions/${token}/outputs`, formatType(token), "answer", outputs, "properties"),
    ]),
    ...Object.entries(schema.types).flatMap(([token, spec]) =>
      "properties" in spec ? [set(`#/types/${token}`, formatType(token), "type", spec, "properties")] : [],
    ),
  ];
}

function set<K extends string>(
  path: string,
  owner: string,
  kind: PropertySet["kind"],
  holder: Readonly<Record<K, Properties>>,
  key: K,
): PropertySet {
  return { path: `${path}/${key}`, properties: holder[key], kind, owner };
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

/** The last part of a token. */
export function formatType(token: string): string {
  return token.slice(token.lastIndexOf(":") + 1);
}
