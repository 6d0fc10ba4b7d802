import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../../emulator";
import { run } from "../../import/run";
import { migrateByTool } from "../../tools/fixtures/database-look";
import { growProject, MAIL_PASSWORD, PAYMENT_TOKEN } from "./grown-project";
import { useFolder } from "./sources/folder";

const folder = useFolder();
const began = process.cwd();
let emulator: Emulator;
let ref: string;
let env: NodeJS.ProcessEnv;
beforeEach(async () => {
  emulator = await startEmulator();
  ref = growProject(emulator);
  env = {
    MANAGEMENT_BASE_URL: emulator.url,
    MANAGEMENT_ACCESS_TOKEN: emulator.accessToken,
    MANAGEMENT_TRACE: join(folder.path, "trace.jsonl"),
  };
});
afterEach(() => {
  process.chdir(began);
  return emulator.close();
});

interface Imported {
  readonly code: number;
  readonly text: string;
  /** What a file in the program's folder has; empty where there is none. */
  readonly file: (name: string) => string;
}

async function imported(...more: string[]): Promise<Imported> {
  let text = "";
  const add = (line: string): void => {
    text += line;
  };
  const out = join(folder.path, "infrastructure");
  const about = ["--project", ref, "--out", out, "--no-import"];
  const code = await run([...about, ...more], { out: add, err: add }, env);
  const file = (name: string): string =>
    existsSync(join(out, name)) ? readFileSync(join(out, name), "utf8") : "";
  return { code, text, file };
}

/** The types that a program declares, each once. */
function typesIn(program: string): string[] {
  return [
    ...new Set(
      [...program.matchAll(/^(?:const \w+ = )?new management\.(\w+)/gm)].map(([, type = ""]) => type),
    ),
  ];
}

const GREET = "export const greet = (name: string) => `Hello, ${name}`;\n";
const HELLO = 'import { greet } from "./greet.ts";\n\nDeno.serve(() => new Response(greet("`${name}`")));\n';

describe("--full", () => {
  it("declares what is as in a new project too, and no secret", async () => {
    const few = (await imported()).file("index.ts");
    const { code, file } = await imported("--full", "--out", join(folder.path, "full"));
    expect(code).toBe(0);
    const all = readFileSync(join(folder.path, "full", "index.ts"), "utf8");
    for (const type of ["Disk", "PoolerConfig", "RealtimeConfig", "SslEnforcement", "StorageConfig"]) {
      expect(typesIn(few)).not.toContain(type);
      expect(typesIn(all)).toContain(type);
    }
    expect(few).not.toContain("jwtExp");
    expect(all).toContain("jwtExp: 3600");
    expect(readFileSync(join(folder.path, "full", "README.md"), "utf8")).not.toContain("as in a new project");
    expect(file("README.md")).toContain("it is as in a new project");
    for (const secret of [PAYMENT_TOKEN, MAIL_PASSWORD, "secret-of-the-provider"])
      expect(all).not.toContain(secret);
  });
});

describe("--functions", () => {
  it("names the team's folder where it has what is deployed", async () => {
    folder.write("functions/hello/index.ts", HELLO);
    folder.write("functions/hello/greet.ts", GREET);
    const { code, file } = await imported("--functions", join(folder.path, "functions"));
    expect(code).toBe(0);
    expect(file("index.ts")).toContain('sourceDir: "../functions/hello"');
    expect(file("functions/hello/index.ts")).toBe("");
  });

  it("leaves a folder that differs as it is, and writes what is deployed beside the program", async () => {
    const own = folder.write("functions/hello/index.ts", "Deno.serve();\n");
    const { code, file } = await imported("--functions", join(folder.path, "functions"));
    expect(code).toBe(0);
    expect(readFileSync(own, "utf8")).toBe("Deno.serve();\n");
    expect(file("index.ts")).toContain('sourceDir: "functions/hello"');
    expect(file("functions/hello/index.ts")).toBe(HELLO);
    expect(file("README.md")).toContain("hello: ../functions/hello differs from what is deployed");
  });

  it("finds the folder of the platform's tool where the command is started", async () => {
    folder.write("svc/config.toml", "");
    folder.write("svc/functions/hello/index.ts", HELLO);
    folder.write("svc/functions/hello/greet.ts", GREET);
    process.chdir(folder.path);
    expect((await imported()).file("index.ts")).toContain('sourceDir: "../svc/functions/hello"');
  });
});

describe("--migrations", () => {
  const FILES = {
    "20260101000000_create_notes.sql": "create table notes (body text);\n",
    "20260102000000_first_note.sql": "insert into notes (body) values ('first');\n",
  };

  it("declares the folder whose migrations the database has", async () => {
    await migrateByTool({ emulator }, ref, FILES);
    for (const [name, sql] of Object.entries(FILES)) folder.write(`database/migrations/${name}`, sql);
    const { code, file } = await imported("--migrations", join(folder.path, "database", "migrations"));
    expect(code).toBe(0);
    expect(file("index.ts")).toMatch(
      /new management\.MigrationSet\("[\w-]+", \{\s*projectRef: \w+\.ref,\s*directory: "\.\.\/database\/migrations",?\s*\}/,
    );
    expect(emulator.control.calls({ operation: "runQuery" })).toEqual([]);
  });
});

describe("--generation", () => {
  const feature = "[storage.vector]\nenabled = false\nmax_buckets = 10\n";

  it("is asked for where the two generations differ, and nothing is declared until then", async () => {
    const { code, file, text } = await imported("--from-config", folder.write("svc/config.toml", feature));
    expect(code).toBe(0);
    expect(typesIn(file("index.ts"))).not.toContain("StorageConfig");
    expect(text + file("README.md")).toContain("with `--generation`");
  });

  it.each([
    ["2", false],
    ["3", true],
  ])("reads the file as generation %s of the tool", async (generation, isOff) => {
    emulator.control.call("updateStorageConfig", {
      ref,
      body: { features: { vectorBuckets: { enabled: true, maxBuckets: 10, maxIndexes: 5 } } },
    });
    const path = folder.write("svc/config.toml", feature);
    const { code, file } = await imported("--from-config", path, "--generation", generation);
    expect(code).toBe(0);
    expect(/vectorBuckets: \{[^}]*enabled: false/.test(file("index.ts"))).toBe(isOff);
    expect(file("README.md")).not.toContain("with `--generation`");
  });

  it("takes no other number", async () => {
    mkdirSync(join(folder.path, "svc"));
    expect(await imported("--from-config", "config.toml", "--generation", "4")).toMatchObject({ code: 2 });
  });

  it("says that it needs a configuration file", async () => {
    const { code, text } = await imported("--generation", "2");
    expect({ code, text }).toMatchObject({
      code: 2,
      text: expect.stringContaining("--from-config") as unknown,
    });
  });
});
