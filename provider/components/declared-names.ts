import type { ComponentDefinition } from "../define/component";
import type { AnyResource, CheckFailure } from "../define/resource";
import type { Runtime } from "../engine/step/runtime";

/** The type of the resource directly above, where it is one of this package: in a URN, or in what a class says of its owner. */
const ABOVE = /management:index:(\w+)\$[^$]*$/;

interface ComponentNames {
  /** Inputs that a text has in quotes. */
  readonly text: (text: string) => string;
  readonly failure: (failure: CheckFailure) => CheckFailure;
}

/** Names inputs as the user of the component declares them whose resource this is. */
export function createComponentNames(resource: AnyResource, owner: string): ComponentNames {
  const [, type] = ABOVE.exec(owner) ?? [];
  const component = type === undefined ? undefined : definitionOf(type);
  const names = component?.passes?.[resource.type];
  const path = (given: string): string => {
    const [name = ""] = given.split(/[.[]/);
    if (names?.every !== undefined && Object.hasOwn(resource.inputs.shape, name))
      return `${names.every}.${given}`;
    const own = names?.inputs?.[name];
    return own === undefined ? given : own + given.slice(name.length);
  };
  // What is quoted of folders and functions is no input.
  const text = (given: string): string =>
    names === undefined
      ? given
      : given.replaceAll(
          /(?<!folder |function )`([\w.[\]]+)(?=`|: )/g,
          (_, quoted: string) => `\`${path(quoted)}`,
        );
  return {
    text,
    failure: (failure) => ({ path: path(failure.path), reason: text(failure.reason) }),
  };
}

/** What a step of the resource says by the way, in the names of the component that has made it. */
export function renameInMessages<R extends Pick<Runtime, "info" | "warn">>(
  runtime: R,
  resource: AnyResource,
  owner: string,
): R {
  const { text } = createComponentNames(resource, owner);
  return {
    ...runtime,
    info: (message: string, subject: string) => runtime.info(text(message), subject),
    warn: (message: string, subject: string) => runtime.warn(text(message), subject),
  };
}

function definitionOf(type: string): ComponentDefinition | undefined {
  return loadComponents().componentDefinitions.find((each) => each.type === type);
}

/** Loaded with the first component: most programs have none. */
function loadComponents(): typeof import("./components") {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load the definitions at the start
  return require("./components") as typeof import("./components");
}
