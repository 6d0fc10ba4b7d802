import type { ComponentDefinition } from "../define/component";
import { formatCodeList } from "../define/format-code-list";
import { topName } from "../define/property-path";
import type { AnyResource, CheckFailure } from "../define/resource";
import { everyResource } from "../define/shared-inputs";
import type { Runtime } from "../engine/step/runtime";

/** The type of the resource directly above, where it is one of this package: in a URN, or in what a class says of its owner. */
const ABOVE = /management:index:(\w+)\$[^$]*$/;

interface ComponentNames {
  /** Inputs that a text has in quotes. */
  readonly text: (text: string) => string;
  readonly failure: (failure: CheckFailure) => CheckFailure;
  /** What is thrown, with what to do where it names an input that the component does not have. */
  readonly error: (message: string) => string;
}

/** The inputs that a text has in quotes. What is quoted of folders and functions is no input. */
const QUOTED = /(?<!folder |function )`([\w.[\]]+)(?=`|: )/g;

/** Names inputs as the user of the component declares them whose resource this is. */
export function createComponentNames(resource: AnyResource, owner: string): ComponentNames {
  const [, type] = ABOVE.exec(owner) ?? [];
  const component = type === undefined ? undefined : definitionOf(type);
  const names = component?.passes?.[resource.type];
  const path = (given: string): string => {
    const name = topName(given);
    const isSetting = Object.hasOwn(resource.inputs.shape, name) && !Object.hasOwn(everyResource, name);
    if (names?.every !== undefined && isSetting) return `${names.every}.${given}`;
    const own = names?.inputs?.[name];
    return own === undefined ? given : own + given.slice(name.length);
  };
  const text = (given: string): string =>
    names === undefined ? given : given.replaceAll(QUOTED, (_, quoted: string) => `\`${path(quoted)}`);
  const isMissing = (name: string): boolean =>
    component !== undefined &&
    Object.hasOwn(resource.inputs.shape, name) &&
    path(name) === name &&
    !Object.hasOwn(component.inputs.shape, name);
  const error = (given: string): string => {
    const quoted = [...given.matchAll(QUOTED)].map(([, name = ""]) => name);
    const missing = formatCodeList([...new Set(quoted)].filter(isMissing));
    return component === undefined || missing === ""
      ? text(given)
      : `${text(given)} A ${component.type} has no ${missing}. To start over, ${component.startOver}.`;
  };
  return {
    text,
    failure: (failure) => ({ path: path(failure.path), reason: error(failure.reason) }),
    error,
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
