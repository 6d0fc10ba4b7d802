import { fieldsOf, isOptional, type FieldTraits } from "../../../provider/define/markers";
import type { AnyResource } from "../../../provider/define/resource";
import { code, codes, fenced, paragraphs, section } from "./markdown";

const SAMPLE_REF = "abcdefghijklmnopqrst";
const SAMPLE_UUID = "7f0c9a2e-3b1d-4c5e-8f6a-0b1c2d3e4f50";

/** What stands for each part of an import id in an example. */
const samples: Readonly<Record<string, string>> = {
  ref: SAMPLE_REF,
  projectRef: SAMPLE_REF,
  branchRef: "tsrqponmlkjihgfedcba",
  slug: "hello",
  name: "PAYMENT_TOKEN",
};

/** An import id as it could be. */
export function sampleImportId({ importId }: AnyResource): string {
  return importId.format.replaceAll(/<(\w+)>/g, (_, part: string) => samples[part] ?? SAMPLE_UUID);
}

/** How an existing object comes under management. */
export function importSection(resource: AnyResource): string {
  const { type, importId } = resource;
  const command = (id: string): string => `pulumi import management:index:${type} example '${id}'`;
  return section(
    2,
    "Import",
    paragraphs(
      `The import id is ${code(importId.format)}. Importing needs the plugin; programs of the dynamic classes take over with \`adopt\`.`,
      fenced("sh", command(sampleImportId(resource))),
      broughtText(resource),
      missingText(resource),
    ),
  );
}

function broughtText({ inputs, importId }: AnyResource): string {
  const brought = namesWhere(inputs, (name, isRequired, traits) => {
    if (importId.takesOver?.includes(name) === true) return true;
    if (traits.secret === true || traits.writeOnly === true || traits.local === true) return false;
    return isRequired || traits.replaces !== undefined;
  });
  return `What is imported declares, as far as the service has it, and of properties that exclude each other only one: ${codes(brought)}. Everything else stays unmanaged until the program declares it.`;
}

function missingText({ inputs, importId }: AnyResource): string {
  const isHidden = (isRequired: boolean, { writeOnly, secret }: FieldTraits): boolean =>
    writeOnly === true || (secret === true && isRequired);
  const changed = namesWhere(
    inputs,
    (_, isRequired, traits) => isHidden(isRequired, traits) && traits.replaces === undefined,
  );
  const replacing = namesWhere(
    inputs,
    (_, isRequired, traits) => isHidden(isRequired, traits) && traits.replaces !== undefined,
  );
  const options = namesWhere(inputs, (name, _, traits) => {
    return traits.local === true && name !== "timeouts" && importId.takesOver?.includes(name) !== true;
  });
  return paragraphs(
    changed.length === 0
      ? ""
      : `The service does not show ${codes(changed)}, so an import leaves it out and it is not managed. Declaring it afterwards sends the declared value.`,
    replacing.length === 0
      ? ""
      : `The service does not show ${codes(replacing)}: leave it out of the program of an imported resource. Declaring it counts as a change, which replaces the resource.`,
    options.length === 0 ? "" : `Options of the provider are left to the program: ${codes(options)}.`,
  );
}

function namesWhere(
  inputs: AnyResource["inputs"],
  holds: (name: string, isRequired: boolean, traits: FieldTraits) => boolean,
): string[] {
  return fieldsOf(inputs)
    .filter(([, , traits]) => traits.computed !== true)
    .filter(([name, field, traits]) => holds(name, !isOptional(field), traits))
    .map(([name]) => name);
}
