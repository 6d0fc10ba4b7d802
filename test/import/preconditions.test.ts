import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startEmulator, type Emulator } from "../../emulator";
import { run } from "../../import/run";
import { growProject } from "../../tools/engine/grown-project";
import { useFolder } from "./sources/folder";

const folder = useFolder();
const began = process.cwd();
let emulator: Emulator;
let ref: string;
let env: NodeJS.ProcessEnv;
let out: string;
beforeAll(async () => {
  emulator = await startEmulator();
  ref = growProject(emulator);
});
afterAll(() => emulator.close());
beforeEach(() => {
  out = join(folder.path, "infrastructure");
  env = {
    PATH: join(folder.path, "bin"),
    MANAGEMENT_BASE_URL: emulator.url,
    MANAGEMENT_ACCESS_TOKEN: emulator.accessToken,
    PULUMI_CONFIG_PASSPHRASE: "hush",
  };
  tool("npm", "echo 10.0.0");
  tool("python3", "echo 3.12.1");
  engine({});
});
afterEach(() => process.chdir(began));

/** A program on PATH. */
function tool(name: string, script: string): void {
  const path = folder.write(`bin/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** An engine that knows what the command asks first. */
function engine({
  version = "v3.250.0",
  whoami = `echo '{"user": "me", "url": "file:///state"}'`,
  config = "echo '{}'",
  generated = 'mkdir -p "$7/python"',
  exported = 'echo "error: no stack named production" >&2; exit 1',
}: Readonly<Record<string, string>>): void {
  tool(
    "pulumi",
    `case "$1 $2" in
      "version "*) echo '${version}';;
      "whoami "*) ${whoami};;
      "config "*) ${config};;
      "package gen-sdk") ${generated};;
      "stack export") ${exported};;
      *) echo "asked for $1 $2" >&2; exit 1;;
    esac`,
  );
}

async function imported(...more: string[]): Promise<{ code: number; text: string }> {
  let text = "";
  const add = (line: string): void => {
    text += line;
  };
  const code = await run(["--project", ref, "--out", out, ...more], { out: add, err: add }, env);
  return { code, text };
}

function write(name: string, text: string): void {
  const path = join(out, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function unset(name: string): void {
  env = Object.fromEntries(Object.entries(env).filter(([each]) => each !== name));
}

interface Lacking {
  readonly what: string;
  readonly arrange?: () => void;
  readonly options?: readonly string[];
  /** Of the message: what is wrong, and what to do. */
  readonly says: readonly string[];
}

const rows: readonly Lacking[] = [
  {
    what: "an address of the service",
    arrange: () => unset("MANAGEMENT_BASE_URL"),
    says: ["MANAGEMENT_BASE_URL"],
  },
  {
    what: "a token",
    arrange: () => unset("MANAGEMENT_ACCESS_TOKEN"),
    says: ["MANAGEMENT_ACCESS_TOKEN"],
  },
  {
    what: "a known type to choose",
    options: ["--choose", "Disk"],
    says: ["--choose takes one of", "`Disk`"],
  },
  {
    what: "a name that a stack can have",
    options: ["--stack", "a b"],
    says: ["`--stack a b` is not", "Use letters"],
  },
  {
    what: "the file of secrets",
    options: ["--dotenv", "none.env"],
    says: ["`--dotenv`: there is no file"],
  },
  {
    what: "the state of Terraform",
    options: ["--from-terraform", "none.json"],
    says: ["`--from-terraform`: there is"],
  },
  {
    what: "the configuration file",
    options: ["--from-config", "none.toml"],
    says: ["`--from-config`: there is no"],
  },
  {
    what: "the folder of functions",
    options: ["--functions", "none"],
    says: ["`--functions`:", "is not a folder"],
  },
  {
    what: "the folder of migrations",
    options: ["--migrations", "none"],
    says: ["`--migrations`:", "is not a folder"],
  },
  {
    what: "a folder to write to, where there is a file",
    arrange: () => folder.write("infrastructure", "a file"),
    says: ["infrastructure is a file", "Pass a folder with `--out`"],
  },
  {
    what: "a folder without files of others",
    arrange: () => {
      write("README.md", "mine");
      write("index.ts", "mine");
    },
    says: ["has README.md, index.ts, which no run of this command wrote", "Pass an empty folder"],
  },
  {
    what: "a folder of its language",
    arrange: () => {
      write("Pulumi.yaml", "name: shop\nruntime: yaml\n");
      write("import.json", "{}");
    },
    says: ["has a program with the runtime `yaml`", "Pass the language of the program"],
  },
  {
    what: "the engine",
    arrange: () => chmodSync(join(folder.path, "bin", "pulumi"), 0),
    says: ["`pulumi` is not on PATH", "--no-import"],
  },
  {
    what: "an engine that is new enough",
    arrange: () => engine({ version: "v3.249.9" }),
    says: ["needs Pulumi 3.250 or later", "is 3.249.9", "Install a later version"],
  },
  {
    what: "a login",
    arrange: () => engine({ whoami: 'echo "error: PULUMI_ACCESS_TOKEN must be set" >&2; exit 1' }),
    says: ["not logged in", "PULUMI_ACCESS_TOKEN must be set", "Run `pulumi login`"],
  },
  {
    what: "a passphrase",
    arrange: () => unset("PULUMI_CONFIG_PASSPHRASE"),
    says: [
      "encrypted with a passphrase, and none is set",
      "PULUMI_CONFIG_PASSPHRASE_FILE",
      "--secrets-provider",
    ],
  },
  {
    what: "the file of the passphrase",
    arrange: () => {
      unset("PULUMI_CONFIG_PASSPHRASE");
      env["PULUMI_CONFIG_PASSPHRASE_FILE"] = "none.txt";
    },
    says: ["PULUMI_CONFIG_PASSPHRASE_FILE: there is no file"],
  },
  {
    what: "the passphrase of the stack",
    arrange: () => {
      write("Pulumi.yaml", "name: shop\nruntime: nodejs\n");
      write("import.json", "{}");
      engine({ config: 'echo "error: incorrect passphrase" >&2; exit 1' });
    },
    says: ["is not the one of the stack production"],
  },
  {
    what: "npm",
    arrange: () => chmodSync(join(folder.path, "bin", "npm"), 0),
    says: ["`npm` is not on PATH", "Node.js"],
  },
  {
    what: "Python",
    arrange: () => chmodSync(join(folder.path, "bin", "python3"), 0),
    options: ["--language", "python"],
    says: ["`python3` is not on PATH", "3.10"],
  },
  {
    what: "a Python that is new enough",
    arrange: () => tool("python3", "echo 3.9.18"),
    options: ["--language", "python"],
    says: ["needs Python 3.10 or later", "is 3.9.18"],
  },
  {
    what: "a language host that generates the SDK",
    arrange: () => engine({ generated: 'echo "error: method GeneratePackage not implemented" >&2; exit 1' }),
    options: ["--language", "python"],
    says: ["gen-sdk --language python` failed", "GeneratePackage not implemented", "sdks/python"],
  },
  {
    what: "the modules of a virtual environment",
    arrange: () => tool("python3", "echo \"ModuleNotFoundError: No module named 'ensurepip'\" >&2; exit 1"),
    options: ["--language", "python"],
    says: ["lacks the module `venv` or `ensurepip`", "python3-venv"],
  },
];

