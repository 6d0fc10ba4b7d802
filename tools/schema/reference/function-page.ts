import type { AnyFunction } from "../../../provider/define/function";
import { secretNames } from "../../../provider/define/markers";
import { errorsSection } from "./error-table";
import { examplesSection } from "./examples-section";
import { inputTables, outputTables } from "./field-table";
import { code, paragraphs, section } from "./markdown";
import { operationUses } from "./operation-use";
import { permissionsSection } from "./permissions";
import type { PageSource } from "./resource-page";

/** The reference page of a function. */
export function functionPage(definition: AnyFunction, { calls, example, types }: PageSource): string {
  const { name, description, inputs, outputs } = definition;
  const takesNothing = Object.keys(inputs.shape).length === 0;
  return paragraphs(
    `# ${name}`,
    description,
    `Function token ${code(`management:index:${name}`)}. In TypeScript, ${code(`${name}()`)} returns a promise; ${code(`${name}Output()`)} takes and returns outputs.`,
    examplesSection(example, types),
    section(2, "Arguments", takesNothing ? "None." : inputTables(inputs)),
    section(2, "Result", outputTables(outputs, "function"), secretsText(definition)),
    permissionsSection(operationUses(definition, calls)),
    errorsSection(definition.problems ?? {}),
  );
}

function secretsText({ name, outputs }: AnyFunction): string {
  if (secretNames(outputs).length === 0) return "";
  return `The result contains secrets. ${code(`${name}Output()`)}, YAML and the generated SDKs mark the whole result as a Pulumi secret; ${code(`${name}()`)} returns it in plain text.`;
}
