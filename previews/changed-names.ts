import { formatCode } from "../provider/core/markdown";
import { isObject } from "../spec/is-object";
import type { StackState, StateResource } from "./stack-state";

/** What names things, and what tells two states of one apart; that is compared, and never shown. */
interface NamedSet {
  readonly noun: string;
  readonly type: RegExp;
  /** The output that has the names; where it is secret, none is shown. */
  readonly names: string;
  readonly versionsOf: (resource: StateResource) => Readonly<Record<string, unknown>>;
}

const SETS: readonly NamedSet[] = [
  {
    noun: "functions",
    type: /\bmanagement:(?:index:)?FunctionSet$/,
    names: "deployed",
    versionsOf: ({ outputs }) => recordOf(outputs["deployed"]),
  },
  {
    noun: "secrets",
    type: /\bmanagement:(?:index:)?SecretSet$/,
    names: "names",
    versionsOf: ({ inputs, outputs }) => {
      const values = recordOf(inputs["secrets"]);
      const names: readonly unknown[] = Array.isArray(outputs["names"]) ? outputs["names"] : [];
      return Object.fromEntries(
        names.flatMap((name) => (typeof name === "string" ? [[name, values[name] ?? null]] : [])),
      );
    },
  },
];

const MOST_NAMES = 20;

/** The functions and secrets that a run changed, by name, in Markdown; undefined where it changed none. */
export function formatChangedNames(
  before: StackState | undefined,
  after: StackState | undefined,
): string | undefined {
  const parts = SETS.flatMap((set) => {
    const names = listChanges(readVersions(before, set), readVersions(after, set));
    const shown = names.slice(0, MOST_NAMES).join(", ");
    const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : "";
    return names.length === 0 ? [] : [`${set.noun} ${shown}${more}`];
  });
  return parts.length === 0 ? undefined : `Changed by this run: ${parts.join("; ")}.`;
}

function readVersions(
  state: StackState | undefined,
  { type, names, versionsOf }: NamedSet,
): ReadonlyMap<string, string> {
  const shown = (state?.resources ?? []).filter(
    ({ types, ...resource }) =>
      types.some((each) => type.test(each)) && !resource.secretOutputs.includes(names),
  );
  return new Map(
    shown.flatMap((resource) =>
      Object.entries(versionsOf(resource)).map(([name, version]): [string, string] => [
        name,
        JSON.stringify(version),
      ]),
    ),
  );
}

function listChanges(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((name) => {
    const code = formatCode(name);
    if (!after.has(name)) return [`${code} (removed)`];
    if (!before.has(name)) return [`${code} (new)`];
    return before.get(name) === after.get(name) ? [] : [code];
  });
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
