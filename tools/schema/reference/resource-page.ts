import { fieldsOf } from "../../../provider/define/markers";
import type { AnyResource } from "../../../provider/define/resource";
import { secretNames } from "../../../provider/define/secret-fields";
import type { Example } from "../../../provider/define/example";
import type { SdkTypes } from "../examples/sdk-types";
import { errorsSection, problemsOf } from "./error-table";
import { examplesSection } from "./examples-section";
import { inputTables, outputTables, type Defaults } from "./field-table";
import { importSection } from "./import-section";
import { code, codes, fenced, paragraphs, section, table } from "./markdown";
import { operationUses, type RecordedCalls } from "./operation-use";
import { permissionsSection } from "./permissions";

/** What a page is made of besides the definition. */
export interface PageSource {
  readonly calls: RecordedCalls;
  readonly example: Example | undefined;
  readonly types: SdkTypes;
}

/** The reference page of a resource. */
export function resourcePage(resource: AnyResource, { calls, example, types }: PageSource): string {
  return paragraphs(
    `# ${resource.type}`,
    resource.description,
    `Type token ${code(`management:index:${resource.type}`)}. Names are spelled as in TypeScript and YAML; Python spells them in snake case, values of enums as members of the SDK's enums.`,
    examplesSection(example, types),
    section(2, "Inputs", inputTables(resource.inputs, defaultsOf(resource))),
    section(2, "Outputs", outputsText(resource)),
    section(2, "Replacement", replacementText(resource)),
    section(2, "Names", namesText(resource)),
    section(2, "Timeouts", timeoutsText(resource)),
    importSection(resource),
    section(2, "Adoption", adoptionText(resource)),
    permissionsSection(operationUses(resource, calls)),
    errorsSection(problemsOf(resource)),
  );
}

function defaultsOf({ timeouts }: AnyResource): Defaults {
  return Object.fromEntries(
    Object.entries(timeouts).map(([step, seconds]) => [`timeouts.${step}`, Number(seconds)]),
  );
}

function outputsText({ outputs, inputs, idOutput }: AnyResource): string {
  const id = idOutput === undefined ? code("id") : `${code("id")}, which equals ${code(idOutput)}`;
  const secrets = secretNames(inputs);
  return paragraphs(
    `Besides the inputs and ${id}:`,
    outputTables(outputs, "resource"),
    secrets.length === 0 ? "" : `Inputs that are read back as secrets: ${codes(secrets)}.`,
  );
}

function replacementText({ inputs, uniqueBy }: AnyResource): string {
  const replacing = fieldsOf(inputs).filter(([, , traits]) => traits.replaces !== undefined);
  const names = (order: string): string[] =>
    replacing.filter(([, , traits]) => traits.replaces === order).map(([name]) => name);
  const isBeside = (name: string): boolean => name !== "projectRef" && uniqueBy?.includes(name) !== true;
  const [createFirst, deleteFirst] = [names("create-first"), names("delete-first")];
  return paragraphs(
    createFirst.length === 0
      ? ""
      : `A change of ${codes(createFirst)} replaces the resource: the new one is made first.`,
    deleteFirst.length === 0
      ? ""
      : `A change of ${codes(deleteFirst)} replaces it too, but deletes the old one first: the two could not stand side by side.`,
    // Only what is replaced create-first otherwise has something to tell.
    uniqueBy === undefined || uniqueBy.length === 0 || !createFirst.some(isBeside)
      ? ""
      : `A replacement that keeps ${codes(uniqueBy)} deletes the old one first, whatever else changes.`,
    "Everything else changes in place.",
  );
}

function namesText({ inputs }: AnyResource): string {
  const texts = fieldsOf(inputs).flatMap(([name, , { autonamed }]) =>
    autonamed === undefined
      ? []
      : [
          `Without ${code(name)} the plugin makes one up: the resource's name in the program, ${code(autonamed.separator)} and seven random characters, at most ${autonamed.maxLength} in all. It stays what it is while the resource lives, and ${code("pulumi:autonaming")} in the stack's configuration changes its pattern. The dynamic classes need ${code(name)}.`,
        ],
  );
  return paragraphs(...texts);
}

function timeoutsText({ timeouts }: AnyResource): string {
  const { create, update } = timeouts;
  return paragraphs(
    table(
      ["Step", "Default"],
      Object.entries(timeouts).map(([step, seconds]) => [step, `${String(seconds)} s`]),
    ),
    `Waiting is included. Programs of the dynamic classes set the input ${code("timeouts")}, in seconds; all others Pulumi's own option ${code("customTimeouts")}:`,
    fenced("ts", `{ timeouts: { create: ${create * 2}, update: ${update * 2} } }`),
    fenced("yaml", `options:\n  customTimeouts:\n    create: ${create / 30}m\n    update: ${update / 30}m`),
    fenced(
      "python",
      `opts=pulumi.ResourceOptions(\n    custom_timeouts=pulumi.CustomTimeouts(create="${create / 30}m", update="${update / 30}m"),\n)`,
    ),
  );
}

function adoptionText(resource: AnyResource): string {
  if (resource.find === undefined) {
    return "It stands for something that every project has: creating it changes what is declared and remembers what it found, so there is nothing to adopt.";
  }
  return `An object that exists already is an error, and nothing is created. ${code("adopt: true")} takes over the one that bears the declared identity, ${code('adopt: "<identifier>"')} the one of that id. What differs is changed in place; what cannot be changed in place must be declared as it is. ${code("adopt")} matters while creating only and can be taken out afterwards.`;
}
