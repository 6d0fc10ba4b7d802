import { existsSync } from "node:fs";
import { posix, resolve } from "node:path";
import { isObject } from "../../spec/is-object";
import type { Names } from "../../spec/names/names";
import { resourceByType } from "../../provider/catalog/catalog";
import { ConfigValue } from "./config-value";
import type { SourceDeclarations, SourceObject } from "./declared";
import { readBodyInputs, omitUsualValues, omitSecretInputs, type ConfigurationType } from "./settings-body";
import { listMisfits } from "./misfits";
import { SourceError } from "./source-error";
import {
  readTerraformState,
  type ManagedType,
  type StateInstance,
  type TerraformState,
} from "./terraform-state";

export interface TerraformOptions {
  /** As the user gave it, for messages. */
  readonly file: string;
  /** Only what belongs to this project and its branches. */
  readonly projectRef?: string | undefined;
  /** Also takes over whether a project accepts its legacy keys, which every state has. */
  readonly legacyApiKeys?: boolean;
  readonly names: Names;
  /** The project of a branch by the branch's reference, where a listing has shown it: a state may not know it. */
  readonly branchParents?: ReadonlyMap<string, string>;
  /** Where Terraform runs: paths of functions begin there. */
  readonly folder: string;
}

/** A place of a state where a secret stands in plain text. */
export interface SecretPlace {
  readonly address: string;
  readonly attribute: string;
}

export interface TerraformSource extends SourceDeclarations {
  readonly state: TerraformState;
  /** What Terraform is to give up: the addresses of everything that is declared here. */
  readonly taken: readonly StateInstance[];
  readonly secrets: readonly SecretPlace[];
  readonly projectRefs: readonly string[];
}

/** What one instance comes to. */
interface InstanceDeclarations {
  readonly objects: readonly SourceObject[];
  readonly notes?: readonly string[];
  readonly secrets?: readonly string[];
}

interface TerraformContext extends TerraformOptions {
  readonly state: TerraformState;
}

const READERS: Readonly<
  Record<ManagedType, (instance: StateInstance, given: TerraformContext) => InstanceDeclarations>
> = {
  project: readProject,
  settings: readSettings,
  branch: readBranch,
  apikey: readApiKey,
  edge_function: readFunction,
  edge_function_secrets: readSecrets,
  third_party_auth: readThirdParty,
};

/** What a state of the platform's Terraform provider manages, as a program declares it. */
export function readTerraform(text: string, options: TerraformOptions): TerraformSource {
  const state = readTerraformState(options.file, text, findProviderWord(options.names));
  const given: TerraformContext = { ...options, state };
  const current = state.managed.filter(({ isDeposed }) => !isDeposed);
  const read = current.map((instance) => ({
    instance,
    ...READERS[instance.type as ManagedType](instance, given),
  }));
  const chosen = read.filter(({ objects }) => belongsTo(objects, options.projectRef, state));
  if (options.projectRef !== undefined && chosen.length === 0)
    throw new SourceError(
      `${options.file} manages nothing of the project ${options.projectRef}: it has ${formatListOr(listProjectRefs(state), "no projects")}. Pass one of these, or omit the project to take over all of them.`,
    );
  const { objects, notes: conflicts } = mergeDuplicates(chosen.flatMap((each) => each.objects));
  return {
    objects: distinguishNames(objects),
    state,
    taken: chosen
      .filter((each) => each.objects.length > 0 && each.objects.every(isTaken))
      .map(({ instance }) => instance),
    secrets: listSecretPlaces(state, read),
    projectRefs: listProjectRefs(state),
    notes: [
      ...chosen.flatMap(({ notes = [], objects: own, instance }) => [
        ...notes.map((note) => `${instance.address}: ${note}`),
        ...own
          .flatMap(listMisfits)
          .map(
            (misfit) => `${instance.address}: ${misfit}. Correct it in the service or in Terraform first.`,
          ),
        ...(instance.isTainted
          ? [
              `${instance.address} is tainted: Terraform would replace it at the next apply. It exists and is taken over unchanged.`,
            ]
          : []),
      ]),
      ...conflicts,
      ...listNotes(state, options),
    ],
  };
}

