import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runInNewContext } from "node:vm";
import { z } from "zod";

const root = dirname(dirname(__dirname));
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");

const demanded = z.object({ node: z.string() });
const { engines } = z
  .object({ engines: z.object({ node: z.string() }) })
  .parse(JSON.parse(textOf("package.json")));
const oldest = /^>=(\d+\.\d+)\.0$/.exec(engines.node)?.[1] ?? "";

function below(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => !path.includes("node_modules") && !path.startsWith("emulator/dist/"));
}

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "AGENTS.md",
  "emulator/README.md",
  ...below("docs"),
  ...below("examples"),
].filter((path) => path.endsWith(".md"));
const sources = ["provider", "emulator", "tools"].flatMap(below).filter((path) => /\.m?ts$/.test(path));

/** Every version that a text names shortly after Node.js. */
function versionsIn(text: string): string[] {
  return [...text.matchAll(/\bNode(?:\.js)?\b(?=[\s`])[^|.\n]{0,40}?\bv?(\d\d(?:\.\d+)*)\b/g)].map(
    ([, version = ""]) => version,
  );
}

/** As numbers, so that they can be compared. */
function partsOf(version: string): number[] {
  return version.split(".").map(Number);
}

function isBefore(version: string, other: string): boolean {
  const [left, right] = [partsOf(version), partsOf(other)];
  const at = [0, 1, 2].find((index) => (left[index] ?? 0) !== (right[index] ?? 0));
  return at !== undefined && (left[at] ?? 0) < (right[at] ?? 0);
}

describe("the oldest Node.js", () => {
  it("is told in the documents, and nowhere as another one", () => {
    const told = documents.flatMap((path) => versionsIn(textOf(path)).map((version) => ({ path, version })));
    expect(told.filter(({ version }) => version !== oldest)).toEqual([]);
    expect(told.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["README.md", "CONTRIBUTING.md", "docs/installation-configuration.md"]),
    );
  });

  it("is no other one in any message", () => {
    const told = sources.flatMap((path) => versionsIn(textOf(path)).map((version) => ({ path, version })));
    expect(told.filter(({ version }) => version !== oldest)).toEqual([]);
  });

  it.each([
    ["22.18.0", false],
    ["21.99.0", false],
    [`${oldest}.0`, true],
    ["25.0.0", true],
  ])("is checked by the plugin at its start: with %s it starts is %s", (version, isEnough) => {
    const plugin = readFileSync(join(root, "dist/plugin/pulumi-resource-management"), "utf8");
    const [, check = ""] = /^#!.*\n(\{.*?process\.exit\(1\);\}\})/.exec(plugin) ?? [];
    const said: string[] = [];
    const exits: number[] = [];
    runInNewContext(check, {
      process: {
        version: `v${version}`,
        versions: { node: version },
        stderr: { write: (text: string) => said.push(text) },
        exit: (code: number) => exits.push(code),
      },
    });
    expect(exits).toEqual(isEnough ? [] : [1]);
    if (!isEnough) expect(said).toEqual([expect.stringContaining(`needs Node.js ${oldest} or later`)]);
  });

  it.each([
    "dist/provider/index.js",
    "dist/provider/client/index.js",
    "dist/provider/dynamic/entry.js",
    "emulator/dist/emulator/index.js",
    "emulator/dist/emulator/testing/index.js",
    "emulator/command.js",
  ])("is asked for by %s, before an older one meets what it does not know", (entry) => {
    const program = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
      for (const name of ["enableCompileCache"]) delete require("node:module")[name];
      try { require(${JSON.stringify(join(root, entry))}); } catch (error) { console.log(error.message); }`;
    expect(execFileSync(process.execPath, ["-e", program], { encoding: "utf8" })).toContain(
      `needs Node.js ${oldest} or later`,
    );
  });

  it("is one with which every package that is installed along works", () => {
    const { packages } = z
      .object({
        packages: z.record(
          z.string(),
          z.object({
            dev: z.boolean().optional(),
            engines: z.unknown().optional(),
          }),
        ),
      })
      .parse(JSON.parse(textOf("package-lock.json")));
    const wanting = Object.entries(packages).flatMap(([name, { dev, engines: own }]) => {
      const wanted = /^>= ?([\d.]+)$/.exec(demanded.safeParse(own).data?.node ?? "")?.[1];
      return dev !== true && wanted !== undefined && isBefore(oldest, wanted)
        ? [`${name} wants ${wanted}`]
        : [];
    });
    expect(wanting).toEqual([]);
  });
});
