import { tokenOf } from "../../../provider/define/token";
import type { PackageContents } from "../package-schema";
import { typeOfReference, type ComplexTypeSpec, type Properties, type TypeSpec } from "../package-spec";
import type { Declaration, ExampleValue } from "../../../provider/define/example";

/** A value of an enum as the schema names it; generated SDKs have a class with such a member. */
export interface EnumMember {
  readonly type: string;
  readonly name: string;
}

/** The types that generated SDKs have, read from what their generators read. */
export class SdkTypes {
  constructor(private readonly contents: Pick<PackageContents, "resources" | "functions" | "types">) {}

  /** What a resource or a function takes. */
  inputsOf(declaration: Declaration): Properties {
    const { resources, functions } = this.contents;
    return "resource" in declaration
      ? (resources[tokenOf(declaration.resource)]?.inputProperties ?? {})
      : (functions[tokenOf(declaration.function)]?.inputs?.properties ?? {});
  }

  /** The fields of an object; undefined for a map, whose keys are the user's own. */
  fieldsOf(type: TypeSpec | undefined, entries: Entries): Properties | undefined {
    const spec = this.specOf(variantOf(type, entries));
    return spec !== undefined && "properties" in spec ? spec.properties : undefined;
  }

  /** The member of an enum that a value is; undefined where the type is no enum. */
  memberOf(type: TypeSpec | undefined, value: ExampleValue): EnumMember | undefined {
    const spec = this.specOf(type?.$ref);
    if (spec === undefined || !("enum" in spec)) return undefined;
    const found = spec.enum.find((one) => one.value === value);
    const [, , name] = typeOfReference(type?.$ref ?? "")?.split(":") ?? [];
    return found === undefined || name === undefined ? undefined : { type: name, name: found.name };
  }

  private specOf(reference = ""): ComplexTypeSpec | undefined {
    return this.contents.types[typeOfReference(reference) ?? ""];
  }
}

type Entries = readonly (readonly [string, ExampleValue])[];

/** The reference to an object's type: of several, the one that its constant field tells. */
function variantOf(type: TypeSpec | undefined, entries: Entries): string | undefined {
  const { propertyName, mapping = {} } = type?.discriminator ?? {};
  const constant = entries.find(([key]) => key === propertyName)?.[1];
  return typeof constant === "string" ? mapping[constant] : type?.$ref;
}