/** The word for `SVC_` in lower case, if an installation has one. */
function findProviderWord({ reservedPrefix }: Names): string | undefined {
  const word = reservedPrefix.replace(/_+$/, "").toLowerCase();
  return reservedPrefix === "SVC_" ? undefined : word;
}

function readProject({ attributes, address }: StateInstance, given: TerraformContext): InstanceDeclarations {
  const ref = requireAttribute(attributes, "id", address, given);
  const password = readTextAttribute(attributes, "database_password");
  const inputs = pickDefined({
    name: readTextAttribute(attributes, "name"),
    organizationSlug: readTextAttribute(attributes, "organization_id"),
    region: readTextAttribute(attributes, "region"),
    instanceSize: readTextAttribute(attributes, "instance_size"),
    dbPass: password === undefined ? undefined : new ConfigValue("dbPass", "string", true, password),
  });
  const legacy = attributes["legacy_api_keys_enabled"];
  const project: SourceObject = {
    type: "Project",
    importId: ref,
    identity: { ref },
    inputs,
    source: address,
    ...readTimeouts(attributes),
  };
  const isAsked = given.legacyApiKeys === true && typeof legacy === "boolean";
  const keys: SourceObject = createProjectObject("LegacyApiKeys", ref, { enabled: legacy }, address);
  return {
    objects: isAsked ? [project, keys] : [project],
    notes: [
      ...(password === undefined
        ? []
        : [
            "the database password is the one that Terraform sent last; the service does not show whether it still is.",
          ]),
      ...(typeof legacy !== "boolean" || isAsked
        ? []
        : ["`legacy_api_keys_enabled` is in every state, whether declared or not, so it is not taken over."]),
    ],
    secrets: password === undefined ? [] : ["database_password"],
  };
}

/** The attributes of `settings` that are JSON with fields of the API. */
const JSON_ATTRIBUTES = {
  auth: "AuthConfig",
  database: "PostgresConfig",
  api: "RestLayerConfig",
  storage: "StorageConfig",
} as const satisfies Record<string, ConfigurationType>;

/** An imported configuration has every field that the service answered; no program has as many. */
const MOST_DECLARED_FIELDS = 100;

function readSettings(instance: StateInstance, given: TerraformContext): InstanceDeclarations {
  const { attributes, address } = instance;
  const ref =
    readTextAttribute(attributes, "id") ?? requireAttribute(attributes, "project_ref", address, given);
  const notes: string[] = [];
  const asked = readTextAttribute(attributes, "project_ref");
  if (asked !== undefined && asked !== ref)
    notes.push(
      `\`project_ref\` is ${asked}, and what the state has was read from ${ref}: that one is taken over.`,
    );
  const bodies = Object.entries(JSON_ATTRIBUTES).flatMap(([attribute, type]) => {
    // The REST layer's secret is never kept there, and is no setting.
    const all = Object.entries(parseAttribute(instance, attribute, given) ?? {});
    const json = Object.fromEntries(all.filter(([key]) => key !== "jwt_secret"));
    return attributes[attribute] == null
      ? []
      : [{ attribute, type, json, ...readBodyInputs(type, json, given.names) }];
  });
  const isImported = bodies.some(
    ({ json, readOnly }) => readOnly.length > 0 || Object.keys(json).length > MOST_DECLARED_FIELDS,
  );
  if (isImported)
    notes.push(
      "Terraform imported this, so the state has every setting. Only those that differ from a new project's are taken over.",
    );
  const secrets: string[] = [];
  const objects = bodies.flatMap(({ attribute, type, json, unknown, inputs }) => {
    for (const key of unknown)
      notes.push(
        `\`${attribute}\` has \`${key}\`, which the API does not have: Terraform keeps it in its state, and has never sent it. Left out.`,
      );
    const managed = isImported ? omitUsualValues(type, inputs) : inputs;
    const restart = json["restart_database"];
    if (type === "PostgresConfig" && typeof restart === "boolean") managed["restartDatabase"] = restart;
    const clear = omitSecretInputs(resourceByType(type).inputs, managed, (path, value) => {
      if (value === "") return undefined;
      secrets.push(`${attribute}: ${path}`);
      const name = toCamelPath(path);
      if (!isHashed(path)) return new ConfigValue(name, "string", true, value);
      notes.push(
        `\`${path}\` is in the state only as the service's hash, not as its value. Declare it in the program, with a secret of the stack's configuration.`,
      );
      return new ConfigValue(name, "string", true, undefined, value);
    });
    return Object.keys(clear).length === 0
      ? []
      : [createProjectObject(type, ref, clear, `${address}, ${attribute}`)];
  });
  objects.push(...readNetworkSettings(instance, ref, given), ...readSslSettings(instance, ref));
  if (attributes["pooler"] != null)
    notes.push("`pooler` was never sent to the service, so it is not taken over.");
  const timeouts = readTimeouts(attributes);
  return { objects: objects.map((each) => ({ ...each, ...timeouts })), notes, secrets };
}

