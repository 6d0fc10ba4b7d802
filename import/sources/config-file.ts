import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { resourceByType } from "../../provider/catalog";
import { isObject } from "../../spec/is-object";
import { literalNames, type Names } from "../../spec/names/names";
import { configKeys, type FieldKey, type Generation } from "./config-keys";
import { readConfigText, type ConfigTarget, type ConfigText } from "./config-text";
import { ConfigReader, joined } from "./config-values";
import { ConfigValue, JoinedText } from "./config-value";
import type { SourceDeclarations, SourceObject, SourceStack } from "./declared";
import { privateKeysIn } from "./encrypted-value";
import { misfitsOf } from "./misfits";
import { inputsOfBody, withoutSecrets, type ConfigurationType } from "./settings-body";
import { SourceError } from "./source-error";

export interface ConfigFileOptions {
  readonly names: Names;
  /** The project that the file without `[remotes]` is for; by default the one that the tool is linked to. */
  readonly projectRef?: string | undefined;
  /** Which generation of the tool wrote the file, where the user says. */
  readonly generation?: Generation | undefined;
  /** Where the program is to be: paths of folders are relative to it. */
  readonly programFolder: string;
  /** Values of `env(NAME)` that are at hand, and `DOTENV_PRIVATE_KEY`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Also declares the third party of the local stack, which the tool never pushes. */
  readonly thirdParty?: boolean;
  /** Until when the fixed codes of `test_otp` count. */
  readonly testOtpValidUntil: string;
}

export interface ConfigSource extends SourceDeclarations {
  readonly generation: Generation | undefined;
  /** The project of `objects`; undefined where the file has blocks of `[remotes]` only. */
  readonly projectRef: string | undefined;
  readonly stacks: readonly SourceStack[];
}

/** What one target has, and how it is read. */
interface ConfigReadContext {
  readonly reader: ConfigReader;
  readonly ref: string;
  readonly options: ConfigFileOptions;
  readonly text: ConfigText;
}

/** What a configuration file of the platform's tool declares. Only what the file says is declared, never a default of the tool. */
export function readConfigFile(path: string, options: ConfigFileOptions): ConfigSource {
  const text = readConfigText(path, options);
  const projectRef = options.projectRef ?? text.base.projectRef;
  const ofRef = text.remotes.find((each) => each.projectRef === projectRef);
  if (projectRef === undefined && text.remotes.length === 0)
    throw new SourceError(
      `${path} does not say which project it is for: \`project_id\` is a local name there, and the tool is linked to none. Give the reference by \`--project\`.`,
    );
  const base = projectRef === undefined || ofRef !== undefined ? undefined : text.base;
  const read =
    base === undefined || projectRef === undefined ? undefined : declared(base, projectRef, text, options);
  const remotes = text.remotes.map((target) => ({
    name: target.name ?? "",
    projectRef: target.projectRef ?? "",
    ...declared(target, target.projectRef ?? "", text, options),
  }));
  return {
    generation: text.generation,
    projectRef: base === undefined ? undefined : projectRef,
    objects: read?.objects ?? [],
    stacks: remotes,
    notes: [
      ...text.notes,
      ...(read?.notes ?? []),
      ...(base === undefined && ofRef === undefined
        ? [
            "What the file says outside of `[remotes]` is for local development: each block is a stack, and no other project is declared.",
          ]
        : []),
    ],
  };
}

function declared(
  target: ConfigTarget,
  ref: string,
  text: ConfigText,
  options: ConfigFileOptions,
): { objects: readonly SourceObject[]; notes: readonly string[] } {
  const environment = options.environment ?? {};
  const place = (path: readonly string[]): string => {
    const own = target.name === undefined ? [] : ["remotes", target.name, ...path];
    const found = target.name === undefined ? text.path : text.place(own);
    // What the block does not say itself stands in the rest of the file.
    return found === text.path || found === text.place(own.slice(0, 2)) ? text.place(path) : found;
  };
  const reader = new ConfigReader({
    tables: target.tables,
    environment,
    privateKeys: privateKeysIn(environment),
    place,
  });
  const reading: ConfigReadContext = { reader, ref, options, text };
  const objects = [
    ...restLayer(reading),
    ...postgres(reading),
    ...network(reading),
    ...ssl(reading),
    ...storage(reading),
    ...auth(reading),
    ...webhooks(reading),
    ...functions(reading),
    ...functionSecrets(reading),
    ...vaultSecrets(reading),
    ...migrations(reading),
    ...thirdParty(reading),
  ];
  reportTheRest(reading);
  const misfits = objects.flatMap((each) => misfitsOf(each).map((misfit) => `${each.source}: ${misfit}.`));
  return { objects, notes: [...reader.notes, ...misfits] };
}

