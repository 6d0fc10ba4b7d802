import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { VERSION } from "../../../provider/core/version.generated";
import { findPackageRoot } from "../../../tools/engine/package-root";

// The commands that publish, with stand-ins for `npm` and `gh` that say what they were given. Other tests run the npm scripts.

/** What `npm run release:dry -- --complete` writes, as far as a pattern of the workflow could mean it. */
const RELEASED = [
  `management-emulator-${VERSION}.tgz`,
  `management-emulator-${VERSION}.cdx.json`,
  `pulumi-management-${VERSION}.tgz`,
  `pulumi-management-${VERSION}.cdx.json`,
  `pulumi-management-sdk-${VERSION}.tgz`,
  `pulumi-management-sdk-go-${VERSION}.tar.gz`,
  `pulumi-resource-management-v${VERSION}-linux-amd64.tar.gz`,
  `pulumi-resource-management-v${VERSION}-windows-amd64.tar.gz`,
  "SHA256SUMS",
];

const workflow = z.object({
  jobs: z.record(z.string(), z.object({ steps: z.array(z.looseObject({ run: z.string().optional() })) })),
});
const file = join(findPackageRoot(), ".github/workflows/release.yml");
const { jobs } = workflow.parse(parse(readFileSync(file, "utf8")));
const steps = Object.values(jobs)
  .flatMap(({ steps: ofJob }) => ofJob)
  .flatMap(({ run }) => run ?? [])
  .filter((run) => !/^npm (?:ci|run) ?/.test(run));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "management-publishing-"));
  for (const each of ["bin", "dist", "dist/release"]) mkdirSync(join(folder, each));
  for (const name of ["npm", "gh"]) {
    const path = join(folder, "bin", name);
    writeFileSync(path, `#!/bin/sh\necho "${name} $*" >> "${join(folder, "said")}"\n`);
    chmodSync(path, 0o755);
  }
  writeFileSync(join(folder, "said"), "");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ version: VERSION }));
  for (const name of RELEASED) writeFileSync(join(folder, "dist/release", name), "");
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function runSteps(tag: string): string[] {
  const PATH = `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`;
  for (const run of steps) {
    // As a runner does it.
    execFileSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
      ...{ cwd: folder, stdio: "pipe", env: { PATH, GITHUB_REF_NAME: tag } },
    });
  }
  return readFileSync(join(folder, "said"), "utf8").trimEnd().split("\n");
}

it("publishes each npm package once, with provenance, between the draft with all files and the release", () => {
  const published = (name: string): string =>
    `npm publish ./dist/release/${name}-${VERSION}.tgz --provenance --access public`;
  const [draft, ...others] = runSteps(`v${VERSION}`);
  expect(draft).toMatch(new RegExp(`^gh release create v${VERSION} --draft --verify-tag `));
  expect(draft?.split(" ").filter((word) => word.startsWith("dist/release/"))).toHaveLength(RELEASED.length);
  expect(others).toEqual([
    published("management-emulator"),
    published("pulumi-management"),
    published("pulumi-management-sdk"),
    `gh release edit v${VERSION} --draft=false`,
  ]);
});

it("installs and builds in jobs that can neither publish nor sign", () => {
  const { jobs: all } = z
    .object({
      jobs: z.record(
        z.string(),
        z.looseObject({
          permissions: z.record(z.string(), z.string()),
          steps: z.array(z.looseObject({ run: z.string().optional() })),
        }),
      ),
    })
    .parse(parse(readFileSync(file, "utf8")));
  for (const [name, { permissions, steps: ofJob }] of Object.entries(all)) {
    const builds = ofJob.some(({ run = "" }) => /\bnpm (?:ci|run|install)\b/.test(run));
    expect({ name, builds, mayWrite: Object.values(permissions).includes("write") }).toEqual({
      ...{ name, builds: name !== "publish", mayWrite: name === "publish" },
    });
  }
});

it("publishes nothing under a tag of another version", () => {
  expect(() => runSteps("v0.0.1")).toThrow();
  expect(readFileSync(join(folder, "said"), "utf8")).toBe("");
});
