import { all, isSecret, output, Output } from "@pulumi/pulumi/output";
import { shapeOf } from "../../spec/shape-of";
import type { ComponentDefinition } from "../define/component";
import { listMarkedFields, isOptional } from "../define/markers";
import { describeIssues } from "../engine/schema/describe-issue";
import { omitUndefined } from "../define/values";

/**
 * The arguments of a component, checked: what is known now is refused at once, what becomes known later when it does. What
 * is in maps and settings is left to the resources that take it.
 */
export function checkArguments(
  { type, inputs }: ComponentDefinition,
  name: string,
  args: object,
): Record<string, unknown> {
  const given: Record<string, unknown> = Object.fromEntries(
    Object.entries(args).filter(([, value]) => value !== undefined && value !== null),
  );
  const listFailures = (values: object, isMarked = false): string[] => {
    const redaction = { redact: describeKind, isSecret: () => isMarked };
    const issues = inputs.partial().safeParse(values).error?.issues ?? [];
    return describeIssues(issues, inputs, values, redaction).map(({ path, reason }) => `${path}: ${reason}`);
  };
  const refuse = (failures: readonly string[]): void => {
    if (failures.length === 0) return;
    throw new Error(
      `The ${type} ${name} cannot be created:\n${failures.map((each) => `- ${each}`).join("\n")}`,
    );
  };
  const fields = listMarkedFields(inputs).map(([key, field]) => ({ key, field, value: given[key] }));
  const nested = fields.filter(({ field }) => ["object", "record"].includes(shapeOf(field).kind));
  const isNested = new Set(nested.map(({ key }) => key));
  const later = Object.entries(given).filter(([key, value]) => !isNested.has(key) && isLater(value));
  const now = Object.entries(given).filter(([key, value]) => !isNested.has(key) && !isLater(value));
  refuse([
    ...fields
      .filter(({ field, value }) => value === undefined && !isOptional(field))
      .map(({ key }) => `${key}: required, but missing`),
    ...nested
      .filter(({ field, value }) => shapeOf(field).kind === "object" && isLater(value))
      .map(
        ({ key }) =>
          `${key}: its properties must be known when the program runs. Pass an object; its values may be outputs`,
      ),
    ...listFailures(Object.fromEntries(now)),
  ]);
  const checkOnceKnown = (key: string, value: unknown): Output<unknown> =>
    all([value]).apply(async ([known]) => {
      refuse(listFailures(omitUndefined({ [key]: known }), await isSecret(output(value))));
      return known;
    });
  return { ...given, ...Object.fromEntries(later.map(([key, value]) => [key, checkOnceKnown(key, value)])) };
}

/** A text may be what another argument makes a secret of, which may not be known yet: it is not repeated. */
function describeKind(json: string): string {
  if (json.startsWith('"')) return "a string";
  if (json.startsWith("[")) return "a list";
  return json.startsWith("{") ? "an object" : json;
}

function isLater(value: unknown): boolean {
  return Output.isInstance(value) || value instanceof Promise;
}
