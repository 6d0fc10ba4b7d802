import { existsSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listEnvSecrets, omitForgeTokens } from "../../previews/job-secrets";
import { run } from "../../previews/run";
import { useFakePulumi } from "./fake-pulumi";

const pulumi = useFakePulumi();
const FORGES = /^(?:GITHUB|GITLAB|CI)_/;
beforeEach(() => {
  for (const name of Object.keys(process.env).filter((each) => FORGES.test(each)))
    Reflect.deleteProperty(process.env, name);
});
const at = (name: string): string => join(pulumi.folder, name);

async function command(...args: string[]): Promise<{ code: number; said: string }> {
  let said = "";
  const write = (text: string): void => void (said += text);
  return { code: await run(args, { out: write, err: write }), said };
}

const up = (...more: string[]): Promise<{ code: number; said: string }> =>
  command(
    ...["run", "--project", "p".repeat(20), "--repository", "https://forge.example.com/acme/shop"],
    ...["--number", "7", "--git-branch", "feature", "--work-dir", pulumi.folder],
    ...more,
    ...["--", "pulumi", "up", "--yes"],
  );

/** Variables of a job, each with what of it is secret. */
const SECRETS: Readonly<Record<string, readonly [value: string, ...secrets: string[]]>> = {
  MANAGEMENT_ACCESS_TOKEN: ["mgt_0123456789", "mgt_0123456789"],
  MANAGEMENT_CLIENT_SECRET: ["oauth-client-5678", "oauth-client-5678"],
  PULUMI_ACCESS_TOKEN: ["pul-9876543210", "pul-9876543210"],
  PULUMI_CONFIG_PASSPHRASE: ["correct horse battery", "correct horse battery"],
  PULUMI_BACKEND_URL: [
    "postgres://states:hunt%40r2@db.example.com/x?password=parametric&auth_code=4711-0815&sslmode=require",
    ...["hunt%40r2", "hunt@r2", "parametric", "4711-0815"],
  ] as const,
  AWS_SECRET_ACCESS_KEY: ["wJalrXUtnFEMI/K7MDENG", "wJalrXUtnFEMI/K7MDENG"],
  AWS_SESSION_TOKEN: ["aws-session-31415", "aws-session-31415"],
  AZURE_STORAGE_KEY: ["azure-key-27182", "azure-key-27182"],
  ARM_CLIENT_SECRET: ["arm-secret-16180", "arm-secret-16180"],
  GOOGLE_CREDENTIALS: [
    '{"type": "service_account", "private_key": "google-private-14142", "client_id": "plain-id"}',
    "google-private-14142",
  ],
  GITHUB_TOKEN: ["ghs_1020304050", "ghs_1020304050"],
  CI_REPOSITORY_URL: ["https://gitlab-ci-token:job-token-5772@gitlab.example.com/x.git", "job-token-5772"],
  DATABASE_URL: ["postgres://app:app-password-1@db.example.com/app", "app-password-1"],
  PGPASSWORD: ["pg-password-2", "pg-password-2"],
  STRIPE_API_KEY: ["sk_live_3", "sk_live_3"],
  PIN: ["not-by-its-name"],
};
const all = Object.values(SECRETS).flatMap(([, ...secrets]) => secrets);
const environment = Object.fromEntries(Object.entries(SECRETS).map(([name, [value]]) => [name, value]));

it("knows the secrets of an environment by the names of its variables, and in addresses", () => {
  const found = listEnvSecrets(environment);
  expect(all.filter((secret) => !found.includes(secret))).toEqual([]);
  expect(found).not.toContain("plain-id");
  expect(found).not.toContain("require");
  expect(found).not.toContain("not-by-its-name");
});

it.each([
  ["PWD", "/home/runner/work"],
  ["SSH_AUTH_SOCK", "/tmp/agent.1"],
  ["AWS_WEB_IDENTITY_TOKEN_FILE", "/var/run/token"],
  ["AWS_ACCESS_KEY_ID", "AKIA000"],
  ["USE_TOKEN", "true"],
  ["MONKEY_BUSINESS", "as-usual"],
])("takes no other variable for a secret: %s", (name, value) => {
  expect(listEnvSecrets({ [name]: value })).toEqual([]);
});

it("knows the passphrase that is in a file", () => {
  writeFileSync(at("passphrase"), "from a file 12\n");
  expect(listEnvSecrets({ PULUMI_CONFIG_PASSPHRASE_FILE: at("passphrase") })).toEqual(["from a file 12"]);
});

