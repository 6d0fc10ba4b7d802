import { z } from "zod";
import { isObject } from "../../spec/is-object";
import { parseLocatedJson, MalformedJsonError } from "../../spec/names/located-json";
import { SourceError } from "./source-error";

/** An object that Terraform's state has, or what a data source read. */
export interface StateInstance {
  /** As `terraform state list` prints it: `module.a["b"].svc_project.main[0]`. */
  readonly address: string;
  /** The address of its block, without the instance's key. */
  readonly block: string;
  /** The module instance, `` for the root. */
  readonly module: string;
  /** Without the provider's name: `project`. */
  readonly type: string;
  readonly alias: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The next apply would replace it. */
  readonly isTainted: boolean;
  /** An old object that a replacement has left over. */
  readonly isDeposed: boolean;
  /** Addresses of blocks that it refers to. */
  readonly dependencies: readonly string[];
}

/** What of a state belongs to the platform's provider. */
export interface TerraformState {
  /** The engine that wrote it, as `1.11.4`. */
  readonly engineVersion: string | undefined;
  readonly managed: readonly StateInstance[];
  readonly data: readonly StateInstance[];
  /** Names of outputs, those marked as sensitive apart. */
  readonly outputs: { readonly plain: readonly string[]; readonly sensitive: readonly string[] };
  /** Objects of other providers stay in Terraform: their number by provider. */
  readonly others: ReadonlyMap<string, number>;
  /** The addresses of resources that have none of our types. */
  readonly unknownTypes: readonly string[];
}

/** The resource types of the platform's Terraform provider, each with an attribute that tells it from another provider's. */
const MANAGED = {
  project: "organization_id",
  settings: "project_ref",
  branch: "database",
  apikey: "project_ref",
  edge_function: "project_ref",
  edge_function_secrets: "project_ref",
  third_party_auth: "project_ref",
} as const;

export type ManagedType = keyof typeof MANAGED;

const instance = z.object({
  index_key: z.union([z.string(), z.number()]).nullish(),
  attributes: z.record(z.string(), z.unknown()).nullish(),
  status: z.string().nullish(),
  deposed: z.string().nullish(),
  dependencies: z.array(z.string()).nullish(),
});

/** Names as Terraform takes them: its commands and blocks repeat them. */
const IDENTIFIER = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;
const MODULE =
  /^module\.[\p{ID_Start}_][\p{ID_Continue}-]*(?:\[(?:\d+|"(?:[^"\\\p{Cc}]|\\.)*")\])?(?:\.module\.[\p{ID_Start}_][\p{ID_Continue}-]*(?:\[(?:\d+|"(?:[^"\\\p{Cc}]|\\.)*")\])?)*$/u;

const resource = z.object({
  module: z.string().regex(MODULE).or(z.literal("")).nullish(),
  mode: z.string(),
  type: z.string().regex(IDENTIFIER),
  name: z.string().regex(IDENTIFIER),
  provider: z.string(),
  instances: z.array(instance),
});

type Resource = z.output<typeof resource>;

const state = z.object({
  version: z.literal(4),
  terraform_version: z.string().nullish(),
  outputs: z.record(z.string(), z.object({ sensitive: z.boolean().nullish() })).nullish(),
  resources: z.array(resource),
});

/** The provider that a block names: `module.m.provider["host/publisher/name"].alias`. */
const PROVIDER = /^(?:.+\.)?provider\["([^"]+)"\](?:\.(.+))?$/;

/**
 * Reads what `terraform state pull` prints. `word` is the provider's name where the installation is known by a names file; without
 * one, the provider is known by its types and their attributes.
 */
export function readTerraformState(file: string, text: string, word: string | undefined): TerraformState {
  const { outputs, resources, terraform_version: engineVersion } = parseState(file, text);
  const named = resources.map((each) => ({ ...each, source: parseProvider(file, each) }));
  const own = findOwnProvider(file, named, word);
  const isOwn = ({ source }: (typeof named)[number]): boolean => source.key === own;
  const name = own.slice(own.lastIndexOf("/") + 1);
  const others = new Map<string, number>();
  for (const { source, instances } of named.filter((each) => !isOwn(each) && each.mode === "managed")) {
    others.set(source.key, (others.get(source.key) ?? 0) + instances.length);
  }
  const found = named.filter(isOwn).flatMap((each) => listInstances(each, name));
  const isOfKnownType = ({ type }: StateInstance): boolean => Object.hasOwn(MANAGED, type);
  const sensitive = Object.entries(outputs ?? {}).filter(([, output]) => output.sensitive === true);
  return {
    engineVersion: engineVersion ?? undefined,
    managed: found.filter((each) => each.mode === "managed" && isOfKnownType(each)),
    data: found.filter(({ mode }) => mode === "data"),
    outputs: {
      plain: Object.keys(outputs ?? {}).filter((each) => !sensitive.some(([name]) => name === each)),
      sensitive: sensitive.map(([each]) => each),
    },
    others,
    unknownTypes: found
      .filter((each) => each.mode === "managed" && !isOfKnownType(each))
      .map(({ address }) => address),
  };
}

const PULL = "Pass a file with the output of `terraform state pull`";