function configuration(
  { reader, ref }: ConfigReadContext,
  type: ConfigurationType,
  section: string,
  body: Readonly<Record<string, unknown>>,
): SourceObject[] {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length === 0) return [];
  const { inputs } = inputsOfBody(type, given, literalNames);
  const clear = withoutSecrets(resourceByType(type).inputs, withFiles(inputs), (path, value) =>
    value === "" ? undefined : new ConfigValue(camelCase(path), "string", true, value),
  );
  return [ofProject(type, ref, clear, `${reader.place(section)} [${section}]`)];
}

function ofProject(
  type: string,
  projectRef: string,
  inputs: Readonly<Record<string, unknown>>,
  source: string,
): SourceObject {
  return { type, importId: projectRef, identity: { projectRef }, inputs: { projectRef, ...inputs }, source };
}

function restLayer(reading: ConfigReadContext): SourceObject[] {
  const { reader } = reading;
  if (reader.flag("api.enabled") === false)
    return configuration(reading, "RestLayerConfig", "api", { db_schema: "" });
  const rows = reader.number("api.max_rows");
  return configuration(reading, "RestLayerConfig", "api", {
    db_schema: joined(reader.list("api.schemas")),
    db_extra_search_path: joined(reader.list("api.extra_search_path")),
    // The tool never sends 0.
    max_rows: rows === 0 ? undefined : rows,
  });
}

/** Settings that are numbers, or on and off; all others are texts. */
const POSTGRES_KINDS: Readonly<Record<string, FieldKey["kind"]>> = { track_commit_timestamp: "boolean" };

function postgres(reading: ConfigReadContext): SourceObject[] {
  const { reader } = reading;
  const body = configKeys.postgres.map((key) => {
    const path = `db.settings.${key}`;
    const value = reader.raw(path);
    if (typeof value === "number") return [key, reader.number(path)] as const;
    return [key, POSTGRES_KINDS[key] === "boolean" ? reader.flag(path) : reader.text(path)] as const;
  });
  return configuration(reading, "PostgresConfig", "db.settings", Object.fromEntries<unknown>(body));
}

function network({ reader, ref }: ConfigReadContext): SourceObject[] {
  const section = "db.network_restrictions";
  const enabled = reader.flag(`${section}.enabled`);
  const allowedCidrs = reader.list(`${section}.allowed_cidrs`);
  const allowedCidrsV6 = reader.list(`${section}.allowed_cidrs_v6`);
  if (enabled !== true) {
    if (enabled instanceof ConfigValue)
      reader.note(
        section,
        `whether the lists count is said by the variable ${enabled.name}: declare NetworkRestrictions in the program where they do.`,
      );
    return [];
  }
  const lists = Object.entries({ allowedCidrs, allowedCidrsV6 }).filter(([, list]) => list !== undefined);
  if (lists.length === 0) return [];
  const isNobody = lists.length === 2 && lists.every(([, list]) => Array.isArray(list) && list.length === 0);
  const inputs = { ...Object.fromEntries(lists), ...(isNobody ? { denyAll: true } : {}) };
  return [ofProject("NetworkRestrictions", ref, inputs, `${reader.place(section)} [${section}]`)];
}

function ssl({ reader, ref }: ConfigReadContext): SourceObject[] {
  const section = "db.ssl_enforcement";
  const database = reader.flag(`${section}.enabled`);
  return database === undefined
    ? []
    : [ofProject("SslEnforcement", ref, { database }, `${reader.place(section)} [${section}]`)];
}

function storage(reading: ConfigReadContext): SourceObject[] {
  const { reader } = reading;
  const features = {
    ...feature("imageTransformation", { enabled: reader.flag("storage.image_transformation.enabled") }),
    ...feature("s3Protocol", { enabled: reader.flag("storage.s3_protocol.enabled") }),
    ...feature(
      "icebergCatalog",
      collection(reading, "storage.analytics", {
        max_namespaces: "maxNamespaces",
        max_tables: "maxTables",
        max_catalogs: "maxCatalogs",
      }),
    ),
    ...feature(
      "vectorBuckets",
      collection(reading, "storage.vector", {
        max_buckets: "maxBuckets",
        max_indexes: "maxIndexes",
      }),
    ),
  };
  return configuration(reading, "StorageConfig", "storage", {
    fileSizeLimit: reader.size("storage.file_size_limit"),
    ...(Object.keys(features).length === 0 ? {} : { features }),
  });
}

