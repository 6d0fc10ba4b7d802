import type { ComplexTypeSpec, PackageSpec } from "../package-spec";
import { pascalCase } from "../pascal-case";
import { fault, type Fault } from "./fault";
import { formatType, propertySets, type PropertySet } from "./property-sets";

/** Names that some language cannot take, or takes for another. */
export function nameFaults(schema: PackageSpec): Fault[] {
  return [
    ...propertyNameFaults(schema),
    ...tokenFaults(schema),
    ...Object.entries(schema.types).flatMap(([token, type]) => valueNameFaults(token, type)),
    ...generatedNameFaults(schema),
  ];
}

function propertyNameFaults(schema: PackageSpec): Fault[] {
  return propertySets(schema).flatMap(({ path, properties, kind, owner }) => {
    const names = Object.keys(properties);
    return [
      ...names.flatMap((name) => {
        const why = whyReserved(name, kind);
        if (why !== undefined) return [fault(`${path}/${name}`, `has a reserved name (${why}): rename it`)];
        // Names of a standard may have an underscore between words.
        const isUsable = /^[a-z][A-Za-z0-9]*(?:_[a-z0-9]+)*$/.test(name);
        return isUsable ? [] : [fault(`${path}/${name}`, "is no name in camelCase: rename it")];
      }),
      ...alike(names, path),
      ...names
        .filter((name) => name.startsWith("inserted"))
        .map((name) =>
          fault(`${path}/${name}`, "is the wire's name of a time: rename it, as createdAt everywhere else"),
        ),
      ...names
        .filter((name) => (kind === "outputs" || kind === "type") && pascalCase(name) === owner)
        .filter((name) => properties[name]?.language?.["csharp"]?.["name"] === undefined)
        .map((name) => fault(`${path}/${name}`, "is called as its class in C#: give it a name for C#")),
    ];
  });
}

/** Names that some language's spelling or some file system makes one. */
function alike(names: readonly string[], path: string): Fault[] {
  const plain = names.map((name) => name.replaceAll("_", "").toLowerCase());
  return names
    .filter((_, index) => plain.indexOf(plain[index] ?? "") !== index)
    .map((name) =>
      fault(`${path}/${name}`, "differs from another name only in case or underscores: rename it"),
    );
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Files and modules that every SDK has: a resource of that name would be another one. */
const reservedTypes = words("provider config index types utilities pulumi inputs outputs enums");

function tokenFaults({ resources, functions, types }: PackageSpec): Fault[] {
  const kinds = [
    { path: "#/resources", tokens: Object.keys(resources), form: /^[A-Z][A-Za-z0-9]*$/, named: "PascalCase" },
    { path: "#/functions", tokens: Object.keys(functions), form: /^[a-z][A-Za-z0-9]*$/, named: "camelCase" },
    { path: "#/types", tokens: Object.keys(types), form: /^[A-Z][A-Za-z0-9]*$/, named: "PascalCase" },
  ];
  return kinds.flatMap(({ path, tokens, form, named }) => [
    ...tokens.flatMap((token) => {
      const name = formatType(token);
      if (!form.test(name)) return [fault(`${path}/${token}`, `is no name in ${named}: rename it`)];
      return reservedTypes.has(name.toLowerCase())
        ? [fault(`${path}/${token}`, "has the name of a file that every SDK has: rename it")]
        : [];
    }),
    ...alike(tokens, path),
  ]);
}

function valueNameFaults(token: string, type: ComplexTypeSpec): Fault[] {
  if (!("enum" in type)) return [];
  const path = `#/types/${token}/enum`;
  return [
    ...type.enum
      .filter(({ name }) => !/^[A-Z][A-Za-z0-9]*$/.test(name))
      .map(({ value, name }) =>
        fault(
          path,
          `${JSON.stringify(value)} has the name "${name}", which is none: give one by \`.meta({ beforeDigits })\` or \`.meta({ valueNames })\``,
        ),
      ),
    ...alike(
      type.enum.map(({ name }) => name),
      path,
    ),
  ];
}

/** In Go, all that is generated for a package stands side by side. */
function generatedNameFaults({ resources, functions, types }: PackageSpec): Fault[] {
  const made = new Map<string, string>();
  const faults: Fault[] = [];
  const add = (path: string, names: readonly string[]): void => {
    for (const name of names) {
      const other = made.get(name);
      if (other !== undefined) {
        faults.push(fault(path, `becomes ${name} in Go, as ${other} does: rename one`));
        return;
      }
      made.set(name, path);
    }
  };
  const isResource = new Set(Object.keys(resources).map(formatType));
  for (const token of Object.keys(resources)) {
    const name = formatType(token);
    add(`#/resources/${token}`, [`New${name}`, `Get${name}`, `${name}State`, ...withSuffixes(name)]);
  }
  for (const token of Object.keys(functions)) {
    const plain = pascalCase(formatType(token));
    const read = plain.replace(/^Get/, "");
    const name = isResource.has(read) ? `Lookup${read}` : plain;
    add(`#/functions/${token}`, [
      name,
      ...["Args", "Result", "Output", "OutputArgs", "ResultOutput"].map((end) => name + end),
    ]);
  }
  for (const [token, type] of Object.entries(types)) {
    const name = formatType(token);
    const values = "enum" in type ? type.enum.map((value) => name + value.name) : [];
    add(`#/types/${token}`, [...withSuffixes(name), `${name}PtrInput`, `${name}PtrOutput`, ...values]);
  }
  return faults;
}

function withSuffixes(name: string): string[] {
  const shapes = ["", "Array", "Map"].map((shape) => name + shape);
  return [...shapes.flatMap((shape) => [shape, `${shape}Input`, `${shape}Output`]), `${name}Args`];
}

/** Who cannot take a property name as it is, and what would come of it. */
const reserved: readonly (readonly [names: ReadonlySet<string>, why: string])[] = [
  [words("pulumi"), "Pulumi refuses it"],
  [
    words(
      "and as assert async await break class continue def del elif else except exec finally for from global if import in is lambda nonlocal not or pass print raise return try while with yield",
    ),
    "Python would call it something else",
  ],
  [
    words("self opts resourceName constructor prototype then apply get isInstance getProvider"),
    "the SDKs of TypeScript and Python use it themselves",
  ],
  [words("equals getHashCode getType toString memberwiseClone finalize"), "every C# object has it"],
  [words("hashCode notify notifyAll wait clone getClass"), "every Java object has it"],
];

/** Reserved on resources, of which every one has them. */
const ofResources = words("id urn");

/** Why a property cannot have that name, if it cannot. */
function whyReserved(name: string, kind: PropertySet["kind"]): string | undefined {
  if (name.startsWith("__")) return "such names are the engine's and the lifecycle's own";
  const isResource = kind === "inputs" || kind === "outputs" || kind === "provider";
  if (isResource && ofResources.has(name)) return "every resource has one";
  if ((kind === "provider" || kind === "config") && name === "version") return "every provider has one";
  return reserved.find(([names]) => names.has(name))?.[1];
}
