import { z } from "zod";
import { fieldsOf, isOptional, traitsOf, unwrap } from "../../../provider/define/markers";
import type { AnyResource } from "../../../provider/define/resource";
import { limitsOf } from "../limits";
import type { Surface } from "../package-schema";
import { isKept, isSettable } from "../resource-spec";
import { plain, valuesKind, type DeclaredField, type FieldMap } from "./field-facts";

/** Every field that the catalog says the schema must have. */
export function declaredFields({ resources, functions, config }: Surface): FieldMap<DeclaredField> {
  const fields: FieldMap<DeclaredField> = new Map();
  for (const holder of ["config", "provider.inputs", "provider.properties"]) {
    for (const [name, field] of fieldsOf(config)) {
      const isSet = holder !== "provider.properties";
      add(fields, `${holder}.${name}`, field, { required: false, ...(isSet ? {} : { default: undefined }) });
    }
  }
  for (const resource of resources) addResource(fields, resource);
  for (const { name, inputs, outputs } of functions) {
    for (const [field, schema] of fieldsOf(inputs)) add(fields, `${name}.inputs.${field}`, schema);
    for (const [field, schema] of fieldsOf(outputs)) add(fields, `${name}.outputs.${field}`, schema);
  }
  return fields;
}

function addResource(fields: FieldMap<DeclaredField>, { type, inputs, outputs }: AnyResource): void {
  const answers = new Map(fieldsOf(outputs).map(([name, field]) => [name, field]));
  for (const [name, field, traits] of fieldsOf(inputs)) {
    if (isSettable(traits)) {
      add(fields, `${type}.inputs.${name}`, field, {
        required: isNeeded(field) && traits.autonamed === undefined,
        willReplaceOnChanges: traits.replaces !== undefined,
      });
    }
    if (!isKept(traits)) continue;
    const answer = answers.get(name);
    add(fields, `${type}.properties.${name}`, answer ?? field, {
      required: answer === undefined ? isNeeded(field) && traits.writeOnly !== true : isNeeded(answer),
      secret: traits.secret === true || (answer !== undefined && traitsOf(answer).secret === true),
      replaceOnChanges: traits.replaces !== undefined && isNeeded(field),
      default: undefined,
    });
    answers.delete(name);
  }
  for (const [name, field] of answers) {
    add(fields, `${type}.properties.${name}`, field, { default: undefined });
  }
}

function add(
  fields: FieldMap<DeclaredField>,
  path: string,
  field: z.ZodType,
  known: Partial<DeclaredField> = {},
): void {
  fields.set(path, {
    ...plain,
    kind: kindOf(field),
    secret: traitsOf(field).secret === true,
    required: isNeeded(field),
    default: field.safeParse(undefined).data,
    limits: limitsOf(field),
    ...known,
  });
  addBelow(fields, path, field);
}

function addBelow(fields: FieldMap<DeclaredField>, path: string, schema: z.ZodType): void {
  const inner = unwrap(schema);
  // Zod types children by its core interface; every schema here is made by the classic API.
  const below = (step: string, child: unknown): void => {
    fields.set(path + step, { ...plain, kind: kindOf(child as z.ZodType), limits: [] });
    addBelow(fields, path + step, child as z.ZodType);
  };
  if (inner instanceof z.ZodArray) below("[]", inner.element);
  if (inner instanceof z.ZodRecord) below("{}", inner.valueType);
  if (inner instanceof z.ZodUnion) inner.options.forEach((option, index) => below(`|${index}`, option));
  if (inner instanceof z.ZodObject) {
    for (const [name, field] of fieldsOf(inner)) add(fields, `${path}.${name}`, field);
  }
}

function kindOf(schema: z.ZodType): string {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodString || inner instanceof z.ZodStringFormat) return "string";
  if (inner instanceof z.ZodEnum) return valuesKind(inner.options);
  if (inner instanceof z.ZodLiteral) return valuesKind([...inner.values]);
  const kinds: Readonly<Record<string, string>> = { record: "map", unknown: "any" };
  return kinds[inner.def.type] ?? inner.def.type;
}

function isNeeded(field: z.ZodType): boolean {
  return !isOptional(field);
}
