import type { AnyFunction } from "../../../provider/define/function";
import { secretNames } from "../../../provider/define/secret-fields";
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
    `Function token ${code(`management:index:${name}`)}. In TypeScript ${code(`${name}()`)} answers a promise and ${code(`${name}Output()`)} takes and answers outputs.`,
    examplesSection(example, types),
    section(2, "Arguments", takesNothing ? "None." : inputTables(inputs)),
    section(2, "Result", outputTables(outputs, "function"), secretsText(definition)),
    permissionsSection(operationUses(definition, calls)),
    errorsSection(definition.problems ?? {}),
  );
}

function secretsText({ name, outputs }: AnyFunction): string {
  if (secretNames(outputs).length === 0) return "";
  return `The result holds secrets. ${code(`${name}Output()`)} makes all of it a Pulumi secret, as do YAML and the generated SDKs; ${code(`${name}()`)} hands it to the program in the clear.`;
}
