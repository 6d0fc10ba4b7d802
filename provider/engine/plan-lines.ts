import type { InheritedPart } from "../define/context";
import type { z } from "zod";
import { listDifferences, type Difference } from "../define/compare";
import { fieldOf, listMarkedFields, traitsOf, holdsSecret } from "../define/markers";
import { formatName, formatPlanLine } from "../define/plan-words";
import { formatPath, type Path } from "../define/property-path";
import type { AnyResource } from "../define/resource";
import { isObject } from "../../spec/is-object";
import { isSecretAt, hideForeignKeys } from "./schema/secrets";
import type { Values } from "../define/values";
import { pickDeclared, upgradeState } from "./step/state";
import { listChildSchemas, schemaAt, shapeOf } from "../../spec/shape-of";
import { hasUnknown, omitUnknown } from "../define/unknown";
import { findManager, type ProgramIndex } from "../ledger/program-index";

const SAYS = { add: "added", delete: "removed", update: "changed" } as const;

/**
 * What an update does that the names of the changed inputs do not tell: the keys of maps, what changes within inputs that hold a
 * secret, by the schema or by the program (`isSecret`), and what hashes stand for. No value is in it.
 */
export function describeChanges(
  resource: AnyResource,
  recorded: Values,
  inputs: Values,
  isSecret: (name: string) => boolean,
): string[] {
  const state = upgradeState(resource, recorded);
  const declared = pickDeclared(resource, state);
  const { covers = [], labels = {} } = resource.plan ?? {};
  // What is read of a map and of files is told once, by its result.
  const isShownByResult = (name: string): boolean =>
    Object.entries(labels).some(([result, label]) => label === name && isObject(inputs[result]));
  const isHidden = (path: Path): boolean => isSecret(String(path[0])) || isSecretAt(resource.inputs, path);
  const changes = listMarkedFields(resource.inputs).flatMap(([name, field, { createOnly, computed }]) => {
    const [was, is] = [declared[name], inputs[name]];
    const isTold = holdsSecret(field) || isSecret(name) || holdsMap(field);
    const none = [was, is].find(isObject) !== undefined ? {} : [was, is].find(Array.isArray) && [];
    const isRotated = isSet(was) && isSet(is);
    if (createOnly === true || covers.includes(name) || !isTold || (none === undefined && !isRotated))
      return [];
    // What is not known yet was told by its own name.
    if (isShownByResult(name) || (computed === true && !isObject(is))) return [];
    return listDifferences(field, was ?? none, is ?? none, [name], computed !== true).flatMap((one) =>
      listLeaves(one, one.kind === "delete" ? declared : inputs),
    );
  });
  // Pulumi compares a secret as it shows it: of one that is another now, it tells nothing.
  const below = changes.filter(({ path, kind }) => path.length > 1 || (kind === "update" && isHidden(path)));
  const isInMap = ({ path: [name] }: Difference): boolean => {
    const field = fieldOf(resource.inputs, String(name));
    return field !== undefined && shapeOf(field).kind === "record";
  };
  const maps = Map.groupBy(
    below.filter(isInMap),
    ({ path: [name = ""] }) => labels[String(name)] ?? String(name),
  );
  return [
    ...[...maps].flatMap(([label, all]) =>
      formatPlanLine(label, listChangedKeys(resource, all, { declared, inputs, isSecret })),
    ),
    ...formatPaths(
      resource,
      below.filter((one) => !isInMap(one)),
      isSecret,
    ),
  ];
}

/** Whether a value of the schema can have keys that the program chooses. */
function holdsMap(schema: z.ZodType): boolean {
  const shape = shapeOf(schema);
  return shape.kind === "record" || (shape.kind === "object" && listChildSchemas(shape).some(holdsMap));
}

interface PlannedInputs {
  readonly declared: Values;
  readonly inputs: Values;
  readonly isSecret: (name: string) => boolean;
}

