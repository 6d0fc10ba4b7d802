import { z } from "zod";
import type { Credentials } from "../client";
import { parseBaseUrl } from "../client/transport/base-url";
import { resolveNames } from "../client/client-options";
import { InvalidInputError } from "../client/errors/errors";
import { defineProblem } from "../client/errors/problem";
import { listMarkedFields, secret } from "../define/markers";
import type { CheckFailure, Installation } from "../define/resource";

/** What can be missing before the first call. */
export const configProblems = {
  noBaseUrl: defineProblem({
    says: "The base URL of the Management API is missing: {remedy}.",
    means: "Neither the environment nor the stack's configuration sets the base URL.",
    remedy:
      "Set the environment variable MANAGEMENT_BASE_URL, or run `pulumi config set management:baseUrl <url>`",
  }),
  noAccessToken: defineProblem({
    says: "The access token is missing: {remedy}.",
    means: "Neither an access token nor the three OAuth settings are set.",
    remedy:
      "Set the environment variable MANAGEMENT_ACCESS_TOKEN, or run `pulumi config set --secret management:accessToken <token>`. For OAuth, set MANAGEMENT_CLIENT_ID, MANAGEMENT_CLIENT_SECRET and MANAGEMENT_REFRESH_TOKEN",
  }),
};

const setting = z.string().min(1);

/** The provider's configuration: `pulumi config set management:<name>`; the environment variable wins. */
export const providerConfig = z.strictObject({
  baseUrl: setting.describe(
    "Base URL of the Management API, `https` unless it is on this machine. " +
      "Environment: MANAGEMENT_BASE_URL.",
  ),
  accessToken: secret(
    setting.describe("Personal access token. Environment: MANAGEMENT_ACCESS_TOKEN."),
  ).optional(),
  clientId: setting
    .describe("Client id of the OAuth application. Environment: MANAGEMENT_CLIENT_ID.")
    .optional(),
  clientSecret: secret(
    setting.describe("Client secret of the OAuth application. Environment: MANAGEMENT_CLIENT_SECRET."),
  ).optional(),
  refreshToken: secret(
    setting.describe("Refresh token of the OAuth application. Environment: MANAGEMENT_REFRESH_TOKEN."),
  ).optional(),
  baseUrlAliases: setting
    .describe(
      "Further base URLs of the same service, separated by commas. An object that the state has from one of them " +
        "belongs to this service. Environment: MANAGEMENT_BASE_URL_ALIASES.",
    )
    .optional(),
  names: setting
    .describe(
      "JSON file with this installation's names for the specification's placeholders; a relative path starts at the " +
        "program's folder. Environment: MANAGEMENT_NAMES.",
    )
    .optional(),
  expectedAccount: setting
    .describe(
      "Username, primary email or identifier of the account to which the token must belong. If it belongs to another " +
        "one, the first write is refused. Environment: MANAGEMENT_EXPECTED_ACCOUNT.",
    )
    .optional(),
});

type ConfigSetting = keyof z.infer<typeof providerConfig>;

const ENVIRONMENT: Record<ConfigSetting, string> = {
  baseUrl: "MANAGEMENT_BASE_URL",
  baseUrlAliases: "MANAGEMENT_BASE_URL_ALIASES",
  accessToken: "MANAGEMENT_ACCESS_TOKEN",
  clientId: "MANAGEMENT_CLIENT_ID",
  clientSecret: "MANAGEMENT_CLIENT_SECRET",
  refreshToken: "MANAGEMENT_REFRESH_TOKEN",
  names: "MANAGEMENT_NAMES",
  expectedAccount: "MANAGEMENT_EXPECTED_ACCOUNT",
};

/** Looks up a setting. */
export type ConfigLookup = (name: ConfigSetting) => string | undefined;

export interface ConfiguredConnection {
  readonly baseUrl: string;
  /** Further base URLs of the same service. */
  readonly baseUrlAliases?: readonly string[];
  readonly credentials: Credentials;
  /** The file of names that the installation has of its own. */
  readonly names?: string;
  /** Whose the token must be. */
  readonly expectedAccount?: string;
}

/**
 * How to reach the service, from the environment first and then the stack's configuration. Throws `InvalidInputError`
 * that tells every fault.
 */
export function resolveConnection(env: NodeJS.ProcessEnv, configured: ConfigLookup): ConfiguredConnection {
  const { faults, ...connection } = readConnection(env, configured);
  const { baseUrl, credentials } = connection;
  if (faults.length === 0 && baseUrl !== undefined && credentials !== undefined) {
    return { ...connection, baseUrl, credentials };
  }
  throw new InvalidInputError(faults[0]?.path ?? "", faults.map(({ reason }) => reason).join(" "));
}