/** The secrets of which the provider's own refresh puts the service's hash into the state. */
function isHashed(path: string): boolean {
  return [
    "hooks.beforeUserCreated.secrets",
    "hooks.afterUserCreated.secrets",
    "partnerOauth.clientSecret",
  ].includes(path);
}

function readNetworkSettings(instance: StateInstance, ref: string, given: TerraformContext): SourceObject[] {
  const json = parseAttribute(instance, "network", given);
  if (json === undefined) return [];
  const entries = Array.isArray(json["restrictions"]) ? json["restrictions"].map(String) : [];
  const isV6 = (cidr: string): boolean => cidr.includes(":");
  const lists = {
    allowedCidrs: entries.filter((cidr) => !isV6(cidr)),
    allowedCidrsV6: entries.filter(isV6),
  };
  const inputs = entries.length === 0 ? { ...lists, denyAll: true } : lists;
  return [createProjectObject("NetworkRestrictions", ref, inputs, `${instance.address}, network`)];
}

function readSslSettings({ attributes, address }: StateInstance, ref: string): SourceObject[] {
  const { ssl_enforcement: database } = attributes;
  return typeof database === "boolean"
    ? [createProjectObject("SslEnforcement", ref, { database }, `${address}, ssl_enforcement`)]
    : [];
}

function readBranch({ attributes, address }: StateInstance, given: TerraformContext): InstanceDeclarations {
  const database = isObject(attributes["database"]) ? attributes["database"] : {};
  const ref = readTextAttribute(database, "id");
  const notes: string[] = [];
  const parent =
    readTextAttribute(attributes, "parent_project_ref") ??
    given.branchParents?.get(ref ?? "") ??
    findParent(given.state, readTextAttribute(attributes, "id"));
  const gitBranch = readTextAttribute(attributes, "git_branch");
  const { persistent } = attributes;
  const secrets = ["password", "jwt_secret"].filter((key) => readTextAttribute(database, key) !== undefined);
  if (ref === undefined)
    notes.push(
      "the state has no reference of the branch, so it cannot be imported: run `terraform refresh`, and pull the state again.",
    );
  if (parent === undefined)
    notes.push(
      `Terraform imported this branch without its project, which is the one whose branches include ${ref ?? "it"} (\`getBranches\`).`,
    );
  if (readTextAttribute(attributes, "region") !== undefined)
    notes.push(
      "`region` is left out: the service does not show it, and declaring it would replace the branch.",
    );
  const branch: SourceObject = {
    type: "Branch",
    ...(parent === undefined || ref === undefined ? {} : { importId: `${parent}/${ref}` }),
    identity: pickDefined({ projectRef: parent, ref, branchId: readTextAttribute(attributes, "id") }),
    inputs: pickDefined({
      projectRef: parent,
      name: gitBranch,
      gitBranch,
      persistent: typeof persistent === "boolean" ? persistent : undefined,
    }),
    source: address,
  };
  return { objects: [branch], notes, secrets: secrets.map((key) => `database.${key}`) };
}