/** The keys of a map that change, once each. */
function listChangedKeys(
  resource: AnyResource,
  changes: readonly Difference[],
  { declared, inputs, isSecret }: PlannedInputs,
): string[] {
  const keys = changes.map(({ path, kind }) => {
    const [name = "", key = ""] = path;
    const [, shown = ""] = hideForeignKeys(resource.inputs, [name, key], isSecret(String(name)));
    const at = (values: Values): unknown => readChild(values[String(name)], key);
    const isUnknown = hasUnknown(at(inputs));
    const ofKey =
      path.length > 2
        ? at(declared) === undefined
          ? "add"
          : at(inputs) === undefined
            ? "delete"
            : "update"
        : kind;
    return `${formatName(String(shown))} (${isUnknown && ofKey === "update" ? "may change" : SAYS[ofKey]})`;
  });
  return [...new Set(keys)].sort();
}

function formatPaths(
  { inputs }: AnyResource,
  changes: readonly Difference[],
  isSecret: (name: string) => boolean,
): string[] {
  if (changes.length === 0) return [];
  const formatList = (are: boolean): string[] =>
    changes
      .filter(({ path }) => isSecretAt(inputs, path) === are)
      .map(({ path, kind }) => {
        const formatShownValue = hideForeignKeys(inputs, path, isSecret(String(path[0])));
        return `${formatPath(formatShownValue)} (${SAYS[kind]})`;
      });
  const parts = [
    ...formatPlanLine("inputs", formatList(false)),
    ...formatPlanLine("secrets", formatList(true)),
  ];
  return [parts.join("; ")];
}

/** Of an object that comes or goes, what is in it. */
function listLeaves({ path, kind }: Difference, values: Values): Difference[] {
  const value = path.reduce<unknown>((at, key) => (isObject(at) ? at[String(key)] : undefined), values);
  if (kind === "update" || !isObject(value)) return [{ path, kind }];
  return Object.keys(value).flatMap((key) => listLeaves({ path: [...path, key], kind }, values));
}

/** What a definition says in words of what comes about by an update. */
export function describeUpdate(resource: AnyResource, state: Values, inputs: Values): readonly string[] {
  return describeWithDefinition(resource, state, inputs);
}

/** The same by a create. */
export function describeCreation(
  program: ProgramIndex,
  resource: AnyResource,
  inputs: Values,
): readonly string[] {
  const manager = findManager(resource, inputs);
  const inherited = manager === undefined ? new Map<string, InheritedPart>() : program.listInherited(manager);
  return describeWithDefinition(resource, undefined, inputs, inherited);
}

function describeWithDefinition(
  resource: AnyResource,
  state: Values | undefined,
  inputs: Values,
  inherited?: ReadonlyMap<string, InheritedPart>,
): readonly string[] {
  const known = omitUnknown(inputs);
  return resource.plan?.describe?.(state, known, inherited) ?? [];
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Longer values are not repeated. */
const MOST_SHOWN = 80;

/** What a plan says of an input that is taken out of the program and stays on the service. */
export function describeUnmanaged(
  resource: AnyResource,
  state: Values,
  path: Path,
  isSecret: (name: string) => boolean,
): string {
  const isMarked = isSecret(String(path[0]));
  const name = formatPath(hideForeignKeys(resource.inputs, path, isMarked));
  if (resource.isAction === true) {
    const toRunAgain = name === "triggers" ? "" : " To run it again, change `triggers`.";
    return `${name}: removed. This does not run the action again.${toRunAgain}`;
  }
  const field = schemaAt(resource.inputs, path);
  const advice = field === undefined ? undefined : traitsOf(field).staysUnless;
  const isHidden = isMarked || isSecretAt(resource.inputs, path);
  const value = isHidden ? undefined : formatShownValue(path.reduce<unknown>(readChild, state));
  return [`${name}: no longer managed, stays ${value ?? "as it is"}.`, advice].filter(Boolean).join(" ");
}

function formatShownValue(value: unknown): string | undefined {
  const text = value === undefined ? undefined : JSON.stringify(value);
  return text === undefined || text.length > MOST_SHOWN ? undefined : text;
}

function readChild(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
