import { differencesBelow, type Difference } from "../../define/compare";
import { markedFields, traitsOf, holdsSecret } from "../../define/markers";
import { formatPath, type Path } from "../../define/property-path";
import type { AnyResource } from "../../define/resource";
import { isObject } from "../../../spec/is-object";
import { isSecretAt, withoutForeignKeys } from "../schema/secrets";
import { pickDeclared, upgradeState, type Values } from "../state";
import { schemaAt } from "../../../spec/shape-of";

/** More paths than these are counted. */
const MOST_NAMED = 30;

const SUFFIX = { add: " (added)", delete: " (removed)", update: "" } as const;

/**
 * What an update changes within inputs that hold a secret, by the schema or by the program (`isSecret`): an engine without a
 * detailed diff shows each as `[secret]`. Undefined where no change is hidden. No value is in it.
 */
export function hiddenChanges(
  resource: AnyResource,
  recorded: Values,
  inputs: Values,
  isSecret: (name: string) => boolean,
): string | undefined {
  const declared = pickDeclared(resource, upgradeState(resource, recorded));
  const changes = markedFields(resource.inputs).flatMap(([name, field, { createOnly, computed }]) => {
    const [was, is] = [declared[name], inputs[name]];
    const hidesAll = holdsSecret(field) || isSecret(name);
    const none = [was, is].find(isObject) !== undefined ? {} : [was, is].find(Array.isArray) && [];
    if (createOnly === true || !hidesAll || none === undefined) return [];
    // What is not known yet was told by its own name.
    if (computed === true && !isObject(is)) return [];
    return differencesBelow(field, was ?? none, is ?? none, [name], computed !== true).flatMap((one) =>
      leavesOf(one, one.kind === "delete" ? declared : inputs),
    );
  });
  const named = changes.filter((one) => one.path.length > 1 && !isTold(resource, one, changes));
  if (named.length === 0) return undefined;
  const listed = (are: boolean): string[] =>
    named
      .filter(({ path }) => isSecretAt(resource.inputs, path) === are)
      .map(({ path, kind }) => {
        const shown = withoutForeignKeys(resource.inputs, path, isSecret(String(path[0])));
        return `${formatPath(shown)}${SUFFIX[kind]}`;
      });
  const [plain, secret] = [listed(false), listed(true)];
  const parts = [
    ...(plain.length > 0 ? [`will change: ${shortened(plain)}`] : []),
    ...(secret.length > 0
      ? [`${plain.length > 0 ? "secret" : "secrets that will change"}: ${shortened(secret)}`]
      : []),
  ];
  return `${parts.join("; ")}.`;
}

/** Of an object that comes or goes, what is in it. */
function leavesOf({ path, kind }: Difference, values: Values): Difference[] {
  const value = path.reduce<unknown>((at, key) => (isObject(at) ? at[String(key)] : undefined), values);
  if (kind === "update" || !isObject(value)) return [{ path, kind }];
  return Object.keys(value).flatMap((key) => leavesOf({ path: [...path, key], kind }, values));
}

/** What is computed of an input is told where that is, by the same keys. */
function isTold(
  resource: AnyResource,
  { path: [name, ...rest] }: Difference,
  changes: readonly Difference[],
): boolean {
  const isComputed = markedFields(resource.inputs).some(
    ([at, , { computed }]) => at === name && computed === true,
  );
  return (
    isComputed &&
    changes.some(({ path: [other, ...keys] }) => other !== name && formatPath(keys) === formatPath(rest))
  );
}

function shortened(paths: readonly string[]): string {
  const more = paths.length - MOST_NAMED;
  return [...paths.slice(0, MOST_NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

/** Longer values are not repeated. */
const MOST_SHOWN = 80;

/** What a plan says of an input that is taken out of the program and stays on the service. */
export function noLongerManaged(
  resource: AnyResource,
  state: Values,
  path: Path,
  isSecret: (name: string) => boolean,
): string {
  const isMarked = isSecret(String(path[0]));
  const name = formatPath(withoutForeignKeys(resource.inputs, path, isMarked));
  if (resource.isAction === true) {
    const toRunAgain = name === "triggers" ? "" : " To run it again, change `triggers`.";
    return `${name}: removed. This does not run the action again.${toRunAgain}`;
  }
  const field = schemaAt(resource.inputs, path);
  const advice = field === undefined ? undefined : traitsOf(field).staysUnless;
  const isHidden = isMarked || isSecretAt(resource.inputs, path);
  const value = isHidden ? undefined : shown(path.reduce<unknown>(child, state));
  return [`${name}: no longer managed, stays ${value ?? "as it is"}.`, advice].filter(Boolean).join(" ");
}

function shown(value: unknown): string | undefined {
  const text = value === undefined ? undefined : JSON.stringify(value);
  return text === undefined || text.length > MOST_SHOWN ? undefined : text;
}

function child(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