/** Of an imported branch only a data source may know the project. */
function findParent({ data }: TerraformState, id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  const listing = data.find(
    ({ type, attributes }) =>
      type === "branch" &&
      Array.isArray(attributes["branches"]) &&
      attributes["branches"].some((each) => isObject(each) && each["id"] === id),
  );
  return listing === undefined ? undefined : readTextAttribute(listing.attributes, "parent_project_ref");
}

function readApiKey({ attributes, address }: StateInstance, given: TerraformContext): InstanceDeclarations {
  const projectRef = requireAttribute(attributes, "project_ref", address, given);
  const id = requireAttribute(attributes, "id", address, given);
  const template = attributes["secret_jwt_template"];
  const role = isObject(template) ? readTextAttribute(template, "role") : undefined;
  const inputs = pickDefined({
    projectRef,
    type: readTextAttribute(attributes, "type"),
    name: readTextAttribute(attributes, "name"),
    description: readTextAttribute(attributes, "description"),
    secretJwtTemplate: role === undefined ? undefined : { role },
  });
  return {
    objects: [
      {
        type: "ApiKey",
        importId: `${projectRef}/${id}`,
        identity: { projectRef, id },
        inputs,
        source: address,
      },
    ],
    secrets: readTextAttribute(attributes, "api_key") === undefined ? [] : ["api_key"],
  };
}

function readFunction({ attributes, address }: StateInstance, given: TerraformContext): InstanceDeclarations {
  const projectRef = requireAttribute(attributes, "project_ref", address, given);
  const slug = requireAttribute(attributes, "slug", address, given);
  const name = readTextAttribute(attributes, "name");
  const entrypoint = readTextAttribute(attributes, "entrypoint");
  const isThere = entrypoint !== undefined && existsSync(resolve(given.folder, entrypoint));
  const sourceDir = entrypoint === undefined ? undefined : posix.dirname(posix.normalize(entrypoint));
  const within = (path: string): string => posix.relative(sourceDir ?? ".", posix.normalize(path));
  const importMap = readTextAttribute(attributes, "import_map");
  const importMapPath = importMap === undefined ? undefined : within(importMap);
  const file = entrypoint === undefined ? undefined : posix.basename(entrypoint);
  const staticFiles = attributes["static_files"];
  const source = pickDefined({
    sourceDir,
    entrypointPath: file === "index.ts" ? undefined : file,
    importMapPath: isUsualImportMap(importMapPath) ? undefined : importMapPath,
    staticPatterns:
      Array.isArray(staticFiles) && staticFiles.length > 0
        ? staticFiles.map((glob) => within(String(glob)))
        : undefined,
  });
  return {
    objects: [
      {
        type: "EdgeFunction",
        importId: `${projectRef}/${slug}`,
        identity: { projectRef, slug },
        inputs: {
          ...pickDefined({ projectRef, slug, name: name === slug ? undefined : name }),
          ...(isThere ? source : {}),
        },
        source: address,
      },
    ],
    notes: isThere
      ? [
          `its source is ${sourceDir ?? ""}, relative to ${given.folder}. Terraform uploaded the entrypoint, the import map and the static files only; with \`sourceDir\`, what the entrypoint imports is uploaded too.`,
        ]
      : [
          entrypoint === undefined
            ? "the state names no source: it is read back from the service."
            : `its entrypoint ${entrypoint} is not in ${given.folder}: its source is read back from the service. To use yours, run the command in the folder where Terraform runs.`,
        ],
  };
}

/** What this provider finds without being told. */
function isUsualImportMap(path: string | undefined): boolean {
  return path !== undefined && ["deno.json", "deno.jsonc", "import_map.json"].includes(path);
}

