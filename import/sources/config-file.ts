import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { resourceByType } from "../../provider/catalog/catalog";
import { isObject } from "../../spec/is-object";
import { literalNames, type Names } from "../../spec/names/names";
import { formatRelativePath } from "../../spec/relative-path";
import { configKeys, type FieldKey, type Generation } from "./config-keys";
import { readConfigText, type ConfigTarget, type ConfigText } from "./config-text";
import { ConfigReader, joinList } from "./config-values";
import { ConfigValue, JoinedText } from "./config-value";
import type { SourceDeclarations, SourceObject, SourceStack } from "./declared";
import { listPrivateKeys } from "./encrypted-value";
import { listMisfits } from "./misfits";
import { readBodyInputs, omitSecretInputs, type ConfigurationType } from "./settings-body";
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
    base === undefined || projectRef === undefined ? undefined : readTarget(base, projectRef, text, options);
  const remotes = text.remotes.map((target) => ({
    name: target.name ?? "",
    projectRef: target.projectRef ?? "",
    ...readTarget(target, target.projectRef ?? "", text, options),
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

function readTarget(
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
    privateKeys: listPrivateKeys(environment),
    place,
  });
  const reading: ConfigReadContext = { reader, ref, options, text };
  const objects = [
    ...readRestLayer(reading),
    ...readPostgres(reading),
    ...readNetwork(reading),
    ...readSsl(reading),
    ...readStorage(reading),
    ...readBuckets(reading),
    ...readAuth(reading),
    ...readWebhooks(reading),
    ...readFunctions(reading),
    ...readFunctionSecrets(reading),
    ...readVaultSecrets(reading),
    ...readMigrations(reading),
    ...readThirdPartyAuth(reading),
  ];
  reportUnread(reading);
  const misfits = objects.flatMap((each) => listMisfits(each).map((misfit) => `${each.source}: ${misfit}.`));
  return { objects, notes: [...reader.notes, ...misfits] };
}

function toConfiguration(
  { reader, ref }: ConfigReadContext,
  type: ConfigurationType,
  section: string,
  body: Readonly<Record<string, unknown>>,
): SourceObject[] {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length === 0) return [];
  const { inputs } = readBodyInputs(type, given, literalNames);
  const clear = omitSecretInputs(resourceByType(type).inputs, toFileInputs(inputs), (path, value) =>
    value === "" ? undefined : new ConfigValue(toCamelCase(path), "string", true, value),
  );
  return [toProjectObject(type, ref, clear, `${reader.place(section)} [${section}]`)];
}

function toProjectObject(
  type: string,
  projectRef: string,
  inputs: Readonly<Record<string, unknown>>,
  source: string,
): SourceObject {
  return { type, importId: projectRef, identity: { projectRef }, inputs: { projectRef, ...inputs }, source };
}

function readRestLayer(reading: ConfigReadContext): SourceObject[] {
  const { reader } = reading;
  if (reader.readFlag("api.enabled") === false)
    return toConfiguration(reading, "RestLayerConfig", "api", { db_schema: "" });
  const rows = reader.readNumber("api.max_rows");
  return toConfiguration(reading, "RestLayerConfig", "api", {
    db_schema: joinList(reader.readList("api.schemas")),
    db_extra_search_path: joinList(reader.readList("api.extra_search_path")),
    // The tool never sends 0.
    max_rows: rows === 0 ? undefined : rows,
  });
}

/** Settings that are numbers, or on and off; all others are texts. */
const POSTGRES_KINDS: Readonly<Record<string, FieldKey["kind"]>> = { track_commit_timestamp: "boolean" };

function readPostgres(reading: ConfigReadContext): SourceObject[] {
  const { reader } = reading;
  const body = configKeys.postgres.map((key) => {
    const path = `db.settings.${key}`;
    const value = reader.readRaw(path);
    if (typeof value === "number") return [key, reader.readNumber(path)] as const;
    return [key, POSTGRES_KINDS[key] === "boolean" ? reader.readFlag(path) : reader.text(path)] as const;
  });
  return toConfiguration(reading, "PostgresConfig", "db.settings", Object.fromEntries<unknown>(body));
}

