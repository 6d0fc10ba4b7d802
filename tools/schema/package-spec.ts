import { formatToken } from "../../provider/define/token";

/** A Pulumi package schema, as far as this provider needs it (`pulumi.json`, the metaschema of the engine). */
export interface PackageSpec {
  readonly name: string;
  readonly displayName: string;
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly homepage?: string;
  readonly logoUrl?: string;
  readonly license?: string;
  readonly attribution: string;
  readonly repository?: string;
  readonly publisher?: string;
  readonly pluginDownloadURL?: string;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly language: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly config: { readonly variables: Properties };
  readonly types: Readonly<Record<string, ComplexTypeSpec>>;
  readonly provider: ResourceSpec;
  readonly resources: Readonly<Record<string, ResourceSpec>>;
  readonly functions: Readonly<Record<string, FunctionSpec>>;
}

export type Properties = Readonly<Record<string, PropertySpec>>;

export type PrimitiveType = "boolean" | "integer" | "number" | "string";

/** A reference to a type. */
export interface TypeSpec {
  readonly type?: PrimitiveType | "array" | "object";
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
  readonly $ref?: string;
  readonly oneOf?: readonly TypeSpec[];
  readonly discriminator?: {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, string>>;
  };
}

export type Constant = string | number | boolean;

/** A field of an object, of a resource or of the configuration. */
export interface PropertySpec extends TypeSpec {
  readonly description?: string;
  readonly const?: Constant;
  readonly default?: Constant;
  readonly defaultInfo?: { readonly environment: readonly string[] };
  readonly secret?: true;
  readonly replaceOnChanges?: true;
  readonly willReplaceOnChanges?: true;
  readonly language?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface ObjectTypeSpec {
  readonly type: "object";
  readonly description?: string;
  readonly properties: Properties;
  readonly required?: readonly string[];
}

export interface EnumValueSpec {
  readonly name: string;
  readonly description?: string;
  readonly value: Constant;
}

export interface EnumTypeSpec {
  readonly type: PrimitiveType;
  readonly description?: string;
  readonly enum: readonly EnumValueSpec[];
}

export type ComplexTypeSpec = ObjectTypeSpec | EnumTypeSpec;

export interface ResourceSpec {
  readonly isComponent?: true;
  readonly description: string;
  readonly properties: Properties;
  readonly required?: readonly string[];
  readonly inputProperties: Properties;
  readonly requiredInputs?: readonly string[];
  readonly listInputs?: Omit<ObjectTypeSpec, "properties"> & Partial<Pick<ObjectTypeSpec, "properties">>;
  readonly aliases?: readonly { readonly type: string }[];
}

export interface FunctionSpec {
  readonly description: string;
  readonly inputs?: ObjectTypeSpec;
  readonly outputs: ObjectTypeSpec;
}

export const PACKAGE_NAME = "management";

export function typeReference(name: string): string {
  return `#/types/${formatToken(name)}`;
}

/** The type that a reference names, if it is one of this package's. */
export function typeOfReference(reference: string): string | undefined {
  const [, token] = /^#\/types\/(.+)$/.exec(reference) ?? [];
  return token;
}

/** A property as a program reads it: a default matters only where it is set. */
export function withoutDefault(spec: PropertySpec): PropertySpec {
  const kept = Object.entries(spec).filter(([keyword]) => keyword !== "default" && keyword !== "defaultInfo");
  return Object.fromEntries(kept);
}