/** Everything that keeps the configuration from reaching the service. */
export function listConnectionFaults(
  env: NodeJS.ProcessEnv,
  configured: ConfigLookup,
): readonly CheckFailure[] {
  return readConnection(env, configured).faults;
}

function readConnection(
  env: NodeJS.ProcessEnv,
  configured: ConfigLookup,
): Partial<ConfiguredConnection> & { readonly faults: readonly CheckFailure[] } {
  const read = createReader(env, configured);
  const faults: CheckFailure[] = [];
  const collectFault = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      faults.push({ path: error.path, reason: error.message });
      return undefined;
    }
  };
  const baseUrl = collectFault(() => readBaseUrl(read));
  const baseUrlAliases = collectFault(() => readBaseUrlAliases(read));
  const credentials = collectFault(() => readCredentials(read));
  const names = collectFault(() => readNamesSetting(read));
  const expectedAccount = read("expectedAccount");
  return {
    ...(baseUrl && { baseUrl }),
    ...(baseUrlAliases && { baseUrlAliases }),
    ...(credentials && { credentials }),
    ...(names !== undefined && { names }),
    ...(expectedAccount !== undefined && { expectedAccount }),
    faults,
  };
}

/** What the names file says; a file that cannot be used is a fault of its own. */
export function installationOf(env: NodeJS.ProcessEnv, configured: ConfigLookup): Installation {
  const names = createReader(env, configured)("names");
  try {
    return { reservedPrefix: resolveNames(names === undefined ? {} : { names }, {}).reservedPrefix };
  } catch (error) {
    if (error instanceof InvalidInputError) return { reservedPrefix: resolveNames({}, {}).reservedPrefix };
    throw error;
  }
}

/** The secret settings, wherever they are set. */
export function listSecretSettings(env: NodeJS.ProcessEnv, configured: ConfigLookup): string[] {
  const read = createReader(env, configured);
  return listMarkedFields(providerConfig).flatMap(([name, , { secret: isSecret }]) =>
    isSecret === true ? (read(name as ConfigSetting) ?? []) : [],
  );
}

function createReader(env: NodeJS.ProcessEnv, configured: ConfigLookup): ConfigLookup {
  return (name) => env[ENVIRONMENT[name]] || configured(name) || undefined;
}

function readBaseUrl(read: ConfigLookup): string {
  const baseUrl = read("baseUrl");
  if (baseUrl !== undefined) return parseBaseUrl(baseUrl);
  throw new InvalidInputError("baseUrl", configProblems.noBaseUrl.message());
}

function readBaseUrlAliases(read: ConfigLookup): string[] {
  const given = (read("baseUrlAliases") ?? "").split(",").map((each) => each.trim());
  return given.filter((each) => each !== "").map(parseBaseUrl);
}

/** A file that cannot be used is reported before anything is planned with it. */
function readNamesSetting(read: ConfigLookup): string | undefined {
  const names = read("names");
  if (names !== undefined) resolveNames({ names }, {});
  return names;
}

const CREDENTIALS: readonly ConfigSetting[] = ["accessToken", "clientId", "clientSecret", "refreshToken"];

/** The environment behind settings that win over it: one given credential stands for all of them. */
export function hideOverriddenVariables(env: NodeJS.ProcessEnv, given: ConfigLookup): NodeJS.ProcessEnv {
  const hasCredentials = CREDENTIALS.some((name) => given(name) !== undefined);
  const hidden = [
    ...(["baseUrl", "baseUrlAliases", "names", "expectedAccount"] as const).filter(
      (name) => given(name) !== undefined,
    ),
    ...(hasCredentials ? CREDENTIALS : []),
  ];
  return { ...env, ...Object.fromEntries(hidden.map((name) => [ENVIRONMENT[name], undefined])) };
}

function readCredentials(read: ConfigLookup): Credentials {
  // Read at each request: an environment variable that was rotated is honoured.
  if (read("accessToken") !== undefined) return { kind: "token", accessToken: () => read("accessToken") };
  const [clientId, clientSecret, refreshToken] = [
    read("clientId"),
    read("clientSecret"),
    read("refreshToken"),
  ];
  if (clientId !== undefined && clientSecret !== undefined && refreshToken !== undefined) {
    return { kind: "oauth", clientId, clientSecret, refreshToken };
  }
  const given = { clientId, clientSecret, refreshToken };
  const missing = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length < 3) {
    throw new InvalidInputError(
      missing[0] ?? "clientId",
      `OAuth needs clientId, clientSecret and refreshToken; missing: ${missing.join(", ")}.`,
    );
  }
  throw new InvalidInputError("accessToken", configProblems.noAccessToken.message());
}
