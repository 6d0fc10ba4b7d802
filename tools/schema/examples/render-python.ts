import { toPythonName } from "../../../import/languages/python-name";
import type { TypeSpec } from "../package-spec";
import type { Declaration, Example, ExampleValue } from "./example";
import { formatComment, dependenciesOf, isReferredTo, valuesOf } from "./references";
import type { SdkTypes } from "./sdk-types";
import { block, formatShape, type Notation } from "./source-text";

const notation: Notation = {
  // A JSON string is a Python string: both know the same escapes.
  text: (value) => JSON.stringify(value),
  truth: (value) => (value ? "True" : "False"),
  reference: ({ name, property }) =>
    property === undefined ? toPythonName(name) : `${toPythonName(name)}.${toPythonName(property)}`,
};

/** The program for the generated SDK, as a type checker wants it: enums by their members, the keys of maps as they are. */
export function renderPython(example: Example, types: SdkTypes): string {
  const { config = {}, declares, outputs = {} } = example;
  const settings = Object.entries(config).map(
    ([name, kind]) =>
      `${toPythonName(name)} = config.${kind === "secret" ? "require_secret" : "require"}("${name}")`,
  );
  const exported = Object.entries(outputs).map(
    ([name, value]) => `pulumi.export("${name}", ${valueText(value, undefined, types)})`,
  );
  const dependent = Object.values(declares).flatMap(dependenciesOf);
  const paragraphs = [
    [
      ...(settings.length + exported.length + dependent.length === 0 ? [] : ["import pulumi"]),
      "import pulumi_management as management",
    ],
    settings.length === 0 ? [] : ["config = pulumi.Config()", ...settings],
    ...Object.entries(declares).map(([name, declaration]) => {
      const binding = isReferredTo(example, name) ? `${toPythonName(name)} = ` : "";
      return [...formatComment(declaration, "#"), `${binding}${callText(name, declaration, types)}`];
    }),
    exported,
  ];
  return paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

function callText(name: string, declaration: Declaration, types: SdkTypes): string {
  const inputs = types.inputsOf(declaration);
  const args = Object.entries(valuesOf(declaration)).map(
    ([key, value]) => `${toPythonName(key)}=${valueText(value, inputs[key], types)}`,
  );
  const before = dependenciesOf(declaration).map(toPythonName);
  const options =
    before.length === 0 ? [] : [`opts=pulumi.ResourceOptions(depends_on=[${before.join(", ")}])`];
  return "resource" in declaration
    ? block(`management.${declaration.resource}(`, [JSON.stringify(name), ...args, ...options], ")")
    : block(`management.${toPythonName(declaration.function)}_output(`, args, ")");
}

function valueText(value: ExampleValue, type: TypeSpec | undefined, types: SdkTypes): string {
  const member = types.memberOf(type, value);
  if (member !== undefined) return `management.${member.type}.${toPythonName(member.name).toUpperCase()}`;
  const shape = formatShape(value, notation);
  switch (shape.kind) {
    case "scalar":
      return shape.text;
    case "list":
      return `[${shape.items.map((item) => valueText(item, type?.items, types)).join(", ")}]`;
    case "object": {
      const fields = types.fieldsOf(type, shape.entries);
      const entries = shape.entries.map(([key, child]) =>
        fields === undefined
          ? `${JSON.stringify(key)}: ${valueText(child, type?.additionalProperties, types)}`
          : `${JSON.stringify(toPythonName(key))}: ${valueText(child, fields[key], types)}`,
      );
      return block("{", entries, "}");
    }
  }
}