describe("a run that fails with every secret in its error", () => {
  // The values are read by the script, so that this test's own environment stands for that of the job.
  const fail = (): void => {
    Object.assign(process.env, environment);
    writeFileSync(at("said.txt"), all.map((secret) => `error: refused ${secret}!`).join("\n"));
    pulumi.ups("cat said.txt >&2; exit 1\n");
  };

  it("tells none of them in its output, its report or the text of a comment", async () => {
    fail();
    pulumi.outputs({ summary: `### Preview ${all.join(" ")}` });
    const { code, said } = await up("--report", at("run.json"), "--comment-file", at("comment.md"));
    expect(code).toBe(1);
    const texts = [said, readFileSync(at("run.json"), "utf8"), readFileSync(at("comment.md"), "utf8")];
    for (const text of texts) {
      expect(text).toContain("refused [secret]");
      expect(all.filter((secret) => text.includes(secret))).toEqual([]);
    }
  });

  it("writes files that only their user can read, whatever was there, and follows no link", async () => {
    fail();
    writeFileSync(at("run.json"), "{}", { mode: 0o644 });
    writeFileSync(at("victim"), "stays");
    symlinkSync(at("victim"), at("comment.md"));
    pulumi.outputs({});
    await up("--report", at("run.json"), "--comment-file", at("comment.md"));
    for (const file of ["run.json", "comment.md"]) {
      expect(lstatSync(at(file)).isFile()).toBe(true);
      expect(statSync(at(file)).mode & 0o777).toBe(0o600);
    }
    expect(readFileSync(at("victim"), "utf8")).toBe("stays");
  });

  it("writes a comment's text to a stream that is named as a file", async () => {
    fail();
    pulumi.outputs({});
    expect((await up("--comment-file", "/dev/null")).code).toBe(1);
    expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
  });
});

it("what the engine prints is no command of the forge, and keeps its colours", async () => {
  writeFileSync(at("said.txt"), "::add-mask::x\n\u001b[31merror:\u001b[0m \u001b]52;c;eA==\u0007\n");
  pulumi.ups("cat said.txt\n");
  const { said } = await up();
  expect(said).toContain(String.raw`\u003a:add-mask::x`);
  expect(said).toContain(`\u001b[31merror:\u001b[0m ${String.raw`\u001b]52;c;eA==\u0007`}`);
});

it("a command gets its own variables, and no token of the forge", async () => {
  Object.assign(process.env, environment, { gh_token: "lower-case-token", CI_JOB_TOKEN: "job-token" });
  pulumi.ups("env > environment.txt\n");
  expect((await up()).code).toBe(0);
  const passed = readFileSync(at("environment.txt"), "utf8");
  for (const name of ["GITHUB_TOKEN", "CI_JOB_TOKEN", "CI_REPOSITORY_URL", "gh_token"])
    expect(passed).not.toMatch(new RegExp(`^${name}=`, "m"));
  for (const name of ["MANAGEMENT_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE", "STRIPE_API_KEY", "PATH"])
    expect(passed).toMatch(new RegExp(`^${name}=`, "m"));
});

it("a token by which a program asks for an identity stays", () => {
  const oidc = { ACTIONS_ID_TOKEN_REQUEST_TOKEN: "x", ACTIONS_ID_TOKEN_REQUEST_URL: "https://y" };
  expect(omitForgeTokens({ ...oidc, GITLAB_TOKEN: "z" })).toEqual(oidc);
});

describe("env", () => {
  const env = (...more: string[]): Promise<{ code: number; said: string }> =>
    command("env", "--stack", "pr-7", "--work-dir", pulumi.folder, "--file", at(".env"), ...more);

  it.each(
    Object.entries(SECRETS).flatMap(([name, [, ...secrets]]) =>
      /^(?:DATABASE_URL|PGPASSWORD|STRIPE_API_KEY)$/.test(name)
        ? []
        : secrets.map((secret) => [name, secret]),
    ),
  )("leaves out a value that holds the job's own %s", async (_name, secret) => {
    Object.assign(process.env, environment);
    pulumi.outputs({ apiUrl: "https://b.example.com", status: `refused ${secret}`, list: [{ secret }] });
    const { code, said } = await env();
    expect(code).toBe(0);
    expect(said).toContain("The output status is left out: it has a secret of the job in it.");
    expect(said).toContain("The output list is left out");
    expect(said).not.toContain(secret);
    expect(readFileSync(at(".env"), "utf8")).toContain("API_URL='https://b.example.com'");
    expect(readFileSync(at(".env"), "utf8")).not.toContain(secret);
  });

  it("leaves out an output that is called as a secret of the job", async () => {
    process.env["MANAGEMENT_ACCESS_TOKEN"] = "mgt_0123456789";
    pulumi.outputs({ mgt_0123456789: "x" });
    expect((await env("--prefix", "VITE_")).said).toContain("The output [secret] is left out");
    expect(readFileSync(at(".env"), "utf8")).not.toContain("MGT_");
  });

  it.each([
    ["a line end", "a\nBASH_ENV=/tmp/x"],
    ["a line end of another kind", "a\u2028b"],
    ["a carriage return", "a\rb"],
    ["a variable of the front end's tool", "${HOME}"],
    ["another one", "a$b"],
  ])("leaves out a value that has %s in it", async (_name, value) => {
    pulumi.outputs({ motto: value });
    expect((await env()).said).toContain("The output motto is left out: tools ");
    expect(readFileSync(at(".env"), "utf8")).not.toContain("MOTTO");
  });

  it("writes the stack's own secret outputs as they are", async () => {
    Object.assign(process.env, environment);
    const connection = "postgres://postgres:pa$$w@b.example.com/postgres";
    pulumi.outputs({}, { connectionString: connection });
    expect((await env("--secrets")).code).toBe(0);
    expect(readFileSync(at(".env"), "utf8")).toContain(`CONNECTION_STRING='${connection}'`);
    expect(existsSync(at(`.env.${process.pid}.new`))).toBe(false);
  });
});