function readNetwork({ reader, ref }: ConfigReadContext): SourceObject[] {
  const section = "db.network_restrictions";
  const enabled = reader.readFlag(`${section}.enabled`);
  const allowedCidrs = reader.readList(`${section}.allowed_cidrs`);
  const allowedCidrsV6 = reader.readList(`${section}.allowed_cidrs_v6`);
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
  return [toProjectObject("NetworkRestrictions", ref, inputs, `${reader.place(section)} [${section}]`)];
}

function readSsl({ reader, ref }: ConfigReadContext): SourceObject[] {
  const section = "db.ssl_enforcement";
  const database = reader.readFlag(`${section}.enabled`);
  return database === undefined
    ? []
    : [toProjectObject("SslEnforcement", ref, { database }, `${reader.place(section)} [${section}]`)];
}

function readStorage(reading: ConfigReadContext): SourceObject[] {
  const { reader } = reading;
  const features = {
    ...toFeature("imageTransformation", { enabled: reader.readFlag("storage.image_transformation.enabled") }),
    ...toFeature("s3Protocol", { enabled: reader.readFlag("storage.s3_protocol.enabled") }),
    ...toFeature(
      "icebergCatalog",
      readCollection(reading, "storage.analytics", {
        max_namespaces: "maxNamespaces",
        max_tables: "maxTables",
        max_catalogs: "maxCatalogs",
      }),
    ),
    ...toFeature(
      "vectorBuckets",
      readCollection(reading, "storage.vector", {
        max_buckets: "maxBuckets",
        max_indexes: "maxIndexes",
      }),
    ),
  };
  return toConfiguration(reading, "StorageConfig", "storage", {
    fileSizeLimit: reader.readSize("storage.file_size_limit"),
    ...(Object.keys(features).length === 0 ? {} : { features }),
  });
}

/** Buckets of files; the tool makes them from the folders that they name. */
function readBuckets({ reader, ref }: ConfigReadContext): SourceObject[] {
  const section = "storage.buckets";
  const names = reader.listKeys(section).filter((name) => {
    // A path of the reader ends at a dot.
    if (name.includes("."))
      reader.note(section, `the name \`${name}\` has a dot, so the bucket is not taken over.`);
    return !name.includes(".");
  });
  return names.map((name) => {
    const path = `${section}.${name}`;
    if (reader.has(`${path}.objects_path`))
      reader.note(
        `${path}.objects_path`,
        "the files of the folder are not uploaded: upload them with the storage API.",
      );
    const settings = {
      public: reader.readFlag(`${path}.public`),
      fileSizeLimit: reader.readSize(`${path}.file_size_limit`),
      allowedMimeTypes: reader.readList(`${path}.allowed_mime_types`),
    };
    const given = Object.entries(settings).filter(([, value]) => value !== undefined);
    return {
      type: "StorageBucket",
      importId: `${ref}/${name}`,
      identity: { projectRef: ref, name },
      inputs: { projectRef: ref, name, ...Object.fromEntries(given) },
      source: `${reader.place(path)} [${path}]`,
    };
  });
}

function toFeature(name: string, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.length === 0 ? {} : { [name]: Object.fromEntries(given) };
}

/** Generation 2 sends nothing of one that is off. */
function readCollection(
  { reader, text }: ConfigReadContext,
  section: string,
  members: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const enabled = reader.readFlag(`${section}.enabled`);
  if (enabled === false && text.generation !== 3) {
    if (text.generation === undefined)
      reader.note(
        `${section}.enabled`,
        "generation 2 of the tool ignores a feature that is off, generation 3 switches it off. It was left as it is. Pass the generation that wrote the file with `--generation`.",
      );
    return {};
  }
  const counts = Object.entries(members).map(
    ([key, name]) => [name, reader.readNumber(`${section}.${key}`)] as const,
  );
  return { enabled, ...Object.fromEntries(counts) };
}

