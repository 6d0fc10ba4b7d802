import { z } from "zod";
import {
  isReplacedOnChange,
  listMarkedFields,
  listSecretNames,
  type FieldTraits,
} from "../../../provider/define/markers";
import { PROTECTION_INPUT, type AnyResource } from "../../../provider/define/resource";
import { everyResource } from "../../../provider/define/shared-inputs";
import type { Example } from "../examples/example";
import type { SdkTypes } from "../examples/sdk-types";
import { errorsSection, collectProblems } from "./error-table";
import { examplesSection } from "./examples-section";
import { inputTables, outputTables } from "./field-table";
import { importSection } from "./import-section";
import { code, codes, paragraphs, section } from "./markdown";
import { operationUses, type Calls } from "./operation-use";
import { permissionsSection } from "./permissions";
import { shownIn } from "./shown-in";

/** What a page shows besides the definition. */
export interface PageSource {
  readonly calls: Calls;
  readonly example: Example | undefined;
  readonly types: SdkTypes;
}

/** The reference page of a resource. */
export function resourcePage(resource: AnyResource, { calls, example, types }: PageSource): string {
  return paragraphs(
    `# ${resource.type}`,
    resource.description,
    `Type token: ${code(`management:index:${resource.type}`)}.`,
    examplesSection(example, types),
    section(
      2,
      "Inputs",
      inputTables(resource.inputs, { shown: shownIn(example, resource.type), omitted: isCommon }),
      commonInputsText(resource),
    ),
    section(2, "Outputs", outputsText(resource)),
    section(2, "Replacement", replacementText(resource)),
    section(2, "Names", namesText(resource)),
    importSection(resource),
    section(2, "Adoption", adoptionText(resource)),
    permissionsSection(operationUses(calls)),
    errorsSection(collectProblems(resource)),
  );
}

/** An input that the shared page describes, in the same words. */
function isCommon(name: string, { description }: FieldTraits): boolean {
  return commonInputs.some(([common, , traits]) => common === name && traits.description === description);
}

const commonInputs = listMarkedFields(z.strictObject(everyResource));

function commonInputsText(resource: AnyResource): string {
  const { inputs, timeouts } = resource;
  const names = listMarkedFields(inputs).flatMap(([name, , traits]) =>
    isCommon(name, traits) ? [name] : [],
  );
  const adoption = names.filter((name) => name !== "timeouts");
  const steps = Object.entries(timeouts).map(([step, seconds]) => `${step} ${String(seconds)} s`);
  return paragraphs(
    adoption.length === 0
      ? ""
      : `${codes(adoption)}: see [adoption](${adoptionText(resource) === "" ? "../common.md" : ""}#adoption).`,
    `${code("timeouts")}: see [timeouts](../common.md#timeouts). Defaults: ${steps.join(", ")}.`,
  );
}

function outputsText({ outputs, inputs, idOutput }: AnyResource): string {
  const id = idOutput === undefined ? code("id") : `${code("id")}, which equals ${code(idOutput)}`;
  const secrets = listSecretNames(inputs);
  const own = outputTables(outputs, "resource");
  return paragraphs(
    own === "" ? `None besides the inputs and ${id}.` : `In addition to the inputs and ${id}:`,
    own,
    secrets.length === 0 ? "" : `These inputs are also secret as outputs: ${codes(secrets)}.`,
  );
}

function replacementText({ inputs, uniqueBy, deleteLeavesObject, protection }: AnyResource): string {
  const replacing = listMarkedFields(inputs).filter(([, , traits]) => isReplacedOnChange(traits));
  const names = (order: string): string[] =>
    replacing.filter(([, , traits]) => traits.replaces === order).map(([name]) => name);
  const isBeside = (name: string): boolean => name !== "projectRef" && uniqueBy?.includes(name) !== true;
  const [createFirst, deleteFirst] = [names("create-first"), names("delete-first")];
  const refused = listMarkedFields(inputs).flatMap(([name, , traits]) =>
    traits.replacementDeletes === undefined ? [] : [name],
  );
  return paragraphs(
    refused.length === 0
      ? ""
      : `A change to ${codes(refused)} is refused, also if it was made outside Pulumi. The message has the command that replaces the resource all the same.`,
    protection === undefined
      ? ""
      : `What has data is replaced only if the state has \`${PROTECTION_INPUT}: false\`, also if the change was made outside Pulumi.`,
    createFirst.every((name) => name === "projectRef")
      ? ""
      : `A change to ${codes(createFirst)} replaces the resource: Pulumi creates the new one first.`,
    deleteFirst.length === 0
      ? ""
      : `A change to ${codes(deleteFirst)} replaces the resource and deletes the old one first, because the two cannot coexist.`,
    // Says something new only where a replacement would otherwise create first.
    uniqueBy === undefined || uniqueBy.length === 0 || !createFirst.some(isBeside)
      ? ""
      : `If ${codes(uniqueBy)} ${uniqueBy.length === 1 ? "stays" : "stay"} the same, any replacement ${
          deleteLeavesObject === true
            ? "fails, because a delete does not remove the old one from the service."
            : "deletes the old one first."
        }`,
  );
}

function namesText({ inputs }: AnyResource): string {
  const texts = listMarkedFields(inputs).flatMap(([name, , { autonamed }]) =>
    autonamed === undefined
      ? []
      : [
          `If ${code(name)} is omitted, the plugin [generates it](../common.md#generated-names): the resource's name in the program, ${code(autonamed.separator)} and seven random characters, at most ${autonamed.maxLength} in total. The dynamic classes require ${code(name)}.`,
        ],
  );
  return paragraphs(...texts);
}

/** What differs from the shared page. */
function adoptionText(resource: AnyResource): string {
  if (resource.adoption !== undefined) return resource.adoption;
  if (resource.find === undefined) {
    // One without settings brings something about that may be so already.
    if (resource.importId.alsoDeclares === undefined) {
      return "If the project is in this state already, creating the resource succeeds. There is nothing to adopt.";
    }
    const remembers = resource.bookkeeping === undefined ? "" : " and remembers their previous values";
    return `Every project already has this configuration, so there is nothing to adopt. Creating the resource sets the declared properties${remembers}.`;
  }
  return "";
}