function feature(name: string, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.length === 0 ? {} : { [name]: Object.fromEntries(given) };
}

/** Generation 2 sends nothing of one that is off. */
function collection(
  { reader, text }: ConfigReadContext,
  section: string,
  members: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const enabled = reader.flag(`${section}.enabled`);
  if (enabled === false && text.generation !== 3) {
    if (text.generation === undefined)
      reader.note(
        `${section}.enabled`,
        "generation 2 of the tool ignores a feature that is off, generation 3 switches it off. It was left as it is. Pass the generation that wrote the file with `--generation`.",
      );
    return {};
  }
  const counts = Object.entries(members).map(
    ([key, name]) => [name, reader.number(`${section}.${key}`)] as const,
  );
  return { enabled, ...Object.fromEntries(counts) };
}

function auth(reading: ConfigReadContext): SourceObject[] {
  const { reader, text } = reading;
  const body: Record<string, unknown> = {};
  for (const each of configKeys.auth) {
    const value = reader.field("auth", each);
    if (value === undefined) continue;
    if (each.pushedBy === undefined || text.generation === undefined || each.pushedBy === text.generation)
      body[each.wire] = value;
    else
      reader.note(
        `auth.${each.key}`,
        `generation ${text.generation} of the tool does not push \`auth.${each.key}\`: left out.`,
      );
  }
  Object.assign(body, captcha(reading), smtp(reading), sms(reading), templates(reading));
  body["external_email_enabled"] = eitherName(reading, "auth.email");
  for (const hook of configKeys.hooks) Object.assign(body, hookBody(reading, hook));
  for (const slot of configKeys.slots) Object.assign(body, providerBody(reading, slot));
  return configuration(reading, "AuthConfig", "auth", body);
}

/** The newer name of a switch wins, and both must not differ. */
function eitherName({ reader }: ConfigReadContext, section: string): unknown {
  const [newer, older] = [reader.flag(`${section}.enabled`), reader.flag(`${section}.enable_signup`)];
  if (typeof newer === "boolean" && typeof older === "boolean" && newer !== older)
    reader.fail(
      `${section}.enabled`,
      `\`${section}.enabled\` and \`${section}.enable_signup\` are two names of one setting but have different values: remove \`enable_signup\`.`,
    );
  return newer ?? older;
}

/** A section that does not say whether it is on is not pushed; undefined then, and where it is absent. */
function switchOf({ reader }: ConfigReadContext, section: string): boolean | ConfigValue | undefined {
  if (!reader.has(section)) return undefined;
  const enabled = reader.flag(`${section}.enabled`);
  if (enabled === undefined)
    reader.note(
      section,
      `\`${section}\` does not say \`enabled\`, and is off then: left as it is. Add \`enabled\` to declare it.`,
    );
  return enabled;
}

function captcha(reading: ConfigReadContext): Record<string, unknown> {
  const enabled = switchOf(reading, "auth.captcha");
  if (enabled === undefined || enabled === false) return { security_captcha_enabled: enabled };
  const { reader } = reading;
  return {
    security_captcha_enabled: enabled,
    security_captcha_provider: reader.text("auth.captcha.provider"),
    security_captcha_secret: reader.text("auth.captcha.secret", true),
  };
}

