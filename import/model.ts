import { fieldOf, holdsSecret, isOptional, listMarkedFields } from "../provider/define/markers";
import { showName } from "../spec/shown-text";
import { wrapSecrets } from "../provider/engine/schema/secrets";
import { resourceByType } from "../provider/catalog/catalog";
import type { Values } from "../provider/define/values";
import type { CustomTimeouts } from "./custom-timeouts";
import { listDependencies, orderByDependency, isDeletedWithProject } from "./dependencies";
import type { InventoryObject, HashedSecret, Inventory } from "./inventory";

/** A value of another resource: `shop.ref`. */
export class Reference {
  constructor(
    readonly to: ProgramResource,
    readonly property: string,
  ) {}
}

/** A value that the stack's configuration has, encrypted. */
export class ConfigSecret {
  constructor(readonly key: string) {}
}

/** A resource of the program. */
export interface ProgramResource {
  readonly type: string;
  /** Its name in Pulumi, and in YAML. */
  readonly name: string;
  /** Its variable in TypeScript. */
  readonly variable: string;
  readonly importId: string;
  /** As the program writes them: with references and secrets of the configuration in the place of values. */
  readonly properties: Values;
  /** The same as plain values. */
  readonly inputs: Values;
  readonly customTimeouts?: CustomTimeouts | undefined;
  /** What must exist before it though no property refers to it. */
  readonly dependsOn: readonly ProgramResource[];
  /** With whose deletion it is gone. */
  readonly deletedWith?: ProgramResource | undefined;
  /** What the stack records of a set. */
  readonly state?: Values | undefined;
  /** Why it stands in the program as a comment only. */
  readonly comment?: string;
}

type MutableDeclared = Omit<ProgramResource, "dependsOn"> & { dependsOn: readonly ProgramResource[] };

export interface Program {
  /** Name of the Pulumi project. */
  readonly name: string;
  readonly resources: readonly ProgramResource[];
  /** Secrets that the stack's configuration must have for the program to run. */
  readonly secrets: ReadonlyMap<string, string>;
}

export interface NamedBefore {
  readonly type: string;
  readonly name: string;
  readonly importId: string;
  /** What a set has. */
  readonly names?: readonly string[];
}

/** The program of an inventory. `before` are names that an earlier run gave: they stay, and nothing else gets them. */
export function buildProgram(inventory: Inventory, before: readonly NamedBefore[] = []): Program {
  const names = new ResourceNames(before);
  const secrets = new Map<string, string>();
  const resources: MutableDeclared[] = [];
  const declare = (
    { type, importId, label, inputs, declares = inputs, customTimeouts, state }: InventoryObject,
    comment?: string,
  ): void => {
    // Every project begins with two keys of one name.
    const called = type === "ApiKey" && label === "default" ? `${String(inputs["type"])} key` : label;
    const name = names.chooseName(type, importId, called);
    const variable = variableOf(name);
    const properties = Object.fromEntries(
      Object.entries(declares).map(([key, value]) => {
        if (key === "projectRef" && value === inventory.projectRef && project !== undefined)
          return [key, new Reference(project, "ref")];
        return [key, replaceSecrets(type, key, value, variable, secrets)];
      }),
    );
    resources.push({
      ...{ type, name, variable, importId, inputs, properties, customTimeouts, state, dependsOn: [] },
      deletedWith: isDeletedWithProject({ type }) ? project : undefined,
      ...(comment === undefined ? {} : { comment }),
    });
  };
  let project: ProgramResource | undefined;
  for (const found of inventory.objects) {
    const hidden = listHiddenInputs(found);
    if (hidden.length === 0) declare(found);
    else
      declare(
        addEmptyTexts(found, hidden),
        formatSecretComment({ name: found.label, compared: "not given" }),
      );
    project ??= resources.find(({ type }) => type === "Project");
  }
  for (const secret of inventory.secrets) {
    if (secret.isInSet !== true)
      declare(toFoundSecret(inventory.projectRef, secret), formatSecretComment(secret));
  }
  for (const each of resources)
    if (each.comment === undefined) each.dependsOn = listDependencies(each, resources);
  const shown = resources.filter(({ comment }) => comment === undefined);
  const used = new Set(shown.flatMap(({ properties }) => listSecretKeys(properties)));
  return {
    name: slugOf(inventory.name) || "project",
    // A language knows no name before it is declared.
    resources: orderByDependency<ProgramResource>(resources, ({ dependsOn }) => dependsOn),
    secrets: new Map([...secrets].filter(([key]) => used.has(key))),
  };
}

/** Secrets that the resource requires and no read shows, as the value of a `VaultSecret`. */
function listHiddenInputs({ type, inputs, declares = inputs }: InventoryObject): string[] {
  return listMarkedFields(resourceByType(type).inputs).flatMap(([name, field]) =>
    !isOptional(field) && holdsSecret(field) && declares[name] === undefined ? [name] : [],
  );
}

/** Stands in the configuration in the program, with no value yet. */
function addEmptyTexts(found: InventoryObject, names: readonly string[]): InventoryObject {
  const { inputs, declares = inputs } = found;
  const texts = Object.fromEntries(names.map((name) => [name, ""]));
  return { ...found, inputs: { ...inputs, ...texts }, declares: { ...declares, ...texts } };
}