function readSecrets({ attributes, address }: StateInstance, given: TerraformContext): InstanceDeclarations {
  const projectRef = requireAttribute(attributes, "project_ref", address, given);
  const listed = Array.isArray(attributes["secrets"]) ? attributes["secrets"].filter(isObject) : [];
  const digests = isObject(attributes["secret_digests"]) ? attributes["secret_digests"] : {};
  const isReserved = (name: string): boolean => name.startsWith(given.names.reservedPrefix);
  const named = listed.flatMap((each) => {
    const name = readTextAttribute(each, "name");
    return name === undefined ? [] : [{ name, value: readTextAttribute(each, "value") }];
  });
  const reserved = named.filter(({ name }) => isReserved(name)).map(({ name }) => name);
  const own = named.filter(({ name }) => !isReserved(name));
  const missing = own.filter(({ value }) => value === undefined).map(({ name }) => name);
  const secrets = Object.fromEntries(
    own.map(({ name, value }) => [
      name,
      new ConfigValue(name, "string", true, value, readTextAttribute(digests, name)),
    ]),
  );
  const set: SourceObject = {
    type: "SecretSet",
    identity: { projectRef },
    inputs: { projectRef, secrets, adopt: true },
    source: address,
  };
  return {
    objects: own.length === 0 ? [] : [set],
    notes: [
      ...(missing.length === 0
        ? []
        : [
            `the state has no value of ${missing.join(", ")}. Declare ${missing.length === 1 ? "it" : "them"} in the program, with a secret of the stack's configuration. The service shows the SHA-256 of the present value.`,
          ]),
      ...(reserved.length === 0
        ? []
        : [`${reserved.join(", ")}: left out, because the service reserves such names.`]),
    ],
    secrets: own.flatMap(({ name, value }) => (value === undefined ? [] : [`secrets: ${name}`])),
  };
}

function readThirdParty(instance: StateInstance, given: TerraformContext): InstanceDeclarations {
  const { attributes, address } = instance;
  const projectRef = requireAttribute(attributes, "project_ref", address, given);
  const id = requireAttribute(attributes, "id", address, given);
  const inputs = pickDefined({
    projectRef,
    oidcIssuerUrl: readTextAttribute(attributes, "oidc_issuer_url"),
    jwksUrl: readTextAttribute(attributes, "jwks_url"),
    customJwks: parseAttribute(instance, "custom_jwks", given),
  });
  const integration: SourceObject = {
    type: "ThirdPartyAuth",
    importId: `${projectRef}/${id}`,
    identity: { projectRef, id },
    inputs,
    source: address,
    ...readTimeouts(attributes),
  };
  return { objects: [integration] };
}

function createProjectObject(
  type: string,
  projectRef: string,
  inputs: Readonly<Record<string, unknown>>,
  source: string,
): SourceObject {
  return { type, importId: projectRef, identity: { projectRef }, inputs: { projectRef, ...inputs }, source };
}

/** Two blocks may be for one thing there, and one resource is here: the first one's values stand. */
function mergeDuplicates(objects: readonly SourceObject[]): SourceDeclarations {
  const byIdentity = new Map<string, SourceObject>();
  const notes: string[] = [];
  for (const each of objects) {
    const key = JSON.stringify([each.type, each.identity]);
    const first = byIdentity.get(key);
    if (first === undefined) {
      byIdentity.set(key, each);
      continue;
    }
    const conflicts: string[] = [];
    byIdentity.set(key, { ...first, inputs: mergeInputs(first.inputs, each.inputs, conflicts) });
    const says =
      conflicts.length === 0
        ? "they agree"
        : `they differ in ${conflicts.join(", ")}, where the first one counts`;
    notes.push(
      `${first.source} and ${each.source} manage the same ${each.type}, which is one resource here: ${says}.`,
    );
  }
  return { objects: [...byIdentity.values()], notes };
}

function mergeInputs(
  first: Readonly<Record<string, unknown>>,
  second: Readonly<Record<string, unknown>>,
  conflicts: string[],
  path = "",
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const there = first[key];
    const at = `${path}${key}`;
    if (there === undefined) merged[key] = value;
    else if (isPlain(there) && isPlain(value)) merged[key] = mergeInputs(there, value, conflicts, `${at}.`);
    else if (!isSameValue(there, value)) conflicts.push(`\`${at}\``);
  }
  return merged;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !(value instanceof ConfigValue);
}

