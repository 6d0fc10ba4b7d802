import { listMarkedFields, isOptional, type FieldTraits } from "../../../provider/define/markers";
import type { AnyResource } from "../../../provider/define/resource";
import { code, codes, fenced, paragraphs, section } from "./markdown";

const SAMPLE_REF = "abcdefghijklmnopqrst";
const SAMPLE_UUID = "7f0c9a2e-3b1d-4c5e-8f6a-0b1c2d3e4f50";

/** The example value of each part of an import ID. */
const samples: Readonly<Record<string, string>> = {
  ref: SAMPLE_REF,
  projectRef: SAMPLE_REF,
  branchRef: "tsrqponmlkjihgfedcba",
  slug: "hello",
  name: "PAYMENT_TOKEN",
};

/** An example of an import ID. */
export function sampleImportId({ importId }: AnyResource): string {
  const { format, example } = importId;
  const given = example === undefined ? format : format.replace(/<\w+>$/, example);
  return given.replaceAll(/<(\w+)>/g, (_, part: string) => samples[part] ?? SAMPLE_UUID);
}

/** How to import an existing object. */
export function importSection(resource: AnyResource): string {
  const { type, importId } = resource;
  if (importId.refusal !== undefined) {
    return section(2, "Import", `A ${code(type)} cannot be imported: ${importId.refusal}`);
  }
  const command = (id: string): string => `pulumi import management:index:${type} example '${id}'`;
  return section(
    2,
    "Import",
    paragraphs(
      `Import ID: ${code(importId.format)}.`,
      fenced("sh", command(sampleImportId(resource))),
      broughtText(resource),
      missingText(resource),
    ),
  );
}

function broughtText({ inputs, importId }: AnyResource): string {
  const isBrought = (name: string, isRequired: boolean, traits: FieldTraits): boolean => {
    if (importId.alsoDeclares?.includes(name) === true) return true;
    if (traits.secret === true || traits.writeOnly === true || traits.local === true) return false;
    return isRequired || traits.replaces !== undefined;
  };
  const brought = namesWhere(inputs, isBrought);
  const others = namesWhere(inputs, (name, isRequired, traits) => {
    return traits.createOnly !== true && name !== "timeouts" && !isBrought(name, isRequired, traits);
  });
  const declared =
    brought.length > MOST_LISTED && others.length < brought.length
      ? `all inputs${others.length === 0 ? "" : ` except ${codes(others)}`}`
      : codes(brought);
  return `[An import](../common.md#import) declares ${declared}.`;
}

/** Names: of a longer list the page says what is not in it, where that is shorter. */
const MOST_LISTED = 10;

function missingText({ inputs, importId }: AnyResource): string {
  const isShown = (name: string): boolean => importId.alsoDeclares?.includes(name) === true;
  const unseen = (change: "is sent" | "replaces the resource" | "is refused"): string =>
    unseenText(
      namesWhere(inputs, (_name, _isRequired, traits) => {
        return traits.writeOnly === true && describeChange(traits) === change;
      }),
      change,
    );
  const hashed = namesWhere(
    inputs,
    (name, isRequired, { writeOnly, secret }) =>
      writeOnly !== true && secret === true && isRequired && !isShown(name),
  );
  return paragraphs(
    hashed.length === 0
      ? ""
      : `The service returns only a hash of ${codes(hashed)}, so an import omits ${hashed.length === 1 ? "it" : "them"}. Once declared, a value that differs is sent on the next update.`,
    unseen("is sent"),
    unseen("replaces the resource"),
    unseen("is refused"),
  );
}

function describeChange({ replaces, insteadOfReplacement }: FieldTraits) {
  if (insteadOfReplacement !== undefined) return "is refused";
  return replaces === undefined ? "is sent" : "replaces the resource";
}

function unseenText(names: readonly string[], change: string): string {
  if (names.length === 0) return "";
  const them = names.length === 1 ? "it" : "them";
  return `The service does not return ${codes(names)}, so an import omits ${them}. The first value that the program declares is recorded, not sent; only a later change ${change}.`;
}

function namesWhere(
  inputs: AnyResource["inputs"],
  holds: (name: string, isRequired: boolean, traits: FieldTraits) => boolean,
): string[] {
  return listMarkedFields(inputs)
    .filter(([, , traits]) => traits.computed !== true)
    .filter(([name, field, traits]) => holds(name, !isOptional(field), traits))
    .map(([name]) => name);
}
