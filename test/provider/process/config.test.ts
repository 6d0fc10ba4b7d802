import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { InvalidInputError } from "../../../provider/client/errors/errors";
import { unwrapSchema } from "../../../spec/shape-of";
import {
  hideOverriddenVariables,
  providerConfig,
  resolveConnection,
  type ConfiguredConnection,
} from "../../../provider/process/config";
import { ACME_FILE } from "../../spec/names/acme";

const BASE_URL = "https://api.example.com";
const OAUTH = { clientId: "client-1", clientSecret: "client-secret-1", refreshToken: "refresh-1" };

function resolve(
  env: NodeJS.ProcessEnv,
  config: Readonly<Record<string, string>> = {},
): ConfiguredConnection {
  return resolveConnection(env, (name) => config[name]);
}

function refusalOf(env: NodeJS.ProcessEnv, config: Readonly<Record<string, string>> = {}): InvalidInputError {
  try {
    resolve(env, config);
  } catch (error) {
    if (error instanceof InvalidInputError) return error;
    throw error;
  }
  throw new Error("The configuration was taken");
}

async function tokenOf({ credentials }: ConfiguredConnection): Promise<string | undefined> {
  if (credentials.kind !== "token") throw new Error("OAuth credentials, where a token was expected");
  return credentials.accessToken();
}

describe("the configuration", () => {
  it("is taken from the stack's where the environment says nothing", async () => {
    const connection = resolve({}, { baseUrl: BASE_URL, accessToken: "from-config" });
    expect(connection.baseUrl).toBe(BASE_URL);
    expect(await tokenOf(connection)).toBe("from-config");
  });

  it("is overruled by the environment, setting by setting", async () => {
    const env = { MANAGEMENT_ACCESS_TOKEN: "from-environment" };
    const connection = resolve(env, { baseUrl: BASE_URL, accessToken: "from-config" });
    expect(connection.baseUrl).toBe(BASE_URL);
    expect(await tokenOf(connection)).toBe("from-environment");
    const elsewhere = resolve(
      { ...env, MANAGEMENT_BASE_URL: "http://127.0.0.1:4000" },
      { baseUrl: BASE_URL },
    );
    expect(elsewhere.baseUrl).toBe("http://127.0.0.1:4000");
  });

  it("may name the account that the token must belong to, from either place", () => {
    const config = { baseUrl: BASE_URL, accessToken: "a-token", expectedAccount: "owner" };
    expect(resolve({}, config).expectedAccount).toBe("owner");
    expect(resolve({ MANAGEMENT_EXPECTED_ACCOUNT: "other" }, config).expectedAccount).toBe("other");
    expect(resolve({}, { baseUrl: BASE_URL, accessToken: "a-token" })).not.toHaveProperty("expectedAccount");
  });

  it("does not take an empty environment variable for a setting", async () => {
    const env = { MANAGEMENT_BASE_URL: "", MANAGEMENT_ACCESS_TOKEN: "" };
    const connection = resolve(env, { baseUrl: BASE_URL, accessToken: "from-config" });
    expect(connection.baseUrl).toBe(BASE_URL);
    expect(await tokenOf(connection)).toBe("from-config");
  });

  it("has its token looked up at each request, so that a rotated one is honoured", async () => {
    const env: NodeJS.ProcessEnv = { MANAGEMENT_BASE_URL: BASE_URL, MANAGEMENT_ACCESS_TOKEN: "first" };
    const connection = resolve(env);
    env["MANAGEMENT_ACCESS_TOKEN"] = "second";
    expect(await tokenOf(connection)).toBe("second");
  });

  it("may name an OAuth application, from either place", () => {
    const { credentials } = resolve(
      { MANAGEMENT_CLIENT_SECRET: OAUTH.clientSecret },
      { baseUrl: BASE_URL, clientId: OAUTH.clientId, refreshToken: OAUTH.refreshToken },
    );
    expect(credentials).toEqual({ kind: "oauth", ...OAUTH });
  });

  it("uses the token where both a token and an OAuth application are given", async () => {
    const connection = resolve({}, { baseUrl: BASE_URL, accessToken: "a-token", ...OAUTH });
    expect(await tokenOf(connection)).toBe("a-token");
  });

  it("describes every setting with its environment variable", () => {
    for (const field of Object.values(providerConfig.shape)) {
      expect(unwrapSchema(field).description).toMatch(/Environment: MANAGEMENT_[A-Z_]+\.$/);
    }
  });
});

