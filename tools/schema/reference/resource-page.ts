import { markedFields, secretNames } from "../../../provider/define/markers";
import type { AnyResource } from "../../../provider/define/resource";
import type { Example } from "../examples/example";
import type { SdkTypes } from "../examples/sdk-types";
import { errorsSection, collectProblems } from "./error-table";
import { examplesSection } from "./examples-section";
import { inputTables, outputTables, type Defaults } from "./field-table";
import { importSection } from "./import-section";
import { code, codes, fenced, paragraphs, section, table } from "./markdown";
import { operationUses, type RecordedCalls } from "./operation-use";
import { permissionsSection } from "./permissions";

/** What a page shows besides the definition. */
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
    `Type token ${code(`management:index:${resource.type}`)}. Property names are those of TypeScript and YAML; Python uses snake case, and enum members for enum values.`,
    examplesSection(example, types),
    section(2, "Inputs", inputTables(resource.inputs, defaultsOf(resource))),
    section(2, "Outputs", outputsText(resource)),
    section(2, "Replacement", replacementText(resource)),
    section(2, "Names", namesText(resource)),
    section(2, "Timeouts", timeoutsText(resource)),
    importSection(resource),
    section(2, "Adoption", adoptionText(resource)),
    permissionsSection(operationUses(resource, calls)),
    errorsSection(collectProblems(resource)),
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
  const own = outputTables(outputs, "resource");
  return paragraphs(
    own === "" ? `None besides the inputs and ${id}.` : `In addition to the inputs and ${id}:`,
    own,
    secrets.length === 0 ? "" : `These inputs are also secret as outputs: ${codes(secrets)}.`,
  );
}

function replacementText({ inputs, uniqueBy }: AnyResource): string {
  const replacing = markedFields(inputs).filter(([, , traits]) => traits.replaces !== undefined);
  const names = (order: string): string[] =>
    replacing.filter(([, , traits]) => traits.replaces === order).map(([name]) => name);
  const isBeside = (name: string): boolean => name !== "projectRef" && uniqueBy?.includes(name) !== true;
  const [createFirst, deleteFirst] = [names("create-first"), names("delete-first")];
  return paragraphs(
    createFirst.length === 0
      ? ""
      : `A change to ${codes(createFirst)} replaces the resource: Pulumi creates the new one first.`,
    deleteFirst.length === 0
      ? ""
      : `A change to ${codes(deleteFirst)} replaces the resource and deletes the old one first, because the two cannot coexist.`,
    // Says something new only where a replacement would otherwise create first.
    uniqueBy === undefined || uniqueBy.length === 0 || !createFirst.some(isBeside)
      ? ""
      : `If ${codes(uniqueBy)} ${uniqueBy.length === 1 ? "stays" : "stay"} the same, any replacement deletes the old one first.`,
    "All other properties change in place.",
  );
}

function namesText({ inputs }: AnyResource): string {
  const texts = markedFields(inputs).flatMap(([name, , { autonamed }]) =>
    autonamed === undefined
      ? []
      : [
          `If ${code(name)} is omitted, the plugin generates it: the resource's name in the program, ${code(autonamed.separator)} and seven random characters, at most ${autonamed.maxLength} in total. The name stays the same for the life of the resource; ${code("pulumi:autonaming")} in the stack's configuration changes the pattern. The dynamic classes require ${code(name)}.`,
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
    `Timeouts include waiting. With the dynamic classes, set the input ${code("timeouts")}, in seconds; otherwise use Pulumi's option ${code("customTimeouts")}:`,
    fenced("ts", `{ timeouts: { create: ${create * 2}, update: ${update * 2} } }`),
    fenced("yaml", `options:\n  customTimeouts:\n    create: ${create / 30}m\n    update: ${update / 30}m`),
    fenced(
      "python",
      `opts=pulumi.ResourceOptions(\n    custom_timeouts=pulumi.CustomTimeouts(create="${create / 30}m", update="${update / 30}m"),\n)`,
    ),
  );
}

function adoptionText(resource: AnyResource): string {
  if (resource.adoption !== undefined) return resource.adoption;
  if (resource.find === undefined) {
    // One without settings brings something about that may be so already.
    if (resource.importId.alsoDeclares === undefined) {
      return "Creating the resource succeeds where what it brings about is there already, so there is nothing to adopt.";
    }
    const remembers = resource.bookkeeping === undefined ? "" : " and remembers their previous values";
    return `Every project already has this configuration, so there is nothing to adopt. Creating the resource sets the declared properties${remembers}.`;
  }
  return `If the object already exists, creation fails. ${code("adopt: true")} takes over the object with the declared identity; ${code('adoptId: "<identifier>"')} takes over the object with that identifier. Properties that differ are updated in place. Declare the current values of those that cannot be updated. Both options apply only on creation. You can remove them afterwards. If the outcome of a create is unknown, the provider [continues only with an object that it is proven to have made](../../daily-work.md#what-the-provider-can-prove).`;
}