function smtp(reading: ConfigReadContext): Record<string, unknown> {
  const { reader, text } = reading;
  const section = "auth.email.smtp";
  const limit = reader.number("auth.rate_limit.email_sent");
  const enabled =
    reader.flag(`${section}.enabled`) ?? (reader.has(section) && text.generation === 2 ? true : undefined);
  if (limit !== undefined && (enabled === undefined || enabled === false))
    reader.note(
      "auth.rate_limit.email_sent",
      "left out: the service accepts a limit of emails only if the project has its own SMTP server, and the file has none.",
    );
  if (enabled === undefined) {
    if (reader.has(section))
      reader.note(
        section,
        "the section does not say `enabled`: generation 2 treats it as on, generation 3 as off. It was left as it is. Add `enabled`, or pass the generation that wrote the file with `--generation`.",
      );
    return {};
  }
  if (enabled === false) return { smtp_host: "" };
  const body = {
    smtp_host: reader.text(`${section}.host`),
    smtp_port: reader.number(`${section}.port`),
    smtp_user: reader.text(`${section}.user`),
    smtp_pass: reader.text(`${section}.pass`, true),
    smtp_admin_email: reader.text(`${section}.admin_email`),
  };
  for (const [key, value] of Object.entries(body)) {
    if (value === undefined || value === "")
      reader.fail(
        section,
        `an SMTP server needs \`${key.slice("smtp_".length)}\`: add it, or remove the section.`,
      );
  }
  return { ...body, smtp_sender_name: reader.text(`${section}.sender_name`), rate_limit_email_sent: limit };
}

function sms(reading: ConfigReadContext): Record<string, unknown> {
  const { reader, text } = reading;
  const body: Record<string, unknown> = {};
  const vendor = Object.keys(configKeys.vendors).find((each) => {
    const enabled = reader.flag(`auth.sms.${each}.enabled`);
    return enabled !== undefined && enabled !== false;
  });
  const signup = eitherName(reading, "auth.sms");
  if (signup === true && vendor === undefined && text.generation !== 3)
    reader.note(
      "auth.sms",
      "phone sign-ins are on without a vendor, and generation 2 of the tool switches them off then. They were left as they are. Declare a vendor, or pass `--generation 3` to keep them on.",
    );
  else body["external_phone_enabled"] = signup;
  const confirmations = reader.flag("auth.sms.enable_confirmations");
  if (confirmations !== undefined) {
    if (text.generation === 2) body["sms_autoconfirm"] = confirmations;
    else if (text.generation === 3)
      body["sms_autoconfirm"] = reader.field("auth.sms", {
        key: "enable_confirmations",
        kind: "boolean",
        wire: "sms_autoconfirm",
        as: "inverted",
      });
    else
      reader.note(
        "auth.sms.enable_confirmations",
        "this key has opposite meanings in the two generations of the tool. The service's current value stays. Pass the generation that wrote the file with `--generation`.",
      );
  }
  if (vendor !== undefined) {
    body["sms_provider"] = vendor;
    for (const [key, wire] of Object.entries(configKeys.vendors[vendor] ?? {})) {
      body[wire] = reader.text(`auth.sms.${vendor}.${key}`, isSecretMember(vendor, key));
    }
  }
  const phones = reader.keys("auth.sms.test_otp");
  if (phones.length > 0) {
    const codes = phones.map((phone) => {
      const code = reader.text(`auth.sms.test_otp.${phone}`);
      if (typeof code === "string") return `${phone}=${code}`;
      return reader.fail(
        `auth.sms.test_otp.${phone}`,
        "a code for tests cannot come from a variable. Write its digits.",
      );
    });
    body["sms_test_otp"] = codes.join(",");
    body["sms_test_otp_valid_until"] = reading.options.testOtpValidUntil;
  }
  return body;
}

function isSecretMember(vendor: string, key: string): boolean {
  return (
    ["access_key", "auth_token", "api_secret"].includes(key) || (vendor === "vendorB" && key === "api_key")
  );
}

/** A hook at a URL signs its calls, one in the database does not. */
function hookBody(reading: ConfigReadContext, hook: string): Record<string, unknown> {
  const { reader } = reading;
  const section = `auth.hook.${hook}`;
  const enabled = switchOf(reading, section);
  const switched = { [`hook_${hook}_enabled`]: enabled };
  if (enabled === undefined || enabled === false) return switched;
  const uri = reader.text(`${section}.uri`);
  const secrets = reader.text(`${section}.secrets`, true);
  if (uri === undefined)
    reader.fail(section, "a hook that is on needs `uri`: add it, or set `enabled = false`.");
  if (typeof uri === "string") {
    const isUrl = /^https?:\/\//.test(uri);
    if (!isUrl && !/^pg-functions:\/\/[^/]+\/[^/]+\/[^/]+$/.test(uri))
      reader.fail(
        `${section}.uri`,
        "the address of a hook must be an `https` URL or `pg-functions://<database>/<schema>/<function>`.",
      );
    if (isUrl && secrets === undefined)
      reader.fail(section, "a hook at a URL needs `secrets`, which sign its calls: add them.");
    if (!isUrl && secrets !== undefined)
      reader.fail(`${section}.secrets`, "calls of a hook in the database are not signed. Remove `secrets`.");
  }
  const value = secrets instanceof ConfigValue ? secrets.value : secrets;
  const isFormed = value?.split("|").every((each) => /^v1,whsec_[A-Za-z0-9+/=]{32,88}$/.test(each)) ?? true;
  if (!isFormed)
    reader.fail(
      `${section}.secrets`,
      "each secret is `v1,whsec_` with 32 to 88 characters of base64, and several are joined by `|`.",
    );
  return { ...switched, [`hook_${hook}_uri`]: uri, [`hook_${hook}_secrets`]: secrets };
}

