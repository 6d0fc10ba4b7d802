import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { isObject } from "../../spec/is-object";
import { readPipeline } from "../engine/workflows/gitlab-pipeline";

const root = join(__dirname, "../..");
const files = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".gitlab-ci.yml") && !path.includes("node_modules"))
  .toSorted();
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");

it("there are pipelines of GitLab to look at", () => expect(files.length).toBeGreaterThan(2));

describe.each(files)("examples/%s", (file) => {
  const text = textOf(join("examples", file));
  const jobs = Object.entries(parse(text, { merge: true }) as Readonly<Record<string, unknown>>);

  it("shows no plan, report or log to people who may not read the repository", () => {
    const open = jobs.flatMap(([name, job]) =>
      isObject(job) && isObject(job["artifacts"]) && job["artifacts"]["access"] !== "developer" ? [name] : [],
    );
    expect(open).toEqual([]);
  });

  it("runs an image of one version, and says how to pin it", () => {
    const images = [...text.matchAll(/^\s+image: (\S+)(.*)$/gm)].map(([, image = "", more = ""]) => ({
      image,
      more,
    }));
    expect(images.length).toBeGreaterThan(0);
    expect(images.filter(({ image }) => !/:\d+\.\d+\.\d+(?:@sha256:[0-9a-f]{64})?$/.test(image))).toEqual([]);
    expect(images[0]?.more).toContain("add the digest");
  });
});

/** Whether a line of a script starts a command that has a token among its arguments. */
function hasTokenInArguments(line: string): boolean {
  const script = line
    .replace(/(?:^|\s)#.*/, "")
    .replace(/<<<.*/, "")
    .replace(/^\s*(?:- )?(?:\w+=(?!\$\()\S+ )*/, "")
    // The shell's own, which start nothing.
    .replace(/^'?(?:export|:) .*/, "");
  return /^\S+ .*\$\{?\w*(?:TOKEN|PASSPHRASE|PASSWORD)\b/.test(script);
}

it.each(["docs/any-ci.md", ...files.map((file) => join("examples", file))])(
  "%s gives no command a token as an argument, which other users of the machine can read",
  (file) => {
    const lines = textOf(file).split("\n");
    expect(lines.filter(hasTokenInArguments)).toEqual([]);
    expect(hasTokenInArguments('  page=$(curl --header "Authorization: Bearer $FORGE_TOKEN" "$url")')).toBe(
      true,
    );
    expect(hasTokenInArguments("    - MANAGEMENT_ACCESS_TOKEN=$TOKEN ./plan.sh --token $TOKEN")).toBe(true);
  },
);

describe("a checkout of a runner that keeps the job's token in the addresses", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "management-checkout-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const jobs = readPipeline(join(root, "examples/preview-environments/.gitlab-ci.yml"));
  it.each(Object.keys(jobs))("shows it to no program of the job: %s", (name) => {
    const token = "glcbt-64_secret";
    const git = (...args: string[]): void => void execFileSync("git", args, { cwd: folder });
    const address = `https://gitlab-ci-token:${token}@forge.example.com:8443/acme/shop.git`;
    git("init", "--quiet");
    git("remote", "add", "origin", address);
    git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
    for (const module of ["a", "b/c"]) {
      mkdirSync(join(folder, ".git/modules", module), { recursive: true });
      writeFileSync(
        join(folder, ".git/modules", module, "config"),
        `[remote "origin"]\n\turl = ${address}\n`,
      );
    }
    mkdirSync(join(folder, "preview/node_modules/.bin"), { recursive: true });
    const seen =
      '#!/bin/sh\ncd "$(dirname "$0")/../../.."\ngrep -rl glcb[t] . > seen.txt\ngit remote get-url origin >> seen.txt\n';
    writeFileSync(join(folder, "preview/node_modules/.bin/management-previews"), seen, { mode: 0o755 });
    const { stdout, stderr, status } = spawnSync(
      "bash",
      ["-eo", "pipefail", "-c", ["npm() { :; }", ...(jobs[name]?.script ?? ["exit 3"])].join("\n")],
      {
        cwd: folder,
        encoding: "utf8",
      },
    );
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(readFileSync(join(folder, "seen.txt"), "utf8")).toBe(
      "https://forge.example.com:8443/acme/shop.git\n",
    );
  });
});
