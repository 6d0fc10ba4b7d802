import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import {
  ENGINE_SET,
  ENGINE_VERSION,
  type Environment,
  failed,
  type Language,
  succeeded,
} from "../../tools/engine/engine";
import { provisionEngine, type ProvisionSteps } from "../../tools/engine/provision";

let root: string;
let env: Environment;
let lines: string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "provisioning-"));
  env = { XDG_CACHE_HOME: join(root, "cache"), PATH: join(root, "bin"), HOME: root };
  lines = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function provision(steps: Partial<ProvisionSteps> = {}, languages: readonly Language[] = ["nodejs"]) {
  return provisionEngine({
    env,
    languages,
    steps: { ...nothingWorks, ...steps },
    log: (line) => lines.push(line),
  });
}

const ENGINE = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

const nothingWorks = {
  runInstaller: () => Promise.resolve(failed("the network is closed")),
  buildWithGo: () => Promise.resolve(failed("there is no go on PATH")),
};

/** A step that puts the named programs into the folder it is given, as far as they are not there. */
function provides(...names: string[]) {
  return jest.fn((_request: unknown, folder: string) => {
    for (const name of names) writeProgramFile(join(folder, "bin"), name, "");
    return Promise.resolve(succeeded(undefined));
  });
}

function writeProgramFile(folder: string, name: string, script: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

const cachedEngine = () => join(root, "cache", "pulumi-management", "engine", ENGINE_SET);

test("a recent pulumi on PATH is taken, and nothing is installed", async () => {
  writeProgramFile(join(root, "bin"), "pulumi", "echo v3.251.1");
  writeProgramFile(join(root, "bin"), "pulumi-language-nodejs", "");
  writeProgramFile(join(root, "bin"), "pulumi-resource-pulumi-nodejs", "");

  expect(await provision()).toEqual({
    pulumi: join(root, "bin", "pulumi"),
    version: "3.251.1",
    binDir: join(root, "bin"),
    source: "path",
  });
  expect(existsSync(join(root, "cache"))).toBe(false);
});

test.each([
  ["is too old", "echo v3.249.9", "3.249.9"],
  ["is of another major version", "echo v4.0.0", "4.0.0"],
  ["cannot be run", "echo broken >&2; exit 3", "broken"],
  ["has no language host", "echo v3.250.0", "pulumi-language-nodejs"],
])("a pulumi on PATH that %s is passed over, and the reason is printed", async (_case, script, reason) => {
  writeProgramFile(join(root, "bin"), "pulumi", script);

  const engine = await provision({ runInstaller: provides(...ENGINE) });

  expect(engine.source).toBe("installer");
  expect(lines[0]).toContain(reason);
});

test("what was installed is found in the cache by the next run", async () => {
  await provision({ runInstaller: provides(...ENGINE) });

  expect(await provision()).toMatchObject({ source: "cache", pulumi: join(cachedEngine(), "bin", "pulumi") });
});

test("an incomplete entry in the cache is replaced, never used", async () => {
  for (const name of ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs", "left-over"]) {
    writeProgramFile(join(cachedEngine(), "bin"), name, "");
  }

  const engine = await provision({ runInstaller: provides(...ENGINE) });

  expect(engine.source).toBe("installer");
  expect(lines.join("\n")).toContain("incomplete");
  expect(existsSync(join(engine.binDir, "left-over"))).toBe(false);
});

test("an entry made on another kind of machine counts as incomplete", async () => {
  await provision({ runInstaller: provides(...ENGINE) });
  writeFileSync(
    join(cachedEngine(), "complete.json"),
    JSON.stringify({ version: ENGINE_VERSION, platform: "plan9-vax" }),
  );

  await expect(provision()).rejects.toThrow("incomplete");
});

test("when the installer fails the engine is built with Go, and what the installer left is not in it", async () => {
  const runInstaller = jest.fn((_request: unknown, folder: string) => {
    writeProgramFile(join(folder, "bin"), "half-downloaded", "");
    return Promise.resolve(failed("the connection was closed"));
  });

  const engine = await provision({ runInstaller, buildWithGo: provides(...ENGINE) });

  expect(engine.source).toBe("go");
  expect(readdirSync(engine.binDir).sort()).toEqual(ENGINE);
  expect(lines).toContain("official installer: the connection was closed");
});

test("a step that leaves a program out counts as failed", async () => {
  await expect(provision({ buildWithGo: provides("pulumi") })).rejects.toThrow(
    "lacks pulumi-language-nodejs",
  );
});

test("a language that the cached engine lacks is added to it, without asking the installer again", async () => {
  await provision({ buildWithGo: provides(...ENGINE) });
  const runInstaller = jest.fn(nothingWorks.runInstaller);
  const addsYaml = jest.fn((_request: unknown, folder: string) => {
    expect(existsSync(join(folder, "bin", "pulumi"))).toBe(true);
    return provides("pulumi-language-yaml")(_request, folder);
  });

  const engine = await provision({ runInstaller, buildWithGo: addsYaml }, ["nodejs", "yaml"]);

  expect(existsSync(join(engine.binDir, "pulumi-language-yaml"))).toBe(true);
  expect(await provision({}, ["nodejs", "yaml"])).toMatchObject({ source: "cache" });
  expect(runInstaller).not.toHaveBeenCalled();
});

test("the host of Python programs is of no use without the script that it runs them with", async () => {
  const buildWithGo = provides("pulumi", "pulumi-language-python", "pulumi-resource-pulumi-nodejs");

  await expect(provision({ buildWithGo }, ["python"])).rejects.toThrow("lacks pulumi-language-python-exec");
});

test("when nothing is possible one error names every way, why it failed and what to do", async () => {
  const error: unknown = await provision().catch((thrown: unknown) => thrown);

  const message = error instanceof Error ? error.message : "";
  expect(message).toContain("PATH: there is no pulumi on PATH");
  expect(message).toContain("cache: there is no engine in");
  expect(message).toContain("official installer: the network is closed");
  expect(message).toContain("Go: there is no go on PATH");
  expect(message).toMatch(/install Pulumi 3\.250\.0 or later[^]*install Go[^]*reach the network/);
});

test("a cache folder that cannot be written is one of the reasons", async () => {
  writeFileSync(join(root, "cache"), "a file where the folder should be");

  await expect(provision()).rejects.toThrow(/cache folder: .*(ENOTDIR|EEXIST)/);
});

test("two processes that start together install once", async () => {
  const runInstaller = provides(...ENGINE);

  const engines = await Promise.all([provision({ runInstaller }), provision({ runInstaller })]);

  expect(runInstaller).toHaveBeenCalledTimes(1);
  expect(engines.map(({ source }) => source).sort()).toEqual(["cache", "installer"]);
  expect(readdirSync(join(cachedEngine(), "..")).sort()).toEqual([ENGINE_SET]);
});

test("PATH is searched in its order", async () => {
  writeProgramFile(join(root, "old"), "pulumi", "echo v3.100.0");
  env = { ...env, PATH: [join(root, "missing"), join(root, "old"), join(root, "bin")].join(delimiter) };
  writeProgramFile(join(root, "bin"), "pulumi", "echo v3.250.0");

  await expect(provision()).rejects.toThrow("3.100.0");
});
