import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../tools/engine/engine";
import type { OperationName, OperationResult } from "../../tools/engine/workspace";
import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack, type YamlStack } from "./plugin-stack";
import { sightSecrets } from "./secrets-in-grpc";
import { everythingShown, expectSuccess, outputOf } from "./stack";

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

const newKey = () => ({
  kty: "EC",
  ...generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }),
});
const PRIVATE_JWK = newKey();
const FAULTY_JWK = newKey();

const DB_PASS = "db-pass-b2f1c6";
const FIRST = "first-value-7d0a3e";
const NEXT = "next-value-55ee10";
const BRANCH = "branch-value-91c2aa";
const NEXT_BRANCH = "next-branch-value-40f7bd";
const BY_HAND = "value-by-hand-31f0";

interface Values {
  readonly value: string;
  readonly branch: string;
  readonly description: string;
  readonly jwk?: object;
}

const secret = (value: unknown): object => ({ "fn::secret": value });

/** Some of the resources by the default provider, some by one of their own with these settings. */
function program(ownSettings: object, { value, branch, description, jwk = PRIVATE_JWK }: Values): string {
  const byOwn = { provider: "${own}" };
  const sections = {
    ...("accessToken" in ownSettings ? { config: { token: { type: "string", secret: true } } } : {}),
    resources: {
      own: { type: "pulumi:providers:management", properties: ownSettings },
      app: declare("Project", {
        name: "shop",
        organizationSlug: "acme",
        dbPass: secret(DB_PASS),
        region: "eu-central-1",
      }),
      // In clear in the program: that they are secrets is what the schema says.
      plain: declare("Secret", { projectRef: "${app.ref}", name: "PLAIN", value }),
      preview: declare(
        "Branch",
        { projectRef: "${app.ref}", name: "preview", secrets: { TOKEN: branch } },
        byOwn,
      ),
      backend: declare(
        "ApiKey",
        { projectRef: "${app.ref}", type: "secret", name: "backend", description },
        byOwn,
      ),
      signing: declare("SigningKey", {
        projectRef: "${app.ref}",
        algorithm: "ES256",
        status: "standby",
        privateJwk: jwk,
      }),
    },
    variables: {
      keys: {
        "fn::invoke": {
          function: "management:index:getApiKeys",
          arguments: { projectRef: "${backend.projectRef}" },
          options: byOwn,
        },
      },
    },
    outputs: { key: "${backend.apiKey}", password: "${preview.password}", keys: "${keys.apiKeys}" },
  };
  return Object.entries(sections)
    .map(([name, section]) => `${name}: ${JSON.stringify(section)}\n`)
    .join("");
}

const ways: readonly (readonly [way: string, env: Environment, ownSettings: object])[] = [
  ["comes from the environment", {}, {}],
  [
    "is a secret of the stack's configuration",
    { MANAGEMENT_BASE_URL: undefined, MANAGEMENT_ACCESS_TOKEN: undefined },
    { baseUrl: "${management:baseUrl}", accessToken: "${token}" },
  ],
];

