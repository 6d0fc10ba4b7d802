import type { ComponentDefinition } from "../define/component";
import type { AnyResource, CheckFailure } from "../define/resource";

/** The type of the resource directly above, where it is one of this package: in a URN, or in what a class says of its owner. */
const ABOVE = /management:index:(\w+)\$[^$]*$/;

/** Names what is at fault as the user of the component declares it whose resource this is. */
export function inComponent(resource: AnyResource, owner: string): (failure: CheckFailure) => CheckFailure {
  const [, type] = ABOVE.exec(owner) ?? [];
  const component = type === undefined ? undefined : definitionOf(type);
  const names = component?.passes?.[resource.type];
  if (names === undefined) return (failure) => failure;
  const rename = (path: string): string => {
    const [name = ""] = path.split(/[.[]/);
    if (names.every !== undefined && Object.hasOwn(resource.inputs.shape, name))
      return `${names.every}.${path}`;
    const own = names.inputs?.[name];
    return own === undefined ? path : own + path.slice(name.length);
  };
  return ({ path, reason }) => ({
    path: rename(path),
    // What is quoted of folders and functions is no input.
    reason: reason.replaceAll(
      /(?<!folder |function )`([\w.[\]]+)(?=`|: )/g,
      (_, quoted: string) => `\`${rename(quoted)}`,
    ),
  });
}

function definitionOf(type: string): ComponentDefinition | undefined {
  return loadComponents().componentDefinitions.find((each) => each.type === type);
}

/** Loaded with the first component: most programs have none. */
function loadComponents(): typeof import("./components") {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load the definitions at the start
  return require("./components") as typeof import("./components");
}
