import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROVISIONING_TIMEOUT_MS } from "./harness";
import { everythingShown, expectSuccess, outputOf, PRELUDE, startStack, type Stack } from "./stack";

const DB_PASS = "db-pass-b2f1c6";
const VALUE = "secret-value-7d0a3e";
const BRANCH_SECRET = "branch-secret-91c2aa";
const FIRST_TOKEN_VALUE = "rotated-value-55ee10";
const VERIFIER = "a-verifier-of-at-least-forty-three-characters";
/** What the script answers; its text says only of what it is made. */
const RESULT = createHash("md5").update("seed").digest("hex");

const HIDDEN_RESULT = createHash("md5").update("hidden seed").digest("hex");
/** Of an `.env` file, with what other parsers cut or change. */
const ENV_FILE = `# mail
MAIL_PASSWORD=ab#12!x-c41f
CLIENT_JSON="{\\"project\\":\\"shop-a77e\\"}" # of the shop
export EMPTY=
DOLLAR='pa$WORD-9be2'
EXPANDED=pa$WORD-5d10
KEY="-----BEGIN KEY-----
line-two-88aa
"
`;
const ENV_VALUES = {
  MAIL_PASSWORD: "ab#12!x-c41f",
  CLIENT_JSON: '{"project":"shop-a77e"}',
  EMPTY: "",
  DOLLAR: "pa$WORD-9be2",
  EXPANDED: "pa$WORD-5d10",
  KEY: "-----BEGIN KEY-----\nline-two-88aa\n",
};

const program = `${PRELUDE}
const config = new pulumi.Config();
const project = new management.Project("app", {
  name: "shop", organizationSlug: "acme", dbPass: "${DB_PASS}", region: "eu-central-1",
});
const projectRef = project.ref;
new management.Secret("plain", { projectRef, name: "PLAIN", value: process.env.NEXT_VALUE ?? "${VALUE}" });
const branch = new management.Branch("preview", { projectRef, name: "preview", secrets: { TOKEN: "${BRANCH_SECRET}" } });
const key = new management.ApiKey("backend", { projectRef, type: "secret", name: "backend" });
const script = new management.SqlScript(
  "token",
  { projectRef, name: "token", query: "select md5('seed') as token" },
  { additionalSecretOutputs: ["result"] },
);
new management.SqlScript("hidden", {
  projectRef, name: "hidden", query: pulumi.secret("select md5('hidden seed') as token"),
});
new management.SecretSet("environment", { projectRef, envFile: "functions.env" });
const authorization = management.getAuthorizeUrlOutput({
  clientId: "0f8fad5b-d9cb-469f-a165-70867728950e",
  redirectUri: "https://app.example.com/callback",
  codeVerifier: pulumi.secret("${VERIFIER}"),
});
exports.token = script.result.apply(([row]) => row?.token);
exports.authorizeUrl = authorization.url;
exports.key = key.apiKey;
exports.password = branch.password;
exports.jwtSecret = branch.jwtSecret;
exports.upperKey = key.apiKey.apply((value) => value.toUpperCase());
`;

describe("secrets", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack(program);
    writeFileSync(join(stack.projectDir, "functions.env"), ENV_FILE);
  }, PROVISIONING_TIMEOUT_MS);
  afterAll(() => stack.dispose());

  it("are nowhere in clear: not in state, output or events, through a stack's whole life and its errors", async () => {
    const { workspace, emulator } = stack;
    const results = [
      await workspace.preview({ extraArgs: ["--diff"] }),
      await workspace.up({ extraArgs: ["--diff"] }),
    ];
    for (const result of results) expectSuccess(result);
    const shown = await workspace.outputs({ showSecrets: true });
    const hidden = await workspace.outputs();
    expect(shown).toMatchObject({ token: RESULT });
    expect(hidden).toEqual({
      token: "[secret]",
      authorizeUrl: "[secret]",
      key: "[secret]",
      password: "[secret]",
      jwtSecret: "[secret]",
      upperKey: "[secret]",
    });
    const [project] = emulator.world.state.projects.values();
    const set = [...(project?.secrets ?? [])].map(([name, { value }]) => [name, value]);
    expect(Object.fromEntries(set)).toEqual({ ...ENV_VALUES, PLAIN: VALUE });
    const warned = results
      .map((result) => outputOf(result))
      .filter((text) => text.includes("the values of `EXPANDED` contain `$`"));
    expect(warned).toHaveLength(2);
    const secrets = [
      HIDDEN_RESULT,
      ...Object.values(ENV_VALUES)
        .flatMap((value) => value.split("\n"))
        .filter((line) => /-[0-9a-f]{4}/.test(line)),
      DB_PASS,
      VALUE,
      BRANCH_SECRET,
      RESULT,
      VERIFIER,
      emulator.accessToken,
      ...Object.values(shown).map(String),
    ];

    const [ref = ""] = emulator.control.call("listProjects", {}).map((project) => project.ref);
    emulator.control.call("createSecrets", { ref, body: [{ name: "PLAIN", value: "somebody-else-31f0" }] });
    results.push(await workspace.refresh({ extraArgs: ["--diff"] }));
    results.push(await workspace.up({ extraArgs: ["--diff"], env: { NEXT_VALUE: FIRST_TOKEN_VALUE } }));
    for (const result of results.slice(2)) expectSuccess(result);

    // A service that repeats what it was sent must not make us repeat it.
    emulator.control.addFault({
      operation: "createSecrets",
      status: 400,
      message: `cannot store ${VALUE} for ${emulator.accessToken}`,
      times: 20,
    });
    const failed = await workspace.up({ env: { NEXT_VALUE: VALUE } });
    expect(failed.exitCode).not.toBe(0);
    expect(failed.stdout + failed.stderr).toContain("cannot store [secret]");
    results.push(failed);
    emulator.control.clearFaults();

    const everything = everythingShown(stack, ...results);
    expect(everything).toContain("omitted, because it may contain secrets");
    for (const secret of [...secrets, FIRST_TOKEN_VALUE]) {
      expect({ secret, isShown: everything.includes(secret) }).toEqual({ secret, isShown: false });
    }
  });

  it("change places without a diff when the token is rotated", async () => {
    const { workspace, emulator } = stack;
    expectSuccess(await workspace.up({ env: { NEXT_VALUE: VALUE } }));
    const rotated = emulator.control.createToken();
    emulator.control.revokeToken(emulator.accessToken);
    const env = { MANAGEMENT_ACCESS_TOKEN: rotated, NEXT_VALUE: VALUE };
    const up = await workspace.up({ env });
    expectSuccess(up);
    expect(up.summary).toMatchObject({ update: 0, replace: 0 });
    expectSuccess(await workspace.refresh({ env }));
    expectSuccess(await workspace.destroy({ env }));
    expect(emulator.control.call("listProjects", {})).toEqual([]);
  });
});