describe.each(ways)("with a token that %s, the plugin", (_way, env, ownSettings) => {
  let stack: YamlStack;
  const results: OperationResult[] = [];
  const grpcLogs: string[] = [];
  const states: string[] = [];

  const write = (values: Values): void => stack.rewrite(program(ownSettings, values));
  const run = async (command: OperationName, ...more: string[]): Promise<OperationResult> => {
    const log = join(stack.projectDir, `grpc-${results.length}.jsonl`);
    const result = await stack.workspace[command]({
      extraArgs: ["--diff", ...more],
      env: { ...env, PULUMI_DEBUG_GRPC: log },
    });
    results.push(result);
    grpcLogs.push(log);
    states.push(stack.workspace.readStateFile());
    return result;
  };
  const expectFailure = (result: OperationResult, text: string): void => {
    expect({ isFailed: result.exitCode !== 0, output: outputOf(result) }).toEqual({
      isFailed: true,
      output: expect.stringContaining(text) as string,
    });
  };

  beforeAll(async () => {
    stack = await startYamlStack(program(ownSettings, { value: FIRST, branch: BRANCH, description: "one" }));
    const { workspace, emulator } = stack;
    if (Object.keys(env).length === 0) return;
    await workspace.config("management:baseUrl", emulator.url);
    await workspace.config("management:accessToken", emulator.accessToken, { secret: true });
    await workspace.config("token", emulator.accessToken, { secret: true });
  }, PROVISIONING_TIMEOUT_MS);
  afterAll(() => stack.dispose());

  it("tells no secret: not in state, output, events or gRPC, through a stack's whole life and its errors", async () => {
    const { emulator, workspace } = stack;
    const { control, accessToken } = emulator;
    const first = { value: FIRST, branch: BRANCH, description: "one" };

    write({ ...first, jwk: { ...FAULTY_JWK, kty: "RSA" } });
    expectFailure(await run("preview"), "privateJwk");
    write(first);
    expectSuccess(await run("preview"));

    // A service that repeats what it was sent must not make us repeat it.
    const repeating = (...secrets: string[]): string =>
      `cannot take ${secrets.join(" with ")} of ${accessToken}`;
    control.addFault({ operation: "getHealth", status: 422, message: repeating(DB_PASS), times: 10 });
    expectFailure(await run("up"), "cannot take [secret] of [secret]");
    control.clearFaults();
    expectSuccess(await run("up"));
    expectSuccess(await run("up"));

    const shown = await workspace.outputs({ showSecrets: true });
    const hidden = await workspace.outputs();
    expect(hidden).toMatchObject({ key: "[secret]", password: "[secret]" });
    const state = (await workspace.exportStack({ showSecrets: true })).deployment.resources ?? [];
    const outputOfResource = (type: string, name: string): string => {
      const found = state.find((one) => one.type === `management:index:${type}`)?.outputs?.[name];
      const { plaintext } = found as { plaintext: string };
      return String(JSON.parse(plaintext));
    };
    const password = outputOfResource("Branch", "password");
    const jwtSecret = outputOfResource("Branch", "jwtSecret");
    expect(password).toBe(shown["password"]);
    const [ref = ""] = control.call("listProjects", {}).map((project) => project.ref);
    const keys = control.call("listApiKeys", { ref, reveal: true }).flatMap(({ api_key }) => api_key ?? []);
    expect(keys).toContain(shown["key"]);
    expect(keys.length).toBeGreaterThan(2);

    control.call("createSecrets", { ref, body: [{ name: "PLAIN", value: BY_HAND }] });
    expectSuccess(await run("refresh"));

    const key = String(shown["key"]);
    write({ value: NEXT, branch: NEXT_BRANCH, description: "two" });
    expectSuccess(await run("preview"));
    const branchRef = state.find(({ type }) => type.endsWith(":Branch"))?.id ?? "";
    const refuse = (pathContains: string, method: string, ...repeated: string[]): void => {
      const message = repeating(...repeated);
      control.addFault({ pathContains, method, status: 400, message, times: 20 });
    };
    refuse(`${branchRef}/secrets`, "POST", BRANCH, NEXT_BRANCH, password, jwtSecret);
    refuse(`${ref}/secrets`, "POST", NEXT);
    refuse(`${ref}/api-keys`, "PATCH", key);
    // Otherwise the first failure keeps the others from being tried, on a slow machine.
    const failed = await run("up", "--continue-on-error");
    expect(outputOf(failed).match(/cannot take \[secret\] of \[secret\]/g)).toHaveLength(2);
    expectFailure(failed, "cannot take [secret] with [secret] with [secret] with [secret] of [secret]");
    control.clearFaults();
    expectSuccess(await run("up"));
    expectSuccess(await run("destroy"));
    expect(control.call("listProjects", {})).toEqual([]);

    const secrets = [
      ...[DB_PASS, FIRST, NEXT, BRANCH, NEXT_BRANCH, BY_HAND, accessToken, password, jwtSecret, ...keys],
      ...[PRIVATE_JWK.d, FAULTY_JWK.d].map(String),
    ];
    const everything = [everythingShown(stack, ...results), ...states].join("\n");
    expect(secrets.filter((one) => everything.includes(one))).toEqual([]);
    expect(everything).toContain("[secret]");

    const sightings = grpcLogs.map((file) => sightSecrets(file, secrets));
    expect(sightings.flatMap(({ leaks }) => leaks)).toEqual([]);
    const marked = new Set(sightings.flatMap((one) => [...one.marked]));
    const carried = new Set(sightings.flatMap((one) => [...one.carried]));
    const isConfigured = Object.keys(env).length > 0;
    // Nothing is looked for in vain: each secret is in the log where the protocol carries it.
    expect(secrets.filter((one) => !marked.has(one))).toEqual([
      BY_HAND,
      ...(isConfigured ? [] : [accessToken]),
    ]);
    expect([...carried]).toEqual(isConfigured ? [accessToken] : []);
    expect(readFileSync(grpcLogs[0] ?? "", "utf8")).toContain("ResourceProvider/Check");
  });
});
