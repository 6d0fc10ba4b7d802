import { formatToken } from "../../provider/define/token";
import type { ComplexTypeSpec, Constant, EnumTypeSpec, EnumValueSpec, ObjectTypeSpec } from "./package-spec";
import { typeReference } from "./package-spec";
import { pascalCase } from "./pascal-case";
import type { Place } from "./place";
import type { TypeMeta } from "./type-meta";

interface NamedType {
  readonly name: string;
  readonly spec: ComplexTypeSpec;
  /** The name that its schema gives it. */
  readonly id: string | undefined;
  readonly firstPlace: Place;
}

/** The objects and enums of the schema: each content once, each name with one content. */
export class NamedTypes {
  private readonly byContent = new Map<string, NamedType>();
  private readonly byName = new Map<string, NamedType>();

  /** The reference to an object type of that content. */
  ofObject(place: Place, spec: Omit<ObjectTypeSpec, "type" | "description">, meta: TypeMeta): string {
    const content: ObjectTypeSpec = { type: "object", ...described(meta), ...spec };
    return this.add(place, content, JSON.stringify(["object", spec]), meta);
  }

  /** The reference to an enum type of those values. */
  ofEnum(place: Place, values: readonly Constant[], meta: TypeMeta): string {
    const [first] = values;
    const type = typeof first === "boolean" ? "boolean" : typeof first === "number" ? "number" : "string";
    const content: EnumTypeSpec = {
      type,
      ...described(meta),
      enum: values.map((value) => valueSpec(value, meta)),
    };
    return this.add(place, content, JSON.stringify(["enum", values]), meta);
  }

  /** All types by token, in the order of their names. */
  specs(): Record<string, ComplexTypeSpec> {
    const types = [...this.byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return Object.fromEntries(types.map(({ name, spec }) => [formatToken(name), spec]));
  }

  private add(place: Place, spec: ComplexTypeSpec, content: string, { id }: TypeMeta): string {
    const known = this.byContent.get(content);
    if (known !== undefined) {
      if (known.id !== id || (id === undefined && known.firstPlace.name !== place.name)) {
        throw new Error(
          `${place.path} is of the same type as ${known.firstPlace.path}: give the schema of both one name by \`.meta({ id })\`.`,
        );
      }
      return typeReference(known.name);
    }
    const name = id ?? this.freeName(place);
    const holder = this.byName.get(name);
    if (holder !== undefined) {
      throw new Error(
        `${place.path} and ${holder.firstPlace.path} would both be the type ${name} with different content: give the schema of one another name by \`.meta({ id })\`.`,
      );
    }
    const type = { name, spec, id, firstPlace: place };
    this.byContent.set(content, type);
    this.byName.set(name, type);
    return typeReference(name);
  }

  /** What a resource answers in a property may be of another shape than what the input of that name takes. */
  private freeName({ name, side }: Place): string {
    const isTakenByInput = this.byName.get(name)?.firstPlace.side === "inputs";
    return side === "outputs" && isTakenByInput ? `${name}Result` : name;
  }
}

function valueSpec(value: Constant, { beforeDigits = "", valueNames }: TypeMeta): EnumValueSpec {
  const made = pascalCase(String(value));
  const name = valueNames?.[String(value)] ?? (/^[0-9]/.test(made) ? beforeDigits + made : made);
  return { name, value };
}

function described({ description }: TypeMeta): { description?: string } {
  return description === undefined ? {} : { description };
}
