import { randomUUID } from "node:crypto";
import { holdsSecret, fieldOf, listMarkedFields, listSecretNames } from "../provider/define/markers";
import { toSecret, SIGNATURE_KEY, wrapSecrets } from "../provider/engine/schema/secrets";
import type { AnyResource } from "../provider/define/resource";
import { checkInputs } from "../provider/engine/check";
import { resourceByType } from "../provider/catalog/catalog";
import type { Values } from "../provider/define/values";
import { isDeepStrictEqual } from "node:util";
import { toTimeoutsInput, toTimeoutSeconds } from "./custom-timeouts";
import { orderByDependency } from "./dependencies";
import { Reference, type ProgramResource, type NamedBefore } from "./model";
import { isSet, formatSetId } from "./sets";

/** A resource as `pulumi stack export` writes it. */
interface StackResource {
  urn: string;
  type: string;
  custom?: boolean;
  id?: string;
  inputs?: Values;
  outputs?: Values;
  provider?: string;
  dependencies?: readonly string[];
  deletedWith?: string;
  propertyDependencies?: Readonly<Record<string, readonly string[]>>;
  [key: string]: unknown;
}

export interface StackDeployment {
  readonly version: number;
  readonly deployment: { resources?: StackResource[]; [key: string]: unknown };
}

const PLUGIN_TYPE = /^management:index:(\w+)$/;
const CLASS_TYPE = /^pulumi-nodejs:dynamic\/management:(\w+)$/;

/** The resources of this package that a stack has already. */
export function listNamedBefore({ deployment }: StackDeployment): NamedBefore[] {
  return (deployment.resources ?? []).flatMap(({ urn, type, id = "", inputs = {}, outputs = {} }) => {
    const [, kind] = PLUGIN_TYPE.exec(type) ?? CLASS_TYPE.exec(type) ?? [];
    if (kind === undefined) return [];
    const name = urn.split("::").at(-1) ?? "";
    if (isSet(kind)) {
      const names = Array.isArray(outputs["names"]) ? outputs["names"].map(String) : [];
      return [{ type: kind, name, importId: formatSetId(kind, inputs), names }];
    }
    const { format } = resourceByType(kind).importId;
    const ref = inputs["projectRef"] ?? outputs["projectRef"];
    const last = kind === "MigrationSet" ? inputs["directory"] : id;
    const importId = format.includes("/") ? `${String(ref)}/${String(last)}` : id;
    return [{ type: kind, name, importId }];
  });
}

/**
 * The state after `pulumi import`, as the program has it: with the secrets whose values are known to be those of the
 * service, with what is declared beyond the smallest inputs, with what each depends on, so that a destroy knows the order,
 * and for the classes of the npm package under their types.
 */
export function applyDeclared(
  state: StackDeployment,
  declared: readonly ProgramResource[],
  { owner, hasClasses }: { readonly owner: string; readonly hasClasses: boolean },
): StackDeployment {
  const resources = state.deployment.resources ?? [];
  const byUrnEnd = new Map(declared.map((each) => [`management:index:${each.type}::${each.name}`, each]));
  const adjusted = resources.map((each) => {
    const one = byUrnEnd.get(each.urn.split("::").slice(-2).join("::"));
    return one === undefined ? each : replaceInputs(addTimeouts(each, one, hasClasses), one, hasClasses);
  });
  const sets = declared.filter(({ type }) => isSet(type)).map((each) => findSetRecord(each, resources));
  const linked = addDependencies([...adjusted, ...sets], declared);
  const next = hasClasses ? toClasses(linked, owner) : linked;
  return { ...state, deployment: { ...state.deployment, resources: next } };
}

/** What the engine records of references and of `dependsOn` once the program has run. */
function addDependencies(
  resources: readonly StackResource[],
  declared: readonly ProgramResource[],
): StackResource[] {
  const recordOf = ({ type, name }: ProgramResource): StackResource | undefined =>
    resources.find(
      ({ urn }) =>
        urn.endsWith(`management:index:${type}::${name}`) || urn.endsWith(`/management:${type}::${name}`),
    );
  const linked = new Map<StackResource, StackResource>();
  for (const each of declared) {
    const record = recordOf(each);
    if (record === undefined) continue;
    const urns = (some: readonly ProgramResource[]): string[] =>
      some.flatMap((to) => recordOf(to)?.urn ?? []);
    const byProperty = Object.entries(each.properties).map(
      ([name, value]) => [name, urns(listReferences(value))] as const,
    );
    const dependencies = [...urns(each.dependsOn), ...byProperty.flatMap(([, of]) => of)];
    if (dependencies.length === 0) continue;
    const [deletedWith] = urns(each.deletedWith === undefined ? [] : [each.deletedWith]);
    linked.set(record, {
      ...record,
      ...(deletedWith !== undefined && { deletedWith }),
      dependencies: [...new Set(dependencies)].sort(),
      propertyDependencies: Object.fromEntries(byProperty.filter(([, of]) => of.length > 0)),
    });
  }
  const all = resources.map((each) => linked.get(each) ?? each);
  return orderByDependency(all, ({ dependencies = [] }) =>
    all.filter(({ urn }) => dependencies.includes(urn)),
  );
}

function listReferences(value: unknown): ProgramResource[] {
  if (value instanceof Reference) return [value.to];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listReferences) : [];
}

