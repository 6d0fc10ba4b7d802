import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../../emulator";
import { readElsewhereTerraform } from "../../import/elsewhere";
import { run } from "../../import/run";
import { growProject, MAIL_PASSWORD, PAYMENT_TOKEN } from "../../tools/engine/grown-project";
import { useFolder } from "./sources/folder";
import { block, stateText, type Block } from "./sources/state";

const folder = useFolder();
let emulator: Emulator;
let ref: string;
let env: NodeJS.ProcessEnv;
beforeEach(async () => {
  emulator = await startEmulator();
  ref = growProject(emulator);
  emulator.control.clearCalls();
  env = {
    MANAGEMENT_BASE_URL: emulator.url,
    MANAGEMENT_ACCESS_TOKEN: emulator.accessToken,
    MANAGEMENT_TRACE: join(folder.path, "trace.jsonl"),
  };
});
afterEach(() => emulator.close());

const MAIN = { yaml: "Pulumi.yaml", python: "__main__.py" };

/** What the command prints, and the program that it writes. */
async function imported(...more: string[]): Promise<{ code: number; text: string; program: string }> {
  let text = "";
  const add = (line: string): void => {
    text += line;
  };
  const out = join(folder.path, "program");
  const code = await run(
    ["--project", ref, "--out", out, "--no-import", ...more],
    { out: add, err: add },
    env,
  );
  const writes = emulator.control
    .calls()
    .filter(({ method, operation }) => method !== "GET" && operation !== "runReadOnlyQuery");
  expect(writes).toEqual([]);
  for (const secret of [PAYMENT_TOKEN, MAIL_PASSWORD]) expect(text).not.toContain(secret);
  const [main = "index.ts"] = Object.entries(MAIN).flatMap(([name, file]) =>
    more.includes(name) ? [file] : [],
  );
  return { code, text, program: code === 0 ? readFileSync(join(out, main), "utf8") : "" };
}

function state(): string {
  const secrets = [
    { name: "PAYMENT_TOKEN", value: PAYMENT_TOKEN },
    { name: "MAIL_PASSWORD", value: "outdated" },
  ];
  const auth = JSON.stringify({ site_url: "https://old.example.com", jwt_exp: 3600 });
  const blocks: Block[] = [
    block("project", { id: ref, name: "shop", organization_id: "acme", region: "eu-central-1" }),
    block("settings", { id: ref, project_ref: ref, auth }),
    block("edge_function_secrets", { project_ref: ref, secrets }),
  ];
  return folder.write("state.json", stateText(blocks));
}

it.each([
  [
    "--from-config",
    "svc/config.toml",
    `[auth]
enable_signup = "env(SIGNUP)"
[auth.sessions]
timebox = "env(BOX)"
[auth.email.smtp]
enabled = true
host = "smtp.example.com"
port = 587
user = "apikey"
pass = "encrypted:BE9Y7LKANx77X1pv1HnEoil93fPa5c1rpL"
admin_email = "admin@example.com"
[edge_runtime.secrets]
TOKEN = "encrypted:BE9Y7LKANx77X1pv1HnEoil93fPa5c1rpL"
[db.vault]
TOKEN = "env(TOKEN)"`,
  ],
  [
    "--from-terraform",
    "state.json",
    stateText([
      block("settings", {
        id: "abcdefghijklmnopqrst",
        project_ref: "abcdefghijklmnopqrst",
        auth: JSON.stringify({ smtp_pass: "a".repeat(64) }),
      }),
      block("edge_function_secrets", {
        project_ref: "abcdefghijklmnopqrst",
        secrets: [{ name: "MAIL_PASSWORD", value: null }],
      }),
    ]),
  ],
])("%s sends nobody to a configuration value that the program does not read", async (option, name, text) => {
  const file = folder.write(name, text.replaceAll("abcdefghijklmnopqrst", ref));
  const { code, program, text: printed } = await imported(option, file);
  expect(code).toBe(0);
  const told = printed + readFileSync(join(folder.path, "program", "README.md"), "utf8");
  const named = [...told.matchAll(/configuration values? (\w+)/g)].map(([, value = ""]) => value);
  expect(named.filter((value) => !program.includes(`"${value}"`))).toEqual([]);
  expect(told).not.toMatch(/set (?:its|their) configuration values?/);
});

