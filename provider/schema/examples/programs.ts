import { functions, resources } from "../../catalog";
import { examples } from ".";
import type { Example } from "./example";
import { inputsIn } from "./inputs-in";
import { renderPython, type InputsOf } from "./render-python";
import { renderTypeScript } from "./render-typescript";
import { renderYaml } from "./render-yaml";

/** One example in every language. */
export interface Programs {
  readonly typescript: string;
  readonly yaml: string;
  readonly python: string;
}

export function programsOf(example: Example, inputsOf: InputsOf): Programs {
  return {
    typescript: renderTypeScript(example),
    yaml: renderYaml(example),
    python: renderPython(example, inputsOf),
  };
}

/** Every example in every language, by the type of the resource or the name of the function. */
export function allPrograms(): Record<string, Programs> {
  const inputsOf = inputsIn(resources, functions);
  return Object.fromEntries(
    Object.entries(examples).map(([name, example]) => [name, programsOf(example, inputsOf)]),
  );
}
