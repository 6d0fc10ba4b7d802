import type { Example } from "./example";
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
