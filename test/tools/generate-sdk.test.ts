import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Engine, Environment } from "../../tools/engine/engine";
import { generateSdk, type SdkLanguage } from "../../tools/sdk/generate-sdk";

let root: string;
let env: Environment;
let out: string;
let schemaFile: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "generate-sdk-"));
  env = {
    XDG_CACHE_HOME: join(root, "cache"),
    PATH: [join(root, "bin"), "/bin"].join(delimiter),
    HOME: root,
  };
  out = join(root, "sdk");
  schemaFile = join(root, "schema.json");
  writeFileSync(schemaFile, "{}");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function writeScript(name: string, script: string): string {
  mkdirSync(join(root, "bin"), { recursive: true });
  const path = join(root, "bin", name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

/** A stand-in for the command-line program: arguments are `package gen-sdk FILE --language L --out DIR`. */
function engineThat(script: string): Engine {
  const pulumi = writeScript("pulumi", script);
  return { pulumi, version: "3.250.0", binDir: join(root, "bin"), source: "path" };
}

const generate = (engine: Engine, language: SdkLanguage = "python") =>
  generateSdk({ schemaFile, language, out, engine, env });

const GENERATES = 'mkdir -p "$7/$5" && echo "from $3" > "$7/$5/made"';
const CANNOT = 'echo "error: method GeneratePackage not implemented" >&2; exit 1';
/** Builds, in place of a program, one that writes a file into the folder named last. */
const GO = `if [ "$1" = build ]; then
  while [ "$1" != -o ]; do shift; done
  printf '#!/bin/sh\\nmkdir -p "$3" && echo "$1 from $2" > "$3/made"\\n' > "$2" && chmod +x "$2"
fi`;

test("the engine's own host writes the SDK where it can, in place of what was there", async () => {
  mkdirSync(out);
  writeFileSync(join(out, "old"), "");

  expect(await generate(engineThat(GENERATES))).toBe("engine");

  expect(readdirSync(out)).toEqual(["made"]);
  expect(readFileSync(join(out, "made"), "utf8")).toBe(`from ${schemaFile}\n`);
});

test.each([
  ["cannot generate", CANNOT],
  [
    "is not installed",
    `echo "error: no language plugin 'pulumi-language-python' found in the workspace"; exit 1`,
  ],
])("the generator built from Go modules does it when the host %s", async (_case, script) => {
  writeScript("go", GO);

  expect(await generate(engineThat(script))).toBe("generator");

  expect(readFileSync(join(out, "made"), "utf8")).toBe(`python from ${schemaFile}\n`);
});

test("the generator is built once", async () => {
  writeScript("go", `${GO}\necho "$1" >> '${join(root, "asked")}'`);
  const engine = engineThat(CANNOT);

  await generate(engine);
  await generate(engine, "go");

  expect(readFileSync(join(root, "asked"), "utf8").match(/list/g)).toHaveLength(1);
  expect(readFileSync(join(out, "made"), "utf8")).toBe(`go from ${schemaFile}\n`);
});

test("faults of the schema fail with their text, and what was there stays", async () => {
  mkdirSync(out);
  writeFileSync(join(out, "old"), "");
  const engine = engineThat('echo "error: #/resources/x: unknown type" >&2; exit 1');

  await expect(generate(engine)).rejects.toThrow(
    "The python SDK could not be generated: error: #/resources/x: unknown type",
  );

  expect(readdirSync(out)).toEqual(["old"]);
});

test("a warning about the schema is a fault: the SDK would lack something", async () => {
  const engine = engineThat(`${GENERATES}; echo "warning: #/resources/x: ignored" >&2`);

  await expect(generate(engine)).rejects.toThrow("warning: #/resources/x: ignored");

  expect(existsSync(out)).toBe(false);
});

test("without a host and without Go the error says what to install", async () => {
  await expect(generate(engineThat(CANNOT))).rejects.toThrow(
    /there is no go on PATH.*Install Go 1\.25 or later.*or a Pulumi whose hosts generate SDKs/,
  );
});

test("without a host the error for Java says to install Pulumi, since no generator can be built", async () => {
  writeScript("go", GO);
  const engine = engineThat(
    `echo "error: no language plugin 'pulumi-language-java' found in the workspace"; exit 1`,
  );

  await expect(generate(engine, "java")).rejects.toThrow(
    /The java SDK could not be generated: .*Install Pulumi 3\.\d+\.\d+ or later/,
  );
});

test("the SDK for .NET has the logo of this package, whatever its generator found at the address", async () => {
  await generate(engineThat(GENERATES), "dotnet");

  expect(readdirSync(out).toSorted()).toEqual(["logo.png", "made"]);
});