const WITHOUT_SECRET = ["idp01", "idp09"];
const WITH_URL = ["idp02", "idp08", "idp11", "idp20"];

function providerBody(reading: ConfigReadContext, slot: string): Record<string, unknown> {
  const { reader } = reading;
  const section = `auth.external.${slot}`;
  // The tool has withdrawn this section.
  if (slot === "idp15") return {};
  const enabled = switchOf(reading, section);
  const at = `external_${slot}`;
  if (enabled === undefined || enabled === false) return { [`${at}_enabled`]: enabled };
  const secret = reader.text(`${section}.secret`, true);
  const clientId = reader.text(`${section}.client_id`);
  const isMissing = (value: unknown): boolean => value === undefined || value === "";
  if (isMissing(clientId))
    reader.fail(section, "a provider that is on needs `client_id`: add it, or set `enabled = false`.");
  if (isMissing(secret) && !WITHOUT_SECRET.includes(slot))
    reader.fail(section, "a provider that is on needs `secret`: add it, or set `enabled = false`.");
  return {
    [`${at}_enabled`]: enabled,
    [`${at}_client_id`]: clientId,
    [`${at}_secret`]: secret,
    ...(slot === "idp20" ? {} : { [`${at}_email_optional`]: reader.flag(`${section}.email_optional`) }),
    ...(WITH_URL.includes(slot) ? { [`${at}_url`]: reader.text(`${section}.url`) } : {}),
    ...(slot === "idp09" ? { [`${at}_skip_nonce_check`]: reader.flag(`${section}.skip_nonce_check`) } : {}),
  };
}

/** Texts in files are named, and read when the program runs. */
function templates(reading: ConfigReadContext): Record<string, unknown> {
  const { reader } = reading;
  const body: Record<string, unknown> = {};
  for (const kind of configKeys.templates) {
    const section = `auth.email.template.${kind}`;
    body[`mailer_subjects_${kind}`] = reader.text(`${section}.subject`);
    body[`mailer_templates_${kind}_content`] = contentOf(reading, section, "root");
  }
  for (const kind of configKeys.notifications) {
    const section = `auth.email.notification.${kind}`;
    const enabled = reader.flag(`${section}.enabled`);
    body[`mailer_notifications_${kind}_enabled`] = enabled;
    body[`mailer_subjects_${kind}_notification`] = reader.text(`${section}.subject`);
    if (enabled === undefined || enabled === false) continue;
    body[`mailer_templates_${kind}_notification_content`] = contentOf(reading, section, "folder");
  }
  return body;
}

function contentOf(reading: ConfigReadContext, section: string, from: "root" | "folder"): unknown {
  const { reader, text } = reading;
  const named = reader.text(`${section}.content_path`);
  if (named === undefined || named === "") return undefined;
  if (typeof named !== "string")
    return reader.fail(
      `${section}.content_path`,
      "the path of a text cannot come from a variable. Write the path.",
    );
  const folder = dirname(resolve(text.path));
  const root = dirname(folder);
  const places = from === "root" ? [root] : text.generation === 2 ? [folder] : [root, folder];
  const file = places.map((each) => resolve(each, named)).find((each) => existsSync(each));
  if (file === undefined)
    return reader.fail(
      `${section}.content_path`,
      `there is no file ${named}, relative to ${places.map((each) => relative(process.cwd(), each) || ".").join(" or ")}. Correct the path.`,
    );
  if (relative(root, file).startsWith(".."))
    return reader.fail(
      `${section}.content_path`,
      `${named} is outside the project's folder. Move the file into it.`,
    );
  return new TextFile(fromProgram(reading, file));
}

/** A text that the program takes from a file. */
class TextFile {
  constructor(readonly path: string) {}
}

