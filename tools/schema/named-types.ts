import type { ComplexTypeSpec, Constant, EnumTypeSpec, EnumValueSpec, ObjectTypeSpec } from "./package-spec";
import { tokenOf, typeReference } from "./package-spec";
import { pascalCase } from "./pascal-case";
import type { Place } from "./place";
import type { TypeFacts } from "./type-facts";

interface NamedType {
  readonly name: string;
  readonly spec: ComplexTypeSpec;
  /** Whether the name was given to it, rather than made of a place. */
  readonly isGiven: boolean;
  readonly firstPlace: Place;
}

/** The objects and enums of the schema: each content once, each name with one content. */
export class NamedTypes {
  private readonly byContent = new Map<string, NamedType>();
  private readonly byName = new Map<string, NamedType>();
  private readonly used = new Set<string>();

  constructor(private readonly facts: Readonly<Record<string, TypeFacts>>) {}

  /** What is known of the type that is met at a place. */
  factsAt({ name }: Place): TypeFacts {
    this.used.add(name);
    return this.facts[name] ?? {};
  }

  /** The reference to an object type of that content. */
  ofObject(place: Place, spec: Omit<ObjectTypeSpec, "type" | "description">, description?: string): string {
    const content: ObjectTypeSpec = {
      type: "object",
      ...described(this.descriptionAt(place, description)),
      ...spec,
    };
    return this.add(place, content, JSON.stringify(["object", spec]));
  }

  /** The reference to an enum type of those values. */
  ofEnum(place: Place, values: readonly Constant[], description?: string): string {
    const [first] = values;
    const type = typeof first === "boolean" ? "boolean" : typeof first === "number" ? "number" : "string";
    const facts = this.factsAt(place);
    const content: EnumTypeSpec = {
      type,
      ...described(this.descriptionAt(place, description)),
      enum: values.map((value) => valueSpec(value, facts)),
    };
    return this.add(place, content, JSON.stringify(["enum", values]));
  }

  /** All types by token, in the order of their names. */
  specs(): Record<string, ComplexTypeSpec> {
    const names = [...this.byName.keys()].sort();
    return Object.fromEntries(
      names.flatMap((name) => {
        const type = this.byName.get(name);
        return type === undefined ? [] : [[tokenOf(name), type.spec]];
      }),
    );
  }

  /** Facts that belong to nothing are of a place that is gone, or that another one has come before. */
  failOnIdleFacts(): void {
    const idle = Object.keys(this.facts).filter((name) => !this.used.has(name));
    if (idle.length > 0) {
      throw new Error(`type-facts.ts tells of what is not there: ${idle.join(", ")}. Rename or remove them.`);
    }
  }

  private descriptionAt(place: Place, own: string | undefined): string | undefined {
    return this.factsAt(place).description ?? own;
  }

  private add(place: Place, spec: ComplexTypeSpec, content: string): string {
    const known = this.byContent.get(content);
    if (known !== undefined) {
      if (!known.isGiven && known.firstPlace.name !== place.name) {
        throw new Error(
          `${place.path} is of the same type as ${known.firstPlace.path}: name it in type-facts.ts, at ${known.firstPlace.name}.`,
        );
      }
      return typeReference(known.name);
    }
    const given = this.factsAt(place).name;
    const name = given ?? this.freeName(place);
    const holder = this.byName.get(name);
    if (holder !== undefined) {
      throw new Error(
        `${place.path} and ${holder.firstPlace.path} would both be the type ${name} with different content: name one of them in type-facts.ts.`,
      );
    }
    const type = { name, spec, isGiven: given !== undefined, firstPlace: place };
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

function valueSpec(value: Constant, { beforeDigits = "", valueNames, values }: TypeFacts): EnumValueSpec {
  const text = String(value);
  const made = pascalCase(text);
  const name = valueNames?.[text] ?? (/^[0-9]/.test(made) ? beforeDigits + made : made);
  return { name, ...described(values?.[text]), value };
}

function described(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description };
}
