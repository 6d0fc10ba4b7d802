import type { Example } from "../examples/example";
import { programsOf } from "../examples/programs";
import type { SdkTypes } from "../examples/sdk-types";
import { fenced, paragraphs, section } from "./markdown";

/** The example in the four languages. */
export function examplesSection(example: Example | undefined, types: SdkTypes): string {
  if (example === undefined) return "";
  const { typescript, yaml, python, go } = programsOf(example, types);
  return section(
    2,
    "Example",
    paragraphs(
      "TypeScript, with the dynamic classes of the npm package:",
      fenced("ts", typescript),
      "YAML:",
      fenced("yaml", yaml),
      "Python, with the generated SDK:",
      fenced("python", python),
      "Go, with the generated SDK:",
      fenced("go", go),
      settingsText(example),
    ),
  );
}

function settingsText({ config = {} }: Example): string {
  const commands = Object.entries(config).map(
    ([name, kind]) => `pulumi config set ${kind === "secret" ? "--secret " : ""}${name} …`,
  );
  return commands.length === 0
    ? ""
    : paragraphs(
        "The program reads these settings from the stack's configuration:",
        fenced("sh", commands.join("\n")),
      );
}