function isSameValue(one: unknown, other: unknown): boolean {
  const [left, right] = [one, other].map((each) =>
    each instanceof ConfigValue ? [each.name, each.value, each.hash] : each,
  );
  return JSON.stringify(left) === JSON.stringify(right);
}

/** A branch's objects belong to its project too. */
function belongsTo(
  objects: readonly SourceObject[],
  ref: string | undefined,
  state: TerraformState,
): boolean {
  if (ref === undefined) return true;
  const branches = state.managed
    .filter(({ type, attributes }) => type === "branch" && attributes["parent_project_ref"] === ref)
    .flatMap(({ attributes }) =>
      isObject(attributes["database"]) ? (readTextAttribute(attributes["database"], "id") ?? []) : [],
    );
  return objects.some(({ identity: { projectRef, ref: own } }) =>
    [ref, ...branches].some((each) => each === (projectRef ?? own)),
  );
}

function listProjectRefs({ managed }: TerraformState): string[] {
  const refs = managed.flatMap(({ type, attributes }) => {
    if (type === "project") return readTextAttribute(attributes, "id") ?? [];
    return readTextAttribute(attributes, type === "branch" ? "parent_project_ref" : "project_ref") ?? [];
  });
  const branches = managed.flatMap(({ type, attributes }) =>
    type === "branch" && isObject(attributes["database"])
      ? (readTextAttribute(attributes["database"], "id") ?? [])
      : [],
  );
  return [...new Set(refs)].filter((ref) => !branches.includes(ref));
}