function parseState(file: string, text: string): z.output<typeof state> {
  if (text.trim() === "")
    throw new SourceError(
      `${file} is empty. ${PULL}. A workspace without a state prints nothing: choose one with \`terraform workspace select\`.`,
    );
  const { value, lineOf } = parseJsonState(file, text);
  if (!isObject(value))
    throw new SourceError(
      `${file} is no state: it has ${describeKindOf(value)} where an object is expected. ${PULL}.`,
    );
  if ("encrypted_data" in value)
    throw new SourceError(
      `${file} is encrypted and cannot be read. Run \`tofu state pull > state.json\` with the same encryption settings, which prints it decrypted. Delete that file afterwards.`,
    );
  if ("values" in value || "planned_values" in value)
    throw new SourceError(
      `${file} has the format of \`terraform show -json\`, which differs from that of a state. ${PULL}.`,
    );
  if (value["version"] !== 4) throw new SourceError(explainWrongVersion(file, value["version"]));
  const read = state.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = issue?.path ?? [];
  throw new SourceError(
    `${file}, line ${lineOf(path)}: ${path.map(String).join(".")} is not as in a state (${issue?.message ?? "malformed"}). The file was cut or edited: pull the state again with \`terraform state pull\`.`,
  );
}

function explainWrongVersion(file: string, version: unknown): string {
  if (typeof version === "number" && version < 4)
    return `${file} is a state of version ${version}, which an engine before 0.12 wrote. Run \`terraform apply -refresh-only\` with a current Terraform, which rewrites it as version 4, then pull it again.`;
  if (typeof version === "number")
    return `${file} is a state of version ${version}, but this package only reads version 4. Use a newer version of this package.`;
  return `${file} is no Terraform state: it has no \`version\`. ${PULL}.`;
}

function parseJsonState(file: string, text: string): ReturnType<typeof parseLocatedJson> {
  try {
    return parseLocatedJson(text);
  } catch (error) {
    if (!(error instanceof MalformedJsonError)) throw error;
    // The parser's message may quote the text, which holds secrets.
    throw new SourceError(`${file}, line ${error.line}: this is not JSON. ${PULL}.`);
  }
}

function describeKindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return value === null ? "null" : `a ${typeof value}`;
}

interface ProviderSource {
  /** `publisher/name`: the host may be that of a mirror. */
  readonly key: string;
  readonly alias: string | undefined;
}

function parseProvider(file: string, { provider, type, name }: Resource): ProviderSource {
  const found = PROVIDER.exec(provider);
  const parts = found?.[1]?.split("/") ?? [];
  if (found === null || parts.length < 2)
    throw new SourceError(
      `${file}: the provider of ${type}.${name} has no address as \`provider["host/publisher/name"]\`. Pull the state with Terraform 0.13 or later, after \`terraform state replace-provider\` if that asks for it.`,
    );
  return { key: parts.slice(-2).join("/"), alias: found[2] };
}

type ProvidedResource = Resource & { readonly source: ProviderSource };

/** The one whose resources are ours. */
function findOwnProvider(
  file: string,
  resources: readonly ProvidedResource[],
  word: string | undefined,
): string {
  const keys = [...new Set(resources.map(({ source }) => source.key))];
  const ofName = keys.filter((key) => parseProviderName(key) === word);
  const own = ofName.length > 0 ? ofName : keys.filter((key) => word === undefined && isOurs(key, resources));
  const [first, second] = own;
  if (first === undefined) {
    const listed = keys.length === 0 ? "it has no resources" : `its resources belong to ${keys.join(", ")}`;
    const names =
      word === undefined
        ? "If one of these is the platform's, this package knows none of its types"
        : `The names file calls the platform's provider \`${word}\`; if it has another name there, correct \`reservedPrefixes\` of the file`;
    throw new SourceError(
      `${file} has nothing of the platform's Terraform provider: ${listed}. ${names}. Choose the workspace that manages your projects, and pull its state.`,
    );
  }
  if (second !== undefined)
    throw new SourceError(
      `${file} has resources of ${own.join(" and of ")}, and both look like the platform's provider. Name the platform's by a names file (docs/names.md), or run \`terraform state replace-provider\` first.`,
    );
  return first;
}

function isOurs(key: string, resources: readonly ProvidedResource[]): boolean {
  return resources
    .filter(({ source }) => source.key === key)
    .some(({ type, instances }) => {
      const own = omitPrefix(type, parseProviderName(key));
      const mark = own !== undefined && Object.hasOwn(MANAGED, own) ? MANAGED[own as ManagedType] : undefined;
      return (
        mark !== undefined && instances.some(({ attributes }) => isObject(attributes) && mark in attributes)
      );
    });
}

function parseProviderName(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}

function omitPrefix(type: string, name: string): string | undefined {
  return type.startsWith(`${name}_`) ? type.slice(name.length + 1) : undefined;
}

function listInstances(each: ProvidedResource, provider: string): (StateInstance & { mode: string })[] {
  const module = each.module ?? "";
  const data = each.mode === "data" ? "data." : "";
  const block = [module, `${data}${each.type}.${each.name}`].filter((part) => part !== "").join(".");
  return each.instances.map(({ index_key: key, attributes, status, deposed, dependencies }) => ({
    mode: each.mode,
    address: block + formatKeyIndex(key),
    block,
    module,
    type: omitPrefix(each.type, provider) ?? each.type,
    alias: each.source.alias,
    attributes: attributes ?? {},
    isTainted: status === "tainted",
    isDeposed: deposed != null && deposed !== "",
    dependencies: dependencies ?? [],
  }));
}

function formatKeyIndex(key: string | number | null | undefined): string {
  if (key == null) return "";
  return typeof key === "number" ? `[${key}]` : `[${quoteKey(key)}]`;
}

/** As Terraform writes a key in an address. */
function quoteKey(key: string): string {
  const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  const escaped = key
    .replace(/["\\]/g, (sign) => `\\${sign}`)
    .replace(/[\n\r\t]/g, (sign) => escapes[sign] ?? sign)
    .replace(/([$%])\{/g, "$1$1{");
  return `"${escaped}"`;
}
