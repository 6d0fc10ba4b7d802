import { packageContents, surface } from "../package-schema";
import { examples } from "./examples.generated";
import type { Example } from "./example";
import { firstProgram } from "./first-program";
import { renderCSharp } from "./render-csharp";
import { renderGo } from "./render-go";
import { renderJava } from "./render-java";
import { renderPython } from "./render-python";
import { renderTypeScript } from "./render-typescript";
import { renderYaml } from "./render-yaml";
import { SdkTypes } from "./sdk-types";

/** One example in every language. */
export interface Programs {
  readonly typescript: string;
  readonly yaml: string;
  readonly python: string;
  readonly go: string;
  readonly csharp: string;
  readonly java: string;
}

export function programsOf(example: Example, types: SdkTypes): Programs {
  return {
    typescript: renderTypeScript(example),
    yaml: renderYaml(example),
    python: renderPython(example, types),
    go: renderGo(example, types),
    csharp: renderCSharp(example, types),
    java: renderJava(example, types),
  };
}

/** Every example in every language, by the type of the resource or the name of the function; and the first program. */
export function allPrograms(): Record<string, Programs> {
  const types = new SdkTypes(packageContents(surface));
  return Object.fromEntries(
    Object.entries({ ...examples, firstProgram }).map(([name, example]) => [
      name,
      programsOf(example, types),
    ]),
  );
}