/** Two objects never share a configuration value: where both have a `dbPass`, the later one's is named after its block. */
function distinguishNames(objects: readonly SourceObject[]): SourceObject[] {
  const used = new Set<string>();
  return objects.map((object) => {
    const own = new Set<string>();
    const block = /\.([^.[]+)(?:\[.*)?(?:, \w+)?$/.exec(object.source)?.[1] ?? object.type;
    const inputs = renameInputs(object.inputs, (name) => {
      let free = used.has(name) ? toCamelPath(`${name}.${block}`) : name;
      for (let count = 2; used.has(free); count += 1) free = `${toCamelPath(`${name}.${block}`)}${count}`;
      own.add(free);
      return free;
    });
    for (const name of own) used.add(name);
    return { ...object, inputs };
  });
}

function renameInputs(
  inputs: Readonly<Record<string, unknown>>,
  rename: (name: string) => string,
): Record<string, unknown> {
  const entries = Object.entries(inputs).map(([key, value]) => {
    if (!(value instanceof ConfigValue)) return [key, isObject(value) ? renameInputs(value, rename) : value];
    const { kind, isSecret, hash } = value;
    return [key, new ConfigValue(rename(value.name), kind, isSecret, value.value, hash)];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** What cannot be imported stays in Terraform, but for a set of secrets, which adopts. */
function isTaken({ importId, inputs }: SourceObject): boolean {
  return importId !== undefined || inputs["adopt"] === true;
}

/** What a program has in place of a data source. */
const DATA_SOURCES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    apikeys: "`getApiKeys`, or `withKeys` of the Project",
    branch: "`getBranches`",
    pooler: "`getPoolerConfig`",
    network_bans: "`getNetworkBans`",
  }),
);

function listNotes(state: TerraformState, { names }: TerraformOptions): string[] {
  const { data, managed, others, unknownTypes, outputs } = state;
  const deposed = managed.filter(({ isDeposed }) => isDeposed).map(({ address }) => address);
  const refs = listProjectRefs(state);
  const organizations = [
    ...new Set(managed.flatMap(({ attributes }) => readTextAttribute(attributes, "organization_id") ?? [])),
  ];
  const aliases = [...new Set(managed.map(({ alias }) => alias ?? "the default one"))];
  const variable = `${names.reservedPrefix}ACCESS_TOKEN`;
  return [
    ...data.map(
      ({ address, type }) =>
        `${address} only reads. In a program, use ${DATA_SOURCES.get(type) ?? "a function"} instead.`,
    ),
    ...deposed.map(
      (address) =>
        `${address} also has an old object that a replacement has left over (deposed). It is not taken over: let Terraform delete it by \`terraform apply\` first, or delete it by hand.`,
    ),
    ...unknownTypes.map((address) => `${address} is of an unknown type and stays in Terraform.`),
    ...[...others].map(
      ([provider, count]) => `${count} of ${provider} ${count === 1 ? "stays" : "stay"} in Terraform.`,
    ),
    ...(refs.length > 1
      ? [
          `The state has ${refs.length} projects: ${refs.join(", ")}. Choose one with \`--project\` to get a program for that project only.`,
        ]
      : []),
    ...(organizations.length > 1
      ? [
          `The projects belong to the organizations ${organizations.join(", ")}: the token needs access to all of them.`,
        ]
      : []),
    ...(aliases.length > 1
      ? [
          `Terraform uses several configurations of its provider (${aliases.join(", ")}), perhaps with other tokens: the program has one provider for each token.`,
        ]
      : []),
    ...(outputs.plain.length + outputs.sensitive.length > 0
      ? [
          `The outputs ${[...outputs.plain, ...outputs.sensitive].join(", ")} are not taken over. If others read them, export them in the program.`,
        ]
      : []),
    `The state does not contain the configuration of Terraform's provider: what is \`endpoint\` and \`access_token\` (or ${variable}) there is \`management:baseUrl\` and \`management:accessToken\` here.`,
  ];
}

function listSecretPlaces(
  { data, outputs }: TerraformState,
  read: readonly { readonly instance: StateInstance; readonly secrets?: readonly string[] }[],
): SecretPlace[] {
  const keys = ["anon_key", "service_role_key", "publishable_key", "secret_keys"];
  return [
    ...read.flatMap(({ instance, secrets = [] }) =>
      secrets.map((attribute) => ({ address: instance.address, attribute })),
    ),
    ...data.flatMap(({ address, attributes }) =>
      keys.filter((key) => attributes[key] != null).map((attribute) => ({ address, attribute })),
    ),
    ...outputs.sensitive.map((name) => ({ address: `output.${name}`, attribute: "value" })),
  ];
}

function readTimeouts(attributes: Readonly<Record<string, unknown>>): {
  customTimeouts?: Record<string, string>;
} {
  const { timeouts } = attributes;
  const set = isObject(timeouts)
    ? Object.entries(timeouts).filter((entry): entry is [string, string] => typeof entry[1] === "string")
    : [];
  return set.length === 0 ? {} : { customTimeouts: Object.fromEntries(set) };
}

function parseAttribute(
  { attributes, address }: StateInstance,
  attribute: string,
  { file }: TerraformContext,
): Record<string, unknown> | undefined {
  const text = attributes[attribute];
  if (text == null) return undefined;
  const says = `${file}: \`${attribute}\` of ${address}`;
  if (typeof text !== "string")
    throw new SourceError(`${says} is not a JSON text. Pull the state again with \`terraform state pull\`.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SourceError(
      `${says} is not JSON: the state was cut or edited. Run \`terraform refresh\`, and pull it again.`,
    );
  }
  if (!isObject(value))
    throw new SourceError(
      `${says} is not a JSON object. Correct it in Terraform's configuration, apply, and pull the state again.`,
    );
  return value;
}

function requireAttribute(
  attributes: Readonly<Record<string, unknown>>,
  name: string,
  address: string,
  { file }: TerraformContext,
): string {
  const value = readTextAttribute(attributes, name);
  if (value !== undefined) return value;
  throw new SourceError(
    `${file}: ${address} has no \`${name}\`, by which it would be imported. Run \`terraform refresh\`, and pull the state again; if the object is gone, run \`terraform state rm '${address}'\` first.`,
  );
}

function readTextAttribute(values: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function pickDefined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** `smtpPassword` for `smtp.password`. */
function toCamelPath(path: string): string {
  return path.replace(/\.([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
}

function formatListOr(values: readonly string[], none: string): string {
  return values.length === 0 ? none : values.join(", ");
}