function readAuth(reading: ConfigReadContext): SourceObject[] {
  const { reader, text } = reading;
  const body: Record<string, unknown> = {};
  for (const each of configKeys.auth) {
    const value = reader.readField("auth", each);
    if (value === undefined) continue;
    if (each.pushedBy === undefined || text.generation === undefined || each.pushedBy === text.generation)
      body[each.wire] = value;
    else
      reader.note(
        `auth.${each.key}`,
        `generation ${text.generation} of the tool does not push \`auth.${each.key}\`: left out.`,
      );
  }
  Object.assign(body, readCaptcha(reading), readSmtp(reading), readSms(reading), readTemplates(reading));
  body["external_email_enabled"] = readEitherName(reading, "auth.email");
  for (const hook of configKeys.hooks) Object.assign(body, readHook(reading, hook));
  for (const slot of configKeys.slots) Object.assign(body, readProvider(reading, slot));
  return toConfiguration(reading, "AuthConfig", "auth", body);
}

/** The newer name of a switch wins, and both must not differ. */
function readEitherName({ reader }: ConfigReadContext, section: string): unknown {
  const [newer, older] = [reader.readFlag(`${section}.enabled`), reader.readFlag(`${section}.enable_signup`)];
  if (typeof newer === "boolean" && typeof older === "boolean" && newer !== older)
    reader.fail(
      `${section}.enabled`,
      `\`${section}.enabled\` and \`${section}.enable_signup\` are two names of one setting but have different values: remove \`enable_signup\`.`,
    );
  return newer ?? older;
}

/** A section that does not say whether it is on is not pushed; undefined then, and where it is absent. */
function readSwitch({ reader }: ConfigReadContext, section: string): boolean | ConfigValue | undefined {
  if (!reader.has(section)) return undefined;
  const enabled = reader.readFlag(`${section}.enabled`);
  if (enabled === undefined)
    reader.note(
      section,
      `\`${section}\` does not say \`enabled\`, and is off then: left as it is. Add \`enabled\` to declare it.`,
    );
  return enabled;
}

function readCaptcha(reading: ConfigReadContext): Record<string, unknown> {
  const enabled = readSwitch(reading, "auth.captcha");
  if (enabled === undefined || enabled === false) return { security_captcha_enabled: enabled };
  const { reader } = reading;
  return {
    security_captcha_enabled: enabled,
    security_captcha_provider: reader.text("auth.captcha.provider"),
    security_captcha_secret: reader.text("auth.captcha.secret", true),
  };
}