/** The file of a text is an input of its own: `contentFile` beside `content`. */
function withFiles(inputs: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(inputs).map(([key, value]): [string, unknown] => {
    if (value instanceof TextFile) return [`${key}File`, value.path];
    return [key, isTable(value) ? withFiles(value) : value];
  });
  return Object.fromEntries(entries);
}

function isTable(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !(value instanceof ConfigValue) && !(value instanceof JoinedText);
}

function fromProgram({ options }: ConfigReadContext, path: string): string {
  const place = relative(resolve(options.programFolder), path).split(sep).join("/");
  return place === "" ? "." : place;
}

function webhooks({ reader, ref, text }: ConfigReadContext): SourceObject[] {
  const path = "experimental.webhooks.enabled";
  const enabled = reader.flag(path);
  if (enabled === false && text.generation === 2)
    reader.fail(path, "webhooks cannot be disabled: remove the section, or set `enabled = true`.");
  return enabled === true
    ? [ofProject("DatabaseWebhooks", ref, {}, `${reader.place(path)} [experimental.webhooks]`)]
    : [];
}

function functions(reading: ConfigReadContext): SourceObject[] {
  const { reader, ref, text } = reading;
  const folder = join(dirname(resolve(text.path)), "functions");
  const slugs = reader.keys("functions");
  if (!existsSync(folder)) {
    if (slugs.length > 0)
      reader.note(
        "functions",
        "the folder `functions` does not exist beside the file, so the functions that the file names are not declared.",
      );
    return [];
  }
  const variables = slugs.filter((slug) =>
    ["enabled", "verify_jwt", "import_map", "entrypoint"].some((key) =>
      /^env\(.*\)$/.test(String(reader.raw(`functions.${slug}.${key}`))),
    ),
  );
  if (variables.length > 0)
    reader.note(
      "functions",
      `${variables.join(", ")}: a section has \`env(…)\`, which a FunctionSet does not read. Declare these settings in \`functions\` of the resource.`,
    );
  reader.note(
    "functions",
    "the FunctionSet sends other paths than the tool does, so its first deploy gives each function a new version.",
  );
  const inputs = {
    projectRef: ref,
    sourceDir: fromProgram(reading, folder),
    configFile: fromProgram(reading, resolve(text.path)),
    adopt: true,
  };
  return [
    {
      type: "FunctionSet",
      identity: { projectRef: ref },
      inputs,
      source: `${reader.place("functions")} [functions]`,
    },
  ];
}

function functionSecrets(reading: ConfigReadContext): SourceObject[] {
  const { reader, ref, options } = reading;
  const section = "edge_runtime.secrets";
  const own = reader.keys(section).filter((name) => {
    const isReserved = name.startsWith(options.names.reservedPrefix);
    if (isReserved)
      reader.note(
        `${section}.${name}`,
        `names that begin with \`${options.names.reservedPrefix}\` are the service's own: left out.`,
      );
    return !isReserved;
  });
  if (own.length === 0) return [];
  const secrets = own.map((name) => [name, secretAt(reading, section, name)] as const);
  const inputs = { projectRef: ref, secrets: Object.fromEntries(secrets), adopt: true };
  return [
    {
      type: "SecretSet",
      identity: { projectRef: ref },
      inputs,
      source: `${reader.place(section)} [${section}]`,
    },
  ];
}

function vaultSecrets(reading: ConfigReadContext): SourceObject[] {
  const { reader, ref } = reading;
  const section = "db.vault";
  return reader.keys(section).map((name) => ({
    type: "VaultSecret",
    importId: `${ref}/${name}`,
    identity: { projectRef: ref, name },
    inputs: { projectRef: ref, name, value: secretAt(reading, section, name) },
    source: `${reader.place(`${section}.${name}`)} [${section}] ${name}`,
  }));
}

/** A secret by the name of its variable, or by its own where none is named. */
function secretAt({ reader }: ConfigReadContext, section: string, name: string) {
  const path = `${section}.${name}`;
  const value = reader.text(path, true);
  const isVariable = /^env\(.*\)$/.test(String(reader.raw(path)));
  return value instanceof ConfigValue && !isVariable
    ? new ConfigValue(name, "string", true, value.value)
    : value;
}

