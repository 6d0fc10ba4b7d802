import { formatToken } from "../../../provider/define/token";
import type { PackageContents } from "../package-schema";
import { typeOfReference, type ComplexTypeSpec, type Properties, type TypeSpec } from "../package-spec";
import { exported } from "./go-layout";
import type { Declaration, ExampleValue } from "./example";

/** A value of an enum as the schema names it; generated SDKs have a class with such a member. */
export interface EnumMember {
  readonly type: string;
  readonly name: string;
}

/** An object type. */
interface ObjectType {
  readonly name: string;
  readonly properties: Properties;
  readonly required: readonly string[];
}

/** The types that generated SDKs have, read from what their generators read. */
export class SdkTypes {
  constructor(private readonly contents: Pick<PackageContents, "resources" | "functions" | "types">) {}

  /** What a resource or a function takes. */
  inputsOf(declaration: Declaration): Properties {
    const { resources, functions } = this.contents;
    return "resource" in declaration
      ? (resources[formatToken(declaration.resource)]?.inputProperties ?? {})
      : (functions[formatToken(declaration.function)]?.inputs?.properties ?? {});
  }

  /** What a program reads of it. */
  outputsOf(declaration: Declaration): Properties {
    const { resources, functions } = this.contents;
    return "resource" in declaration
      ? (resources[formatToken(declaration.resource)]?.properties ?? {})
      : (functions[formatToken(declaration.function)]?.outputs.properties ?? {});
  }

  isComponent(declaration: Extract<Declaration, { resource: string }>): boolean {
    return this.contents.resources[formatToken(declaration.resource)]?.isComponent === true;
  }

  /** Which of it must be given. */
  requiredOf(declaration: Declaration): readonly string[] {
    const { resources, functions } = this.contents;
    return (
      ("resource" in declaration
        ? resources[formatToken(declaration.resource)]?.requiredInputs
        : functions[formatToken(declaration.function)]?.inputs?.required) ?? []
    );
  }

  /** Whether a property that a program reads has a value in any case. */
  isAlwaysThere(declaration: Declaration, property: string): boolean {
    const { resources, functions } = this.contents;
    const required =
      "resource" in declaration
        ? resources[formatToken(declaration.resource)]?.required
        : functions[formatToken(declaration.function)]?.outputs.required;
    return required?.includes(property) === true;
  }

  /** The fields of an object; undefined for a map, whose keys are the user's own. */
  fieldsOf(type: TypeSpec | undefined, entries: Entries): Properties | undefined {
    return this.objectOf(type, entries)?.properties;
  }

  /** An object type with its name; undefined for a map. */
  objectOf(type: TypeSpec | undefined, entries: Entries): ObjectType | undefined {
    const reference = variantOf(type, entries);
    const spec = this.specOf(reference);
    if (spec === undefined || !("properties" in spec)) return undefined;
    return { name: nameIn(reference), properties: spec.properties, required: spec.required ?? [] };
  }

  /** What the Go SDK calls a list or a map of this type, or an element of one; undefined where anything goes. */
  goTypeOf(type: TypeSpec | undefined): string | undefined {
    if (type?.items !== undefined) return `${this.goTypeOf(type.items) ?? "pulumi."}Array`;
    if (type?.additionalProperties !== undefined)
      return `${this.goTypeOf(type.additionalProperties) ?? "pulumi."}Map`;
    if (this.specOf(type?.$ref) !== undefined) return `management.${nameIn(type?.$ref)}`;
    // Of an enum or any other text, the text.
    if (type?.oneOf?.some((option) => option.type === "string") === true) return GO_TYPES["string"];
    return type?.type === undefined ? undefined : GO_TYPES[type.type];
  }

  /** What the Go SDK calls a function: a `Get` that a resource of the name would clash with is a `Lookup`. */
  goNameOf(functionName: string): string {
    const name = exported(functionName);
    const subject = name.replace(/^Get/, "");
    return this.contents.resources[formatToken(subject)] === undefined ? name : `Lookup${subject}`;
  }

  /** The member of an enum that a value is; undefined where the type is no enum. */
  memberOf(type: TypeSpec | undefined, value: ExampleValue): EnumMember | undefined {
    const spec = this.specOf(type?.$ref);
    if (spec === undefined || !("enum" in spec)) return undefined;
    const found = spec.enum.find((one) => one.value === value);
    return found === undefined ? undefined : { type: nameIn(type?.$ref), name: found.name };
  }

  private specOf(reference = ""): ComplexTypeSpec | undefined {
    return this.contents.types[typeOfReference(reference) ?? ""];
  }
}

const GO_TYPES: Readonly<Record<string, string>> = {
  string: "pulumi.String",
  boolean: "pulumi.Bool",
  integer: "pulumi.Int",
  number: "pulumi.Float64",
};

function nameIn(reference = ""): string {
  return typeOfReference(reference)?.split(":").at(-1) ?? "";
}

type Entries = readonly (readonly [string, ExampleValue])[];

/** The reference to an object's type: of several, the one that its constant field tells. */
function variantOf(type: TypeSpec | undefined, entries: Entries): string | undefined {
  const { propertyName, mapping = {} } = type?.discriminator ?? {};
  const constant = entries.find(([key]) => key === propertyName)?.[1];
  return typeof constant === "string" ? mapping[constant] : type?.$ref;
}