describe("what is missing is named", () => {
  it("the base URL, with both ways to set it", () => {
    const error = refusalOf({}, { accessToken: "a-token" });
    expect(error.path).toBe("baseUrl");
    expect(error.message).toContain("MANAGEMENT_BASE_URL");
    expect(error.message).toContain("pulumi config set management:baseUrl");
  });

  it("the access token, with all ways to prove who one is", () => {
    const error = refusalOf({}, { baseUrl: BASE_URL });
    expect(error.path).toBe("accessToken");
    for (const name of [
      "MANAGEMENT_ACCESS_TOKEN",
      "pulumi config set --secret management:accessToken",
      "MANAGEMENT_CLIENT_ID",
      "MANAGEMENT_CLIENT_SECRET",
      "MANAGEMENT_REFRESH_TOKEN",
    ]) {
      expect(error.message).toContain(name);
    }
  });

  it.each([
    [["clientId"], ["clientSecret", "refreshToken"]],
    [["clientSecret"], ["clientId", "refreshToken"]],
    [["refreshToken"], ["clientId", "clientSecret"]],
    [["clientId", "clientSecret"], ["refreshToken"]],
    [["clientId", "refreshToken"], ["clientSecret"]],
    [["clientSecret", "refreshToken"], ["clientId"]],
  ] as const)("of an OAuth application given by %j: %j", (given, missing) => {
    const config = Object.fromEntries(given.map((name) => [name, OAUTH[name]]));
    const error = refusalOf({}, { baseUrl: BASE_URL, ...config });
    expect(error.path).toBe(missing[0]);
    expect(error.message).toContain(`missing: ${missing.join(", ")}.`);
    for (const secret of Object.values(OAUTH)) expect(error.message).not.toContain(secret);
  });
});

describe("a bad base URL", () => {
  it.each([
    ["no URL", "api.example.com"],
    ["unencrypted, and not on this machine", "http://api.example.com"],
    ["of another protocol", "ftp://user:hush-hush@api.example.com"],
    ["with a password in it", "https://user:hush-hush@api.example.com"],
    ["with a query", "https://api.example.com/?a=b"],
  ])("is refused: %s", (_what, baseUrl) => {
    const error = refusalOf({ MANAGEMENT_BASE_URL: baseUrl, MANAGEMENT_ACCESS_TOKEN: "a-token" });
    expect(error.path).toBe("baseUrl");
    expect(error.message).toMatch(/base ?URL/i);
    expect(error.message).not.toContain("hush-hush");
  });

  it.each([
    "http://localhost:8080",
    "http://127.0.0.1:8080",
    "http://[::1]:8080",
    "https://api.example.com/",
  ])("is none: %s", (baseUrl) => {
    // A slash at the end is the same address: the journal must know it again.
    expect(resolve({ MANAGEMENT_BASE_URL: baseUrl, MANAGEMENT_ACCESS_TOKEN: "a-token" }).baseUrl).toBe(
      baseUrl.replace(/\/$/, ""),
    );
  });
});

describe("a names file", () => {
  const env = { MANAGEMENT_BASE_URL: BASE_URL, MANAGEMENT_ACCESS_TOKEN: "a-token" };

  it("is taken from either place, the environment first", () => {
    expect(resolve(env).names).toBeUndefined();
    expect(resolve(env, { names: ACME_FILE }).names).toBe(ACME_FILE);
    expect(resolve({ ...env, MANAGEMENT_NAMES: ACME_FILE }, { names: "elsewhere.json" }).names).toBe(
      ACME_FILE,
    );
  });

  it("begins at the working directory where its path is relative", () => {
    const path = relative(process.cwd(), ACME_FILE);
    expect(resolve(env, { names: path }).names).toBe(path);
  });

  it("that a program gives its provider wins over the environment's", () => {
    const behind = hideOverriddenVariables({ ...env, MANAGEMENT_NAMES: "elsewhere.json" }, (name) =>
      name === "names" ? ACME_FILE : undefined,
    );
    expect(resolve(behind, { names: ACME_FILE }).names).toBe(ACME_FILE);
  });

  it("that is not there is named, with what to do", () => {
    const error = refusalOf(env, { names: "nowhere.json" });
    expect(error.path).toBe("names");
    expect(error.message).toContain(join(process.cwd(), "nowhere.json"));
    expect(error.message).toMatch(/cannot be read \(ENOENT\): give the path of a file/);
  });

  it("with faults is refused with the line of each", () => {
    const folder = mkdtempSync(join(tmpdir(), "management-names-"));
    const file = join(folder, "names.json");
    writeFileSync(file, '{\n  "paths": { "crypto-ext": "a",\n    "crypto-ext": "b" },\n  "fields": []\n}\n');
    const error = refusalOf(env, { names: file });
    rmSync(folder, { recursive: true });
    expect(error.path).toBe("names");
    expect(error.message).toContain(`The names file ${file} is refused: `);
    expect(error.message).toContain(
      'line 3: "crypto-ext" is there a second time: give each placeholder one word; line 4: ',
    );
  });
});