function readSmtp(reading: ConfigReadContext): Record<string, unknown> {
  const { reader, text } = reading;
  const section = "auth.email.smtp";
  const limit = reader.readNumber("auth.rate_limit.email_sent");
  const enabled =
    reader.readFlag(`${section}.enabled`) ??
    (reader.has(section) && text.generation === 2 ? true : undefined);
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
    smtp_port: reader.readNumber(`${section}.port`),
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

function readSms(reading: ConfigReadContext): Record<string, unknown> {
  const { reader, text } = reading;
  const body: Record<string, unknown> = {};
  const vendor = Object.keys(configKeys.vendors).find((each) => {
    const enabled = reader.readFlag(`auth.sms.${each}.enabled`);
    return enabled !== undefined && enabled !== false;
  });
  const signup = readEitherName(reading, "auth.sms");
  if (signup === true && vendor === undefined && text.generation !== 3)
    reader.note(
      "auth.sms",
      "phone sign-ins are on without a vendor, and generation 2 of the tool switches them off then. They were left as they are. Declare a vendor, or pass `--generation 3` to keep them on.",
    );
  else body["external_phone_enabled"] = signup;
  const confirmations = reader.readFlag("auth.sms.enable_confirmations");
  if (confirmations !== undefined) {
    if (text.generation === 2) body["sms_autoconfirm"] = confirmations;
    else if (text.generation === 3)
      body["sms_autoconfirm"] = reader.readField("auth.sms", {
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
  const phones = reader.listKeys("auth.sms.test_otp");
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
function readHook(reading: ConfigReadContext, hook: string): Record<string, unknown> {
  const { reader } = reading;
  const section = `auth.hook.${hook}`;
  const enabled = readSwitch(reading, section);
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

function readProvider(reading: ConfigReadContext, slot: string): Record<string, unknown> {
  const { reader } = reading;
  const section = `auth.external.${slot}`;
  // The tool has withdrawn this section.
  if (slot === "idp15") return {};
  const enabled = readSwitch(reading, section);
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
    ...(slot === "idp20" ? {} : { [`${at}_email_optional`]: reader.readFlag(`${section}.email_optional`) }),
    ...(WITH_URL.includes(slot) ? { [`${at}_url`]: reader.text(`${section}.url`) } : {}),
    ...(slot === "idp09"
      ? { [`${at}_skip_nonce_check`]: reader.readFlag(`${section}.skip_nonce_check`) }
      : {}),
  };
}

/** Texts in files are named, and read when the program runs. */
function readTemplates(reading: ConfigReadContext): Record<string, unknown> {
  const { reader } = reading;
  const body: Record<string, unknown> = {};
  for (const kind of configKeys.templates) {
    const section = `auth.email.template.${kind}`;
    body[`mailer_subjects_${kind}`] = reader.text(`${section}.subject`);
    body[`mailer_templates_${kind}_content`] = readContent(reading, section, "root");
  }
  for (const kind of configKeys.notifications) {
    const section = `auth.email.notification.${kind}`;
    const enabled = reader.readFlag(`${section}.enabled`);
    body[`mailer_notifications_${kind}_enabled`] = enabled;
    body[`mailer_subjects_${kind}_notification`] = reader.text(`${section}.subject`);
    if (enabled === undefined || enabled === false) continue;
    body[`mailer_templates_${kind}_notification_content`] = readContent(reading, section, "folder");
  }
  return body;
}

function readContent(reading: ConfigReadContext, section: string, from: "root" | "folder"): unknown {
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
  return new TextFile(resolveFromProgram(reading, file));
}

/** A text that the program takes from a file. */
class TextFile {
  constructor(readonly path: string) {}
}

/** The file of a text is an input of its own: `contentFile` beside `content`. */
function toFileInputs(inputs: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(inputs).map(([key, value]): [string, unknown] => {
    if (value instanceof TextFile) return [`${key}File`, value.path];
    return [key, isTable(value) ? toFileInputs(value) : value];
  });
  return Object.fromEntries(entries);
}

function isTable(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !(value instanceof ConfigValue) && !(value instanceof JoinedText);
}

function resolveFromProgram({ options }: ConfigReadContext, path: string): string {
  const place = formatRelativePath(resolve(options.programFolder), path);
  return place === "" ? "." : place;
}

function readWebhooks({ reader, ref, text }: ConfigReadContext): SourceObject[] {
  const path = "experimental.webhooks.enabled";
  const enabled = reader.readFlag(path);
  if (enabled === false && text.generation === 2)
    reader.fail(path, "webhooks cannot be disabled: remove the section, or set `enabled = true`.");
  return enabled === true
    ? [toProjectObject("DatabaseWebhooks", ref, {}, `${reader.place(path)} [experimental.webhooks]`)]
    : [];
}

function readFunctions(reading: ConfigReadContext): SourceObject[] {
  const { reader, ref, text } = reading;
  const folder = join(dirname(resolve(text.path)), "functions");
  const slugs = reader.listKeys("functions");
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
      /^env\(.*\)$/.test(String(reader.readRaw(`functions.${slug}.${key}`))),
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
    sourceDir: resolveFromProgram(reading, folder),
    configFile: resolveFromProgram(reading, resolve(text.path)),
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

function readFunctionSecrets(reading: ConfigReadContext): SourceObject[] {
  const { reader, ref, options } = reading;
  const section = "edge_runtime.secrets";
  const own = reader.listKeys(section).filter((name) => {
    const isReserved = name.startsWith(options.names.reservedPrefix);
    if (isReserved)
      reader.note(
        `${section}.${name}`,
        `names that begin with \`${options.names.reservedPrefix}\` are the service's own: left out.`,
      );
    return !isReserved;
  });
  if (own.length === 0) return [];
  const secrets = own.map((name) => [name, readSecretAt(reading, section, name)] as const);
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

function readVaultSecrets(reading: ConfigReadContext): SourceObject[] {
  const { reader, ref } = reading;
  const section = "db.vault";
  return reader.listKeys(section).map((name) => ({
    type: "VaultSecret",
    importId: `${ref}/${name}`,
    identity: { projectRef: ref, name },
    inputs: { projectRef: ref, name, value: readSecretAt(reading, section, name) },
    source: `${reader.place(`${section}.${name}`)} [${section}] ${name}`,
  }));
}

/** A secret by the name of its variable, or by its own where none is named. */
function readSecretAt({ reader }: ConfigReadContext, section: string, name: string) {
  const path = `${section}.${name}`;
  const value = reader.text(path, true);
  const isVariable = /^env\(.*\)$/.test(String(reader.readRaw(path)));
  return value instanceof ConfigValue && !isVariable
    ? new ConfigValue(name, "string", true, value.value)
    : value;
}

function readMigrations(reading: ConfigReadContext): SourceObject[] {
  const { reader, ref, text } = reading;
  const folder = join(dirname(resolve(text.path)), "migrations");
  if (reader.readFlag("db.migrations.enabled") === false || !existsSync(folder)) return [];
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
  const directory = resolveFromProgram(reading, folder);
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

function readThirdPartyAuth({ reader, ref, options }: ConfigReadContext): SourceObject[] {
  const on = Object.keys(configKeys.thirdParties).filter(
    (party) => reader.readFlag(`auth.third_party.${party}.enabled`) === true,
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
  ["storage.analytics.buckets", "buckets of analytics are not taken over: the storage service manages them."],
  ["storage.vector.buckets", "buckets of vectors are not taken over: the storage service manages them."],
  ["compute", "these are not taken over: the Management API has no operations for them."],
];

function reportUnread({ reader, text }: ConfigReadContext): void {
  for (const [section, says] of REPORTED) if (reader.listKeys(section).length > 0) reader.note(section, says);
  const version = reader.readNumber("db.major_version");
  if (version !== undefined && !(version instanceof ConfigValue))
    reader.note(
      "db.major_version",
      `the file is for Postgres ${version}. Compare it with the project's: declaring another \`postgresVersion\` would upgrade the database.`,
    );
  if (reader.has("db.pooler"))
    reader.note("db.pooler", "this describes the local pooler, so it is not taken over as a PoolerConfig.");
  const seeds = reader.readList("db.seed.sql_paths");
  if (reader.readFlag("db.seed.enabled") !== false && Array.isArray(seeds) && seeds.length > 0)
    reader.note(
      "db.seed.sql_paths",
      "seeds are not taken over: a SqlScript for each file runs it on the project, and again when the file changes, and `seed` of a PreviewEnvironment runs it on previews.",
    );
  if (existsSync(join(dirname(resolve(text.path)), "roles.sql")))
    reader.notes.push(`${text.path}: roles.sql beside the file is not taken over: a SqlScript can run it.`);
}

/** `smtpPassword` for `smtp.password`. */
function toCamelCase(path: string): string {
  return path.replace(/\.([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
}