it.each(rows)("stops before it reads or writes anything where it lacks $what", async (row) => {
  row.arrange?.();
  const before = existsSync(join(out, "README.md"))
    ? readFileSync(join(out, "README.md"), "utf8")
    : undefined;
  const hadFolder = existsSync(out);
  emulator.control.clearCalls();
  const { code, text } = await imported(...(row.options ?? []));
  expect({ code, text }).toMatchObject({
    code: 1,
    text: expect.stringContaining("Nothing was read or written.") as unknown,
  });
  for (const says of row.says) expect(text).toContain(says);
  expect(emulator.control.calls()).toEqual([]);
  expect(existsSync(out)).toBe(hadFolder);
  if (before !== undefined) expect(readFileSync(join(out, "README.md"), "utf8")).toBe(before);
});

it("names all that it lacks at once", async () => {
  unset("PULUMI_CONFIG_PASSPHRASE");
  const { text } = await imported("--choose", "Disk", "--stack", "a b");
  expect(text.match(/^- /gm)).toHaveLength(3);
});

const ENCRYPTED: readonly (readonly [string, () => void, readonly string[]])[] = [
  [
    "a backend that encrypts by itself",
    () => engine({ whoami: `echo '{"url": "https://state.example.com/me"}'` }),
    [],
  ],
  ["a key elsewhere", () => undefined, ["--secrets-provider", "awskms://alias/shop"]],
  [
    "a stack with a key elsewhere",
    () => write("Pulumi.production.yaml", "secretsprovider: awskms://alias/shop\n"),
    [],
  ],
];

it.each(ENCRYPTED)("needs no passphrase with %s", async (_, arrange, options) => {
  unset("PULUMI_CONFIG_PASSPHRASE");
  arrange();
  const { text } = await imported(...options);
  expect(text).not.toContain("passphrase");
  expect(text).toContain("The program is in");
});

it("needs neither engine nor tools to write the files only", async () => {
  env["PATH"] = "";
  unset("PULUMI_CONFIG_PASSPHRASE");
  expect(await imported("--no-import")).toMatchObject({ code: 0 });
});

it("changes no stack that has resources already, where its program is new", async () => {
  const resource = {
    urn: "urn:pulumi:production::shop::management:index:Secret::a",
    type: "management:index:Secret",
  };
  const state = JSON.stringify({ version: 3, deployment: { resources: [resource] } });
  engine({ exported: `echo '${state}'` });
  const { code, text } = await imported();
  expect({ code, text }).toMatchObject({
    code: 1,
    text: expect.stringMatching(
      /The service and the stack were not changed\. The stack production of the program shop has 1 resources already.*--stack/,
    ) as unknown,
  });
  expect(existsSync(join(out, "index.ts"))).toBe(false);
});

it("a wrong token is set in the environment: the command reads no configuration of a stack", async () => {
  env["MANAGEMENT_ACCESS_TOKEN"] = "token-of-nobody";
  const { code, text } = await imported();
  expect(code).toBe(1);
  expect(text).toContain("set a valid one in the environment variable MANAGEMENT_ACCESS_TOKEN.");
  expect(text).not.toContain("config set");
});
