import type { ComponentDefinition } from "../../../provider/define/component";
import type { Example } from "../examples/example";
import type { AnyResource } from "../../../provider/define/resource";
import { tokenOf } from "../../../provider/define/token";
import type { OperationName } from "../../../spec/table";
import type { SdkTypes } from "../examples/sdk-types";
import { examplesSection } from "./examples-section";
import { inputTables, outputTables } from "./field-table";
import { code, pageName, paragraphs, section } from "./markdown";
import { operationUses, type OperationUse, type RecordedCalls } from "./operation-use";
import { permissionsSection } from "./permissions";

/** What a page shows besides the definition. */
export interface ComponentSource {
  readonly resources: readonly AnyResource[];
  readonly callsOf: (type: string) => RecordedCalls;
  readonly example: Example | undefined;
  readonly types: SdkTypes;
}

/** The reference page of a component. */
export function componentPage(component: ComponentDefinition, source: ComponentSource): string {
  const { type, description, inputs, outputs, makes } = component;
  const links = makes.map((each) => `[${each}](../resources/${pageName(each)}.md)`);
  return paragraphs(
    `# ${type}`,
    description,
    `Type token ${code(tokenOf(type))}, a component: its resources are shown below it. Property names are those of TypeScript and YAML; Python uses snake case, and enum members for enum values.`,
    examplesSection(source.example, source.types),
    section(2, "Inputs", inputTables(inputs)),
    section(2, "Outputs", outputTables(outputs, "function")),
    section(
      2,
      "Resources",
      `It makes resources of these types, which their pages describe: ${links.join(", ")}.`,
    ),
    permissionsSection(usesOf(component, source)),
  );
}

/** Every operation that one of its resources calls, whenever it does. */
function usesOf({ makes }: ComponentDefinition, { resources, callsOf }: ComponentSource): OperationUse[] {
  const names = new Set<OperationName>();
  for (const resource of resources.filter(({ type }) => makes.includes(type))) {
    for (const { operation } of operationUses(resource, callsOf(resource.type))) names.add(operation);
  }
  return [...names].map((operation) => ({ operation, steps: [], sometimes: [] }));
}