function migrations(reading: ConfigReadContext): SourceObject[] {
  const { reader, ref, text } = reading;
  const folder = join(dirname(resolve(text.path)), "migrations");
  if (reader.flag("db.migrations.enabled") === false || !existsSync(folder)) return [];
  const sql = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  const isMigration = (name: string): boolean => /^[0-9]+_.+\.sql$/.test(name);
  const files = sql.filter(isMigration);
  const others = sql.filter((name) => !isMigration(name));
  if (files.length === 0) return [];
  if (others.length > 0)
    reader.note(
      "db.migrations",
      `${others.sort().join(", ")}: the names have no version, so the tool passes over them. They are in \`exclude\`.`,
    );
  const down = files.filter((name) => name.endsWith(".down.sql"));
  if (down.length > 0)
    reader.note(
      "db.migrations",
      `${down.join(", ")}: a MigrationSet treats these as rollbacks, but the tool would apply them as migrations. Move them into \`rollbacks/\`.`,
    );
  const directory = fromProgram(reading, folder);
  return [
    {
      type: "MigrationSet",
      importId: `${ref}/${directory}`,
      identity: { projectRef: ref },
      inputs: { projectRef: ref, directory, ...(others.length > 0 && { exclude: others }) },
      source: `${text.path}: ${basename(folder)}/`,
    },
  ];
}

function thirdParty({ reader, ref, options }: ConfigReadContext): SourceObject[] {
  const on = Object.keys(configKeys.thirdParties).filter(
    (party) => reader.flag(`auth.third_party.${party}.enabled`) === true,
  );
  const [party, second] = on;
  if (party === undefined) return [];
  const section = `auth.third_party.${party}`;
  if (second !== undefined)
    reader.fail(`auth.third_party.${second}`, "the tool takes one third party at most: disable the others.");
  const issuer =
    party === "tpa5"
      ? reader.text(`${section}.issuer_url`)
      : party === "tpa4"
        ? reader.text(`${section}.domain`)
        : undefined;
  if (typeof issuer !== "string") {
    reader.note(
      section,
      "the tool never pushes a third party. If the project should accept its tokens, add a ThirdPartyAuth with `oidcIssuerUrl`, the address on the third party's host that these keys identify.",
    );
    return [];
  }
  const oidcIssuerUrl = party === "tpa4" ? `https://${issuer}` : issuer;
  if (options.thirdParty !== true) {
    reader.note(
      section,
      `the tool never pushes a third party: add a ThirdPartyAuth with \`oidcIssuerUrl: "${oidcIssuerUrl}"\` if the project should accept its tokens.`,
    );
    return [];
  }
  const inputs = { projectRef: ref, oidcIssuerUrl };
  return [
    { type: "ThirdPartyAuth", identity: inputs, inputs, source: `${reader.place(section)} [${section}]` },
  ];
}

/** Sections that have nothing here, and what is to be done about them. */
const REPORTED: readonly (readonly [section: string, text: string])[] = [
  [
    "storage.buckets",
    "buckets are not taken over: the storage service manages them, not the Management API.",
  ],
  ["storage.analytics.buckets", "buckets of analytics are not taken over: the storage service manages them."],
  ["storage.vector.buckets", "buckets of vectors are not taken over: the storage service manages them."],
  ["compute", "these are not taken over: the Management API has no operations for them."],
];

function reportTheRest({ reader, text }: ConfigReadContext): void {
  for (const [section, says] of REPORTED) if (reader.keys(section).length > 0) reader.note(section, says);
  const version = reader.number("db.major_version");
  if (version !== undefined && !(version instanceof ConfigValue))
    reader.note(
      "db.major_version",
      `the file is for Postgres ${version}. Compare it with the project's: declaring another \`postgresVersion\` would upgrade the database.`,
    );
  if (reader.has("db.pooler"))
    reader.note("db.pooler", "this describes the local pooler, so it is not taken over as a PoolerConfig.");
  const seeds = reader.list("db.seed.sql_paths");
  if (reader.flag("db.seed.enabled") !== false && Array.isArray(seeds) && seeds.length > 0)
    reader.note(
      "db.seed.sql_paths",
      "seeds are not taken over: a SqlScript for each file runs it on the project, and again when the file changes, and `seed` of a PreviewEnvironment runs it on previews.",
    );
  if (existsSync(join(dirname(resolve(text.path)), "roles.sql")))
    reader.notes.push(`${text.path}: roles.sql beside the file is not taken over: a SqlScript can run it.`);
}

/** `smtpPassword` for `smtp.password`. */
function camelCase(path: string): string {
  return path.replace(/\.([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
}