/** A set, which the engine does not import, as its create would have left it. */
function findSetRecord(
  { type, name, inputs, state = {} }: ProgramResource,
  resources: readonly StackResource[],
): StackResource {
  const resource = resourceByType(type);
  const { inputs: checked } = checkInputs(resource, inputs, inputs);
  const root = resources.find((each) => each.type === "pulumi:pulumi:Stack");
  const provider = resources.find((each) => each.type === "pulumi:providers:management");
  return {
    urn: `${(root?.urn ?? "").split("::", 2).join("::")}::management:index:${type}::${name}`,
    custom: true,
    id: String(inputs["projectRef"]),
    type: `management:index:${type}`,
    inputs: wrapSecrets(resource, checked, toStateSecret),
    outputs: wrapSecrets(resource, state, toStateSecret),
    parent: root?.urn,
    protect: true,
    ...(provider !== undefined && { provider: `${provider.urn}::${String(provider.id)}` }),
  };
}

/** What the engine recorded of an import, with the inputs that the program declares. */
function replaceInputs(
  recorded: StackResource,
  declared: ProgramResource,
  hasClasses: boolean,
): StackResource {
  const { type, customTimeouts } = declared;
  const resource = resourceByType(type);
  const inputs =
    hasClasses && customTimeouts !== undefined
      ? { ...declared.inputs, timeouts: toTimeoutsInput(customTimeouts) }
      : declared.inputs;
  const { inputs: checked } = checkInputs(resource, inputs, inputs);
  const before = recorded.inputs ?? {};
  const sealed = hasClasses
    ? sealWholeSecrets(resource, checked)
    : wrapSecrets(resource, checked, toStateSecret);
  const names = listMarkedFields(resource.inputs).map(([name]) => name);
  const changed = names.filter((name) => {
    if (checked[name] === undefined) return name in before;
    const field = fieldOf(resource.inputs, name);
    // What a record has of a secret is encrypted.
    if (field !== undefined && holdsSecret(field)) return true;
    return !isDeepStrictEqual(before[name], checked[name]);
  });
  if (changed.length === 0) return recorded;
  const overlay = (values: Values): Values => {
    const kept = Object.entries(values).filter(([name]) => !changed.includes(name));
    const given = changed.flatMap((name) =>
      sealed[name] === undefined ? [] : [[name, sealed[name]] as const],
    );
    return Object.fromEntries([...kept, ...given]);
  };
  const outputs = {
    ...overlay(recorded.outputs ?? {}),
    __declared: names.filter((name) => checked[name] !== undefined).sort(),
    ...(type === "Secret" && { inSync: true }),
  };
  return { ...recorded, inputs: overlay(before), outputs };
}

/** The engine gives the plugin the time that the option in the state says; the classes have an input. */
function addTimeouts(
  recorded: StackResource,
  { customTimeouts }: ProgramResource,
  hasClasses: boolean,
): StackResource {
  if (customTimeouts === undefined || hasClasses) return recorded;
  return { ...recorded, customTimeouts: toTimeoutSeconds(customTimeouts) };
}

/** A secret in an exported state, which `pulumi stack import` encrypts. */
function toStateSecret(value: unknown): Values {
  return { [SIGNATURE_KEY]: toSecret(value)[SIGNATURE_KEY], plaintext: JSON.stringify(value) };
}

/** As the classes pass inputs on: one that can hold a secret is a secret as a whole. */
function sealWholeSecrets({ inputs }: AnyResource, values: Values): Values {
  const secrets = listSecretNames(inputs);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      secrets.includes(name) ? toStateSecret(value) : value,
    ]),
  );
}

/** Whether a value of a state is a secret or holds one. */
function isSealed(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return SIGNATURE_KEY in value || Object.values(value).some(isSealed);
}

function toClassUrn(urn: string): string {
  return urn.replace(/::management:index:(\w+)::/, "::pulumi-nodejs:dynamic/management:$1::");
}

/** The same resources under the types of the classes, with the provider that serves them. */
function toClasses(resources: readonly StackResource[], owner: string): StackResource[] {
  const stack = /^urn:pulumi:(.+?)::(.+?)::/.exec(resources[0]?.urn ?? "");
  const providerUrn = `urn:pulumi:${stack?.[1] ?? ""}::${stack?.[2] ?? ""}::pulumi:providers:pulumi-nodejs::default`;
  const present = resources.find(({ urn }) => urn === providerUrn);
  const provider = present ?? {
    urn: providerUrn,
    custom: true,
    id: randomUUID(),
    type: "pulumi:providers:pulumi-nodejs",
  };
  const moved = resources.flatMap((each): StackResource[] => {
    if (each.type === "pulumi:providers:management" || each === present) return [];
    const [, type] = PLUGIN_TYPE.exec(each.type) ?? [];
    if (type === undefined) return [each];
    const name = each.urn.split("::").at(-1) ?? "";
    const { dependencies, propertyDependencies, deletedWith } = each;
    const marks = {
      __provider: `exports.handler = () => require("pulumi-management/dynamic").provider(${JSON.stringify(type)})`,
      __owner: `${owner}/${name}`,
      __secrets: Object.keys(each.inputs ?? {})
        .filter((input) => isSealed(each.inputs?.[input]))
        .sort(),
    };
    return [
      {
        ...each,
        urn: toClassUrn(each.urn),
        ...(dependencies !== undefined && { dependencies: dependencies.map(toClassUrn).sort() }),
        ...(deletedWith !== undefined && { deletedWith: toClassUrn(deletedWith) }),
        ...(propertyDependencies !== undefined && {
          propertyDependencies: Object.fromEntries(
            Object.entries(propertyDependencies).map(([key, urns]) => [key, urns.map(toClassUrn)]),
          ),
        }),
        type: `pulumi-nodejs:dynamic/management:${type}`,
        provider: `${providerUrn}::${String(provider["id"])}`,
        inputs: { ...each.inputs, ...marks },
        outputs: { ...each.outputs, ...marks },
      },
    ];
  });
  // What a resource refers to stands before it.
  const roots = moved.filter(({ type }) => type === "pulumi:pulumi:Stack");
  return [...roots, provider, ...moved.filter((each) => !roots.includes(each))];
}
