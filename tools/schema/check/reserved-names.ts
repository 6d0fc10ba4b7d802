import type { PropertySet } from "./property-sets";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

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
export function whyReserved(name: string, kind: PropertySet["kind"]): string | undefined {
  if (name.startsWith("__")) return "such names are the engine's and the lifecycle's own";
  const isResource = kind === "inputs" || kind === "outputs" || kind === "provider";
  if (isResource && ofResources.has(name)) return "every resource has one";
  if ((kind === "provider" || kind === "config") && name === "version") return "every provider has one";
  return reserved.find(([names]) => names.has(name))?.[1];
}

/** Files and modules that every SDK has: a resource of that name would be another one. */
export const reservedTypes = words("provider config index types utilities pulumi inputs outputs enums");