describe("--from-terraform", () => {
  it("takes over what the state manages, with the values of the service, and nothing else", async () => {
    const { code, program } = await imported("--from-terraform", state());
    expect(code).toBe(0);
    expect(
      [...program.matchAll(/^(?:const \w+ = )?new management\.(\w+)/gm)].map(([, type]) => type),
    ).toEqual(["Project", "AuthConfig", "Secret"]);
    expect(program).toMatch(/jwtExp: 3600/);
    expect(program).toMatch(/siteUrl: "https:\/\/shop\.example\.com"/);
    expect(program).not.toContain("mailer");
    expect(program).not.toContain(PAYMENT_TOKEN);
    expect(program).toMatch(/^\/\/ new management\.Secret\("mail-password"/m);
  });

  it.each([
    ["typescript", /timeouts: \{ create: 5400 \}/],
    ["python", /custom_timeouts=pulumi\.CustomTimeouts\(create="1h30m"\)/],
    ["yaml", /customTimeouts:\n\s+create: 1h30m\n/],
  ])("keeps the timeouts of a block, in %s", async (language, expected) => {
    const timeouts = { create: "1h30m", update: null, read: "5m" };
    const about = { id: ref, name: "shop", organization_id: "acme", region: "eu-central-1", timeouts };
    const file = folder.write("state.json", stateText([block("project", about)]));
    const { program } = await imported("--from-terraform", file, "--language", language);
    expect(program).toMatch(expected);
  });

  it("declares the size and the restart that the state has, and notes what the service does not show", async () => {
    const project = { id: ref, name: "shop", organization_id: "acme", region: "eu-central-1" };
    const database = JSON.stringify({ max_connections: 90, restart_database: true });
    const key = {
      id: "7f0c9a2e-3b1d-4c5e-8f6a-0b1c2d3e4f50",
      project_ref: ref,
      name: "gone",
      type: "secret",
    };
    const file = folder.write(
      "state.json",
      stateText([
        block("project", { ...project, instance_size: "micro", database_password: "given" }),
        block("settings", { id: ref, project_ref: ref, database }),
        block("apikey", key),
      ]),
    );
    const { code, program } = await imported("--from-terraform", file);
    expect(code).toBe(0);
    expect(program).toMatch(/instanceSize: "\w+"/);
    expect(program).toMatch(/restartDatabase: true/);
    const readme = readFileSync(join(folder.path, "program", "README.md"), "utf8");
    expect(readme).toMatch(/\| Project +\| shop +\| `dbPass`: the service does not show it/);
  });

  it("gives up in Terraform what is in the stack as a whole", () => {
    const { afterwards } = readElsewhereTerraform(state(), { projectRef: ref, out: folder.path, env });
    const commands = (...taken: string[]): string => afterwards(new Set(taken)).join("\n");
    expect(commands()).toBe("");
    expect(commands(`Project ${ref}`, `AuthConfig ${ref}`, `Secret ${ref}/PAYMENT_TOKEN`)).toContain(
      "terraform state rm \\\n  'svc_project.main' \\\n  'svc_settings.main'\n",
    );
    expect(commands(`Secret ${ref}/PAYMENT_TOKEN`, `Secret ${ref}/MAIL_PASSWORD`)).toContain(
      "state rm \\\n  'svc_edge_function_secrets.main'\n",
    );
  });

  it("does not give up in Terraform what has nothing to do with the project", () => {
    const secrets = [{ name: "PAYMENT_TOKEN", value: PAYMENT_TOKEN }];
    const file = folder.write(
      "empty.json",
      stateText([
        block("project", { id: ref, name: "shop", organization_id: "acme", region: "eu-central-1" }),
        block("edge_function_secrets", { project_ref: ref, secrets: [] }),
        { ...block("edge_function_secrets", { project_ref: "z".repeat(20), secrets }), name: "other" },
      ]),
    );
    const { afterwards } = readElsewhereTerraform(file, { projectRef: ref, out: folder.path, env });
    expect(afterwards(new Set()).join("\n")).toBe("");
  });

  it("says what the state manages and the service does not have", async () => {
    const key = {
      id: "7f0c9a2e-3b1d-4c5e-8f6a-0b1c2d3e4f50",
      project_ref: ref,
      name: "gone",
      type: "secret",
    };
    const file = folder.write("state.json", stateText([block("apikey", key)]));
    const { code, text, program } = await imported("--from-terraform", file);
    expect(code).toBe(0);
    expect(text).toContain("Not possible: ApiKey svc_apikey.main");
    expect(program).not.toContain("new management");
  });
});

describe("--from-config", () => {
  const config = (text: string): string => folder.write("svc/config.toml", text);

  it("declares the settings of the file beside what an import declares, and lists the differences first", async () => {
    const file = config(
      '[auth]\nsite_url = "https://shop.example.com"\njwt_expiry = 7200\n[db.ssl_enforcement]\nenabled = true\n',
    );
    const { code, text, program } = await imported("--from-config", file);
    expect(code).toBe(0);
    expect(text).toMatch(/`jwtExp` of AuthConfig is 7200 there, and 3600 on the service\./);
    expect(text).toMatch(/`database` of SslEnforcement is true there, and false on the service\./);
    expect(text).not.toMatch(/`siteUrl`/);
    expect(text.indexOf("`jwtExp`")).toBeLessThan(text.indexOf("The program is in"));
    expect(program).toMatch(/jwtExp: 7200/);
    expect(program).toMatch(/database: true/);
    expect(program).toMatch(/maxConnections: 120/);
  });

  it("lists no difference where the file and the project agree, and takes the secrets of the file", async () => {
    const secrets = `[edge_runtime.secrets]\nPAYMENT_TOKEN = "${PAYMENT_TOKEN}"\nMAIL_PASSWORD = "outdated"\n`;
    mkdirSync(join(folder.path, "svc"));
    const { code, text, program } = await imported(
      "--from-config",
      config(`[auth]\njwt_expiry = 3600\n${secrets}`),
    );
    expect(code).toBe(0);
    expect(text).not.toContain("on the service.");
    expect(text).toContain("Secret PAYMENT_TOKEN: the given value matches the service's.");
    expect(program).toContain('config.requireSecret("paymentTokenValue")');
    expect(program).not.toContain(PAYMENT_TOKEN);
  });
});

describe("secrets of the auth service in --from-config", () => {
  const file = (): string =>
    folder.write(
      "svc/config.toml",
      [
        "[auth.external.idp02]",
        'enabled = true\nclient_id = "shop"\nsecret = "env(PROVIDER_SECRET)"',
        "[auth.email.smtp]",
        'enabled = true\nhost = "mail.example.com"\nport = 587\nuser = "shop"\npass = "in-the-file"\nadmin_email = "a@example.com"',
      ].join("\n"),
    );

  it("are secrets of the stack where the file or the environment has their values", async () => {
    env = { ...env, PROVIDER_SECRET: "hush-hush" };
    const { code, text, program } = await imported("--from-config", file());
    expect(code).toBe(0);
    expect(program).toMatch(/secret: config\.requireSecret\("\w+"\)/);
    expect(program).toMatch(/password: config\.requireSecret\("\w+"\)/);
    for (const secret of ["hush-hush", "in-the-file"]) expect(text + program).not.toContain(secret);
  });

  it("are named in a note otherwise, with what cannot be declared without them", async () => {
    const { code, program } = await imported("--from-config", file());
    expect(code).toBe(0);
    expect(program).not.toContain("idp02");
    const readme = readFileSync(join(folder.path, "program", "README.md"), "utf8");
    expect(readme).toMatch(/is the secret PROVIDER\\?_SECRET, whose value is not known here/);
    expect(readme).toMatch(/AuthConfig.*external\.idp02.* cannot be declared: .*external\.idp02\.secret/);
  });
});

it("refuses both at once", async () => {
  expect(await imported("--from-config", "a", "--from-terraform", "b")).toMatchObject({ code: 2 });
});
