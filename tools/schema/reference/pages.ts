import type { ComponentDefinition } from "../../../provider/define/component";
import type { AnyFunction } from "../../../provider/define/function";
import type { AnyResource } from "../../../provider/define/resource";
import { listSecretNames } from "../../../provider/define/markers";
import { formatToken } from "../../../provider/define/token";
import type { Example } from "../examples/example";
import { SdkTypes } from "../examples/sdk-types";
import { packageContents, type Surface } from "../package-schema";
import { commonPage } from "./common-page";
import { errorsSection } from "./error-table";
import { examplesSection } from "./examples-section";
import { inputTables, outputTables } from "./field-table";
import { shownIn } from "./shown-in";
import { indexPage } from "./index-page";
import { code, pageName, paragraphs, section } from "./markdown";
import { operationUses, type Calls, type OperationUse } from "./operation-use";
import { permissionsSection } from "./permissions";
import { resourcePage, type PageSource } from "./resource-page";

/** What the reference is made of. */
export interface ReferenceSource extends Surface {
  readonly examples: Readonly<Record<string, Example>>;
  /** What a resource or function calls, by type or name. */
  readonly callsOf: (typeOrName: string) => Calls;
}

/** Every page by its path below the reference's folder. */
export function referencePages(source: ReferenceSource): Record<string, string> {
  const { resources, functions, components = [], examples, callsOf } = source;
  const types = new SdkTypes(packageContents(source));
  const sourceOf = (name: string) => ({ calls: callsOf(name), example: examples[name], types });
  return {
    "README.md": indexPage({ resources, components, functions }),
    "common.md": commonPage(),
    ...Object.fromEntries(
      resources.map((one) => [`resources/${pageName(one.type)}.md`, resourcePage(one, sourceOf(one.type))]),
    ),
    ...Object.fromEntries(
      components.map((one) => [
        `components/${pageName(one.type)}.md`,
        componentPage(one, { resources, callsOf, example: examples[one.type], types }),
      ]),
    ),
    ...Object.fromEntries(
      functions.map((one) => [`functions/${pageName(one.name)}.md`, functionPage(one, sourceOf(one.name))]),
    ),
  };
}

/** What a page shows besides the definition. */
export interface ComponentSource {
  readonly resources: readonly AnyResource[];
  readonly callsOf: (type: string) => Calls;
  readonly example: Example | undefined;
  readonly types: SdkTypes;
}

/** The reference page of a component. */
function componentPage(component: ComponentDefinition, source: ComponentSource): string {
  const { type, description, inputs, outputs, makes } = component;
  const links = makes.map((each) => `[${each}](../resources/${pageName(each)}.md)`);
  return paragraphs(
    `# ${type}`,
    description,
    `Type token: ${code(formatToken(type))}. Pulumi shows the resources of a component below it.`,
    examplesSection(source.example, source.types),
    section(2, "Inputs", inputTables(inputs, { shown: shownIn(source.example, type) })),
    section(2, "Outputs", outputTables(outputs, "function")),
    section(2, "Resources", `The component creates resources of these types: ${links.join(", ")}.`),
    permissionsSection(usesOf(component, source)),
  );
}

/** Every operation that one of its resources calls, whenever it does. */
function usesOf({ makes }: ComponentDefinition, { resources, callsOf }: ComponentSource): OperationUse[] {
  const uses = resources
    .filter(({ type }) => makes.includes(type))
    .flatMap(({ type }) => operationUses(callsOf(type)));
  return [...new Set(uses.map(({ operation }) => operation))].map((operation) => {
    const isOptional = uses.every((use) => use.operation !== operation || use.isOptional);
    return { operation, steps: [], sometimes: [], isOptional };
  });
}

/** The reference page of a function. */
function functionPage(definition: AnyFunction, { calls, example, types }: PageSource): string {
  const { name, description, inputs, outputs } = definition;
  const takesNothing = Object.keys(inputs.shape).length === 0;
  return paragraphs(
    `# ${name}`,
    description,
    `Function token: ${code(`management:index:${name}`)}.`,
    examplesSection(example, types),
    section(2, "Arguments", takesNothing ? "None." : inputTables(inputs, { shown: shownIn(example, name) })),
    section(2, "Result", outputTables(outputs, "function"), secretsText(definition)),
    permissionsSection(operationUses(calls)),
    errorsSection(definition.problems ?? {}),
  );
}

function secretsText({ name, outputs }: AnyFunction): string {
  if (listSecretNames(outputs).length === 0) return "";
  return `The result contains secrets. ${code(`${name}Output()`)}, YAML and the generated SDKs mark the whole result as a Pulumi secret. ${code(`${name}()`)} returns it in plain text.`;
}
