import { parseToken } from "../../provider/define/token";
import type { Example, Examples } from "./examples/example";
import { programsOf } from "./examples/programs";
import { renderTypeScript } from "./examples/render-typescript";
import { SdkTypes } from "./examples/sdk-types";
import { languageSections } from "./language-sections";
import type { PackageSpec } from "./package-spec";

/** The schema that a registry shows and SDKs are generated from: each resource and function has its example in every language. */
export function registrySchema(schema: PackageSpec, examples: Examples): PackageSpec {
  const types = new SdkTypes(schema);
  const described = <T extends { readonly description: string }>(all: Readonly<Record<string, T>>) =>
    Object.fromEntries(
      Object.entries(all).map(([token, spec]): [string, T] => {
        const example = examples[parseToken(token)];
        return [
          token,
          example === undefined
            ? spec
            : { ...spec, description: withExample(spec.description, example, types) },
        ];
      }),
    );
  return { ...schema, resources: described(schema.resources), functions: described(schema.functions) };
}

/** Registries show what begins at the heading of imports in a place of its own, after everything else. */
function withExample(description: string, example: Example, types: SdkTypes): string {
  const [text = "", ...importing] = description.split(/(?=\n\n## Import\n)/);
  return `${text}\n\n## Example Usage\n\n${exampleChooser(example, types)}${importing.join("")}`;
}

/** The example in every language, as registries and generators recognise it. */
function exampleChooser(example: Example, types: SdkTypes): string {
  const { yaml, python, go, csharp, java } = programsOf(example, types);
  const typescript = renderTypeScript(example, languageSections.nodejs.packageName);
  const programs = Object.entries({ typescript, python, go, csharp, java, yaml });
  const blocks = programs.map(([language, program]) => `\`\`\`${language}\n${program}\`\`\`\n`);
  return `<!--Start PulumiCodeChooser -->\n${blocks.join("")}<!--End PulumiCodeChooser -->`;
}
