import { formatToken } from "../../provider/define/token";
import type { z } from "zod";
import {
  isReplacedOnChange,
  listMarkedFields,
  isOptional,
  type FieldTraits,
} from "../../provider/define/markers";
import type { AnyResource } from "../../provider/define/resource";
import { listInputs, findList } from "../../provider/engine/list";
import { asFlags } from "./flag-text";
import type { NamedTypes } from "./named-types";
import { withoutDefault, type PropertySpec, type ResourceSpec } from "./package-spec";
import { pascalCase } from "./pascal-case";
import { fieldPlace, schemaPlace } from "./place";
import { propertiesOf, propertySpec, formatRequired } from "./type-spec";

/** The type of a resource in programs that use the dynamic classes. */
export function dynamicType(type: string): string {
  return `pulumi-nodejs:dynamic/management:${type}`;
}

/** Whether a user of the plugin can set the input. */
export function isSettable({ computed, dynamicOnly }: FieldTraits): boolean {
  return computed !== true && dynamicOnly !== true;
}

/** Whether the input is kept in state, where a program can read it. */
export function isKept({ createOnly, dynamicOnly }: FieldTraits): boolean {
  return createOnly !== true && dynamicOnly !== true;
}

type Field = readonly [name: string, field: z.ZodType, traits: FieldTraits];

/** A resource: its inputs and outputs. */
export function resourceSpec(resource: AnyResource, types: NamedTypes): ResourceSpec {
  const { type } = resource;
  const inputs = listMarkedFields(resource.inputs);
  const settable = inputs.filter(([, , traits]) => isSettable(traits));
  const inputProperties = settable.map((field) => [field[0], inputSpec(type, field, types)] as const);

  const outputs = listMarkedFields(resource.outputs);
  const isOutput = new Set(outputs.map(([name]) => name));
  const byName = new Map(inputs.map((field) => [field[0], field]));
  const kept = inputs.filter(([name, , traits]) => isKept(traits) && !isOutput.has(name));
  const properties = [
    ...kept.map((field) => [field[0], answerSpec(resource, "inputs", field, field, types)] as const),
    ...outputs.map(
      (field) => [field[0], answerSpec(resource, "outputs", field, byName.get(field[0]), types)] as const,
    ),
  ];
  // What the service never returns is missing after an import.
  const always = [...kept.filter(([, , traits]) => traits.writeOnly !== true), ...outputs];
  return {
    description: `${resource.description}\n\n${importSection(resource)}`,
    properties: Object.fromEntries(properties),
    ...named("required", always.filter(isRequired)),
    inputProperties: asFlags(Object.fromEntries(inputProperties)),
    ...named(
      "requiredInputs",
      settable.filter((field) => isRequired(field) && field[2].autonamed === undefined),
    ),
    ...listSpec(resource, types),
    aliases: [{ type: dynamicType(type) }],
  };
}

/** The arguments by which the objects of the type are listed. */
function listSpec(resource: AnyResource, types: NamedTypes): Pick<ResourceSpec, "listInputs"> {
  const list = findList(resource);
  if (list === undefined) return {};
  const inputs = listInputs(list);
  const properties = asFlags(propertiesOf(inputs, schemaPlace(resource.type, "inputs"), types));
  // The engine leaves out what is empty, and compares.
  const isEmpty = Object.keys(properties).length === 0;
  return { listInputs: { type: "object", ...(isEmpty ? {} : { properties }), ...formatRequired(inputs) } };
}

function inputSpec(type: string, [name, field, traits]: Field, types: NamedTypes): PropertySpec {
  const spec = propertySpec(field, fieldPlace(schemaPlace(type, "inputs"), name), types);
  const { description } = spec;
  const notes = [
    description,
    isReplacedOnChange(traits) && description?.includes("replace") !== true
      ? "A change replaces the resource."
      : undefined,
    traits.autonamed === undefined ? undefined : "Generated from the resource's name if omitted.",
  ];
  return {
    ...spec,
    ...(description === undefined
      ? {}
      : { description: notes.filter((note) => note !== undefined).join(" ") }),
    ...(isReplacedOnChange(traits) ? { willReplaceOnChanges: true } : {}),
    ...nameApart(type, name),
  };
}

/** What a program reads: an output, or an input kept in state; `input` is the input of the same name. */
function answerSpec(
  { type, protection }: AnyResource,
  side: "inputs" | "outputs",
  [name, field]: Field,
  input: Field | undefined,
  types: NamedTypes,
): PropertySpec {
  const spec = propertySpec(field, fieldPlace(schemaPlace(type, side), name), types);
  const traits = input?.[2] ?? {};
  return {
    ...withoutDefault(spec),
    ...(traits.secret === true ? { secret: true } : {}),
    // Not on one that can be left out: SDKs would replace the resource when a program no longer declares it. What the provider
    // may refuse is not asked for either: the engine would replace it all the same.
    ...(isReplacedOnChange(traits) && protection === undefined && input !== undefined && isRequired(input)
      ? { replaceOnChanges: true }
      : {}),
    ...nameApart(type, name),
  };
}

/** A C# class cannot have a member of its own name. */
function nameApart(type: string, name: string): Pick<PropertySpec, "language"> {
  const member = pascalCase(name);
  return member === type ? { language: { csharp: { name: `${member}Value` } } } : {};
}

function importSection({ type, importId }: AnyResource): string {
  if (importId.refusal !== undefined) return `## Import\n\nIt cannot be imported: ${importId.refusal}`;
  return `## Import\n\n\`\`\`sh\npulumi import ${formatToken(type)} example '${importId.format}'\n\`\`\``;
}

function isRequired([, field]: Field): boolean {
  return !isOptional(field);
}

/** A list of names; no key where there are none. */
function named<K extends string>(key: K, fields: readonly Field[]): Partial<Record<K, string[]>> {
  if (fields.length === 0) return {};
  // A computed key is typed as any string.
  return { [key]: fields.map(([name]) => name) } as Partial<Record<K, string[]>>;
}
