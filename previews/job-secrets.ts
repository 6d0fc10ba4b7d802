import { Redactor } from "../provider/client/redaction/redactor";
import { findUrlPasswords } from "../provider/client/redaction/url-passwords";
import { parseJson } from "../provider/client/parse-json";
import { readTextFile } from "../spec/regular-file";

type JobEnvironment = Readonly<Record<string, string | undefined>>;

/** What names a secret, of a variable or of a key in one that holds JSON (docs/security.md lists the words). */
const SECRET_NAME =
  /(?:^|_)(?:token|jwt|pat|secrets?|credentials?|key|sas|cookie|pass|pwd)(?:_|$)|pass(?:word|wd|phrase)|(?:access|api|private|secret)key/i;

/** What stands around a secret and is none: where it is, whose it is, how long it lasts; and the shell's own folders. */
const NO_SECRET_NAME =
  /_(?:file|path|dir|id|name|type|url|uri|endpoint|host|port|user|ttl|expir\w*)$|^(?:old)?pwd$/i;

/** Values that say whether, not what. */
const SWITCHES = /^(?:true|false|none|null|auto)$/i;

/** What the address of a state backend says besides secrets. */
const PLAIN_PARAMETERS =
  /^(?:region|endpoint|profile|awssdk|s3forcepathstyle|use_path_style|disablessl|disable_https|hostname_immutable|accelerate|dualstack|fips|ssl\w*|anonymous|kmskeyid|ssetype|table|schema|prefix|storage_account|domain|protocol|cdn|localemu|connect_timeout|application_name|\w*_checksum_\w*)$/i;

const BACKEND = "PULUMI_BACKEND_URL";
const PASSPHRASE_FILE = "PULUMI_CONFIG_PASSPHRASE_FILE";

/** The token of a job by which it acts on its forge, under the names that forges and their tools give it. */
const FORGE_TOKENS = new Set([
  "GITHUB_TOKEN",
  "GH_TOKEN",
  "GH_ENTERPRISE_TOKEN",
  "GITHUB_ENTERPRISE_TOKEN",
  "ACTIONS_RUNTIME_TOKEN",
  "GITLAB_TOKEN",
  "GITLAB_ACCESS_TOKEN",
  "GL_TOKEN",
  "CI_JOB_TOKEN",
  "CI_BUILD_TOKEN",
  "CI_JOB_JWT",
  "CI_JOB_JWT_V1",
  "CI_JOB_JWT_V2",
  "CI_REGISTRY_PASSWORD",
  "CI_DEPENDENCY_PROXY_PASSWORD",
  "CI_DEPLOY_PASSWORD",
  "CI_REPOSITORY_URL",
  "GITEA_TOKEN",
  "FORGEJO_TOKEN",
  "BITBUCKET_TOKEN",
  "SYSTEM_ACCESSTOKEN",
]);

/** Whose variables hold what a job works with: this provider, Pulumi, clouds and forges. */
const OF_THE_JOB =
  /^(?:MANAGEMENT|PULUMI|AWS|AZURE|ARM|GOOGLE|GCLOUD|GITHUB|GH|GITLAB|GL|CI|ACTIONS|GITEA|FORGEJO|BITBUCKET|SYSTEM)_/i;

/** The values of an environment that nobody but the job may see. */
export function listEnvSecrets(env: JobEnvironment): string[] {
  return Object.entries(env).flatMap(([name, value = ""]) => listSecretParts(name, value));
}

/** Whether a value has in it what the job itself works with. */
export function holdsJobSecret(value: unknown, env: JobEnvironment): boolean {
  const text = JSON.stringify(value);
  return new Redactor().with(listJobSecrets(env)).redact(text) !== new Redactor().redact(text);
}

/** Of these, what the job works with itself. */
function listJobSecrets(env: JobEnvironment): string[] {
  return Object.entries(env).flatMap(([name, value = ""]) =>
    OF_THE_JOB.test(name) ? listSecretParts(name, value) : [],
  );
}

/** Where later steps of a job read what an earlier one says: paths, variables, outputs. */
const STEP_FILES = new Set([
  ...["GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STATE", "GITHUB_STEP_SUMMARY"],
]);

/** The environment for a program of others: it reads its own variables, and gets no token of the forge and no say in later steps. */
export function omitForgeTokens(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => ![FORGE_TOKENS, STEP_FILES].some((all) => all.has(name.toUpperCase())),
    ),
  );
}

function listSecretParts(name: string, value: string): string[] {
  const texts = findUrlPasswords(value).flatMap(({ from, to }) => listSpellings(value.slice(from, to)));
  if (name === BACKEND) texts.push(...listParameters(value));
  if (name === PASSPHRASE_FILE) texts.push(...readSecretFile(value));
  if (value.startsWith("{")) texts.push(...listJsonSecrets(parseJson(value)));
  if (isSecretName(name) && !SWITCHES.test(value)) texts.push(value);
  // A value that was read from a file often ends with a line end.
  return texts.map((text) => text.trim()).filter((text) => text !== "");
}

function isSecretName(name: string): boolean {
  return FORGE_TOKENS.has(name.toUpperCase()) || (SECRET_NAME.test(name) && !NO_SECRET_NAME.test(name));
}

/** As it stands in an address, and as it is. */
function listSpellings(text: string): string[] {
  try {
    return [text, decodeURIComponent(text)];
  } catch {
    return [text];
  }
}

function listParameters(address: string): string[] {
  const [, query = ""] = /^[^?]*\?([^#]*)/.exec(address) ?? [];
  return [...new URLSearchParams(query)].flatMap(([name, value]) =>
    PLAIN_PARAMETERS.test(name) || SWITCHES.test(value) ? [] : [value],
  );
}

function readSecretFile(file: string): string[] {
  try {
    return file === "" ? [] : [readTextFile(file)];
  } catch {
    return [];
  }
}

function listJsonSecrets(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    typeof each === "string" ? (isSecretName(name) ? [each] : []) : listJsonSecrets(each),
  );
}