function toFoundSecret(projectRef: string, { name, value = "" }: HashedSecret): InventoryObject {
  return {
    type: "Secret",
    importId: `${projectRef}/${name}`,
    label: name,
    inputs: { projectRef, name, value },
  };
}

function formatSecretComment({
  name,
  compared,
}: Pick<HashedSecret, "name" | "compared">): string | undefined {
  if (compared === "equal") return undefined;
  const why =
    compared === "different"
      ? `The given value of ${showName(name)} differs from the service's.`
      : `The service does not show the value of ${showName(name)}.`;
  return `${why} To manage it, set the secret below with \`pulumi config set --secret\` and remove the comment marks. \`up\` then writes it.`;
}

/** Secrets in a value stand in the configuration; what is only part of an input takes the place of that part. */
function replaceSecrets(
  type: string,
  key: string,
  value: unknown,
  variable: string,
  secrets: Map<string, string>,
): unknown {
  const resource = resourceByType(type);
  const field = fieldOf(resource.inputs, key);
  if (field === undefined || !holdsSecret(field)) return value;
  const marked = wrapSecrets(resource, { [key]: value }, (inner) => new Secret(inner))[key];
  const hide = (inner: unknown, path: string): unknown => {
    if (inner instanceof Secret) {
      // The configuration has texts: of what is more, each text.
      if (typeof inner.value === "object" && inner.value !== null)
        return mapBelow(inner.value, (each, at) => hide(new Secret(each), `${path}${at}`));
      const wanted = path.replaceAll(/[^A-Za-z0-9]/g, "");
      let name = wanted;
      for (let count = 2; secrets.has(name); count += 1) name = `${wanted}${count}`;
      secrets.set(name, String(inner.value));
      return new ConfigSecret(name);
    }
    return mapBelow(inner, (each, at) => hide(each, `${path}${at}`));
  };
  return hide(marked, variable === key ? variable : `${variable}${capitalizeWord(key)}`);
}

/** A secret value, on its way into the configuration. */
class Secret {
  constructor(readonly value: unknown) {}
}

function mapBelow(value: unknown, map: (each: unknown, at: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each, index) => map(each, String(index + 1)));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, map(each, capitalizeWord(variableOf(slugOf(key))))]),
  );
}

function listSecretKeys(value: unknown): string[] {
  if (value instanceof ConfigSecret) return [value.key];
  if (value instanceof Reference || typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(listSecretKeys);
}

/** Names of what things are called, each once: a second one has its type in front, a third a number behind. */
class ResourceNames {
  private readonly taken = new Set<string>();
  private readonly known: ReadonlyMap<string, string>;

  constructor(before: readonly NamedBefore[]) {
    this.known = new Map(before.map(({ type, importId, name }) => [`${type} ${importId}`, name]));
    for (const { name } of before) this.taken.add(variableOf(name));
  }

  chooseName(type: string, importId: string, label: string): string {
    const known = this.known.get(`${type} ${importId}`);
    if (known !== undefined) return known;
    const kind = slugOf(type.replace(/Config$/, ""));
    const own = slugOf(toLabel(type, importId, label));
    // An identifier or an address says less than the type.
    const says = /[a-z]{2}/.test(own) && !/^[0-9a-f]{8}-[0-9a-f]{4}-/.test(own) && own.length <= 60;
    const wanted = [...(says ? [own, `${own}-${kind}`] : []), kind];
    for (let count = 1; ; count += 1) {
      for (const each of wanted) {
        const name = count === 1 ? each : `${each}-${count}`;
        if (this.taken.has(variableOf(name))) continue;
        this.taken.add(variableOf(name));
        return name;
      }
    }
  }
}

/** What tells an object from others of its type; empty where the type says it. */
function toLabel(type: string, importId: string, label: string): string {
  if (!importId.includes("/") && type !== "Project") return "";
  // Their labels say what state or size they have now.
  if (type === "SigningKey" || type === "MigrationSet") return "";
  if (type === "BillingAddon") return importId.slice(importId.indexOf("/") + 1);
  if (type === "SsoProvider" || type === "ThirdPartyAuth")
    return label.replace(/( for .*)?, created [^,]*$/, "").replace(/^https?:\/\//, "");
  return label;
}

/** `PAYMENT_TOKEN`, `Payment token` and `PaymentToken` become `payment-token`. */
export function slugOf(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
}

/** Words that TypeScript or the generated program has already. */
export const RESERVED = new Set(
  (
    "abstract any arguments as async await boolean break case catch class config const constructor continue debugger declare " +
    "default delete do else enum eval export exports extends false finally for from function get if implements import in " +
    "instanceof interface let management module new null number of package private protect protected public pulumi require " +
    "return set static string super switch symbol this throw true try type typeof undefined var void while with yield " +
    // Python's.
    "and assert def del elif except global is lambda none nonlocal not or pass print raise"
  ).split(" "),
);

/** `payment-token` becomes `paymentToken`. What a file or a state names otherwise than an identifier is made one. */
export function variableOf(name: string): string {
  const camel = name.replaceAll(/-+([a-z0-9])/g, (_, first: string) => first.toUpperCase());
  if (!/^[\w$]+$/.test(camel)) return variableOf(slugOf(name) || "resource");
  if (/^[0-9]/.test(camel)) return `_${camel}`;
  return RESERVED.has(camel) ? `${camel}_` : camel;
}

function capitalizeWord(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
