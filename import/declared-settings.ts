import { isObject } from "../spec/is-object";
import { isOptional, listMarkedFields } from "../provider/define/markers";
import type { AnyResource } from "../provider/define/resource";
import { fitInputs, type FittedInputs, type UndeclarableValue } from "../provider/engine/fit-inputs";
import type { Values } from "../provider/define/values";
import type { SourceObject } from "./sources/declared";
import { listInputDifferences } from "./sources/differences";

/** An object that files of another tool declare too. */
export interface Settled {
  /** What the stack records: what the service has of what is declared. */
  readonly inputs: Values;
  /** What the program declares. */
  readonly declares: Values;
  /** Where both differ, in sentences without a secret. */
  readonly differences: readonly string[];
  /** What the files declare and the program cannot. */
  readonly misfits: readonly UndeclarableValue[];
  /** What they declare and the service does not show. */
  readonly hidden: readonly string[];
}

export interface ObservedInputs {
  /** What an import declares. */
  readonly smallest: Values;
  /** Everything that the service shows. */
  readonly all: Values;
}

/** The values of the service, for what the files declare and nothing else. */
export function declareAsService(
  resource: AnyResource,
  object: SourceObject,
  present: ObservedInputs,
): Settled {
  const { inputs } = object;
  const base =
    resource.importId.isProjectRef === true
      ? pickRequiredInputs(resource, present.smallest)
      : present.smallest;
  const { inputs: own, misfits } = fitDeclared(resource, base, {
    ...pickOptions(resource, inputs),
    ...pickShown(present.all, inputs),
  });
  const isTold = (path: string): boolean => misfits.some((misfit) => path.startsWith(misfit.path));
  const hidden = listInputDifferences(object, own)
    .filter(({ path, present: there }) => there === undefined && !isTold(path))
    .map(({ path }) => path);
  return { inputs: own, declares: own, differences: [], misfits, hidden };
}

/** The values of the files beside what an import declares. */
export function declareAsFiles(
  resource: AnyResource,
  object: SourceObject,
  present: ObservedInputs,
): Settled {
  const { inputs } = fitDeclared(resource, present.smallest, pickShown(present.all, object.inputs));
  const { inputs: declares, misfits } = fitDeclared(resource, inputs, object.inputs, inputs);
  return {
    ...{ inputs, declares, misfits, hidden: [] },
    differences: listInputDifferences(object, present.all).map(
      ({ path, declared, present: there }) =>
        `${object.source}: \`${path}\` of ${resource.type} is ${JSON.stringify(declared)} there, and ${
          there === undefined ? "not set" : JSON.stringify(there)
        } on the service.`,
    ),
  };
}

function pickRequiredInputs(resource: AnyResource, inputs: Values): Values {
  const required = listMarkedFields(resource.inputs).flatMap(([name, field]) =>
    isOptional(field) ? [] : [name],
  );
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => required.includes(name)));
}

/** Of a configuration, what says how it is written and is no part of it. */
function pickOptions(resource: AnyResource, inputs: Readonly<Record<string, unknown>>): Values {
  if (resource.importId.isProjectRef !== true) return {};
  const names = listMarkedFields(resource.inputs).flatMap(([name, , { local }]) =>
    local === true ? [name] : [],
  );
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => names.includes(name)));
}

/** What the service has of the properties that are declared, in groups too. */
function pickShown(all: Values, declared: Readonly<Record<string, unknown>>): Values {
  return Object.fromEntries(
    Object.entries(declared).flatMap(([name, value]) => {
      const there = all[name];
      if (there === undefined || there === null) return [];
      if (!isObject(there) || !isObject(value)) return [[name, there]];
      const group = pickShown(there, value);
      return Object.keys(group).length === 0 ? [] : [[name, group]];
    }),
  );
}

/** With what the resource takes of these beside the others: of a group the service may not show enough. */
function fitDeclared(
  resource: AnyResource,
  base: Values,
  more: Readonly<Record<string, unknown>>,
  before?: Values,
): FittedInputs {
  const given = { ...more, ...resource.importId.consents?.(more) };
  const candidates = Object.entries(given).map(([name, value]) => ({
    name,
    forms: [mergeDeep(base[name], value)],
  }));
  return fitInputs(resource, base, candidates, before);
}

function mergeDeep(base: unknown, more: unknown): unknown {
  if (!isObject(base) || !isObject(more)) return more;
  const entries = Object.entries(more).map(([name, value]) => [name, mergeDeep(base[name], value)] as const);
  return { ...base, ...Object.fromEntries(entries) };
}
