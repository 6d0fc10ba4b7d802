import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { VERSION } from "../../provider/version.generated";

export type ForgeName = "github" | "gitlab";

/** npm leaves files of this name out of a package. */
const IGNORED = "preview/.gitignore";
const PROGRAM = [
  IGNORED,
  "preview/Pulumi.yaml",
  "preview/index.ts",
  "preview/package.json",
  "preview/tsconfig.json",
];
const FILES: Readonly<Record<ForgeName, readonly string[]>> = {
  github: [".github/workflows/preview.yml", ".github/workflows/sweep.yml", ...PROGRAM],
  gitlab: [".gitlab-ci.yml", ...PROGRAM],
};

export interface InitOptions {
  /** The repository. */
  readonly dir: string;
  /** By the repository's remote when absent. */
  readonly forge?: ForgeName;
  /** Overwrites what is there and different. */
  readonly force?: boolean;
}

export interface Initialised {
  readonly forge: ForgeName;
  readonly written: readonly string[];
  /** They were there as they are to be. */
  readonly unchanged: readonly string[];
}

/** A repository into which nothing was written, and why. */
export class InitError extends Error {}

/** Writes the files of the example into a repository: all, or none where one is there and different. */
export function writeFiles({ dir, force = false, ...options }: InitOptions): Initialised {
  if (!existsSync(dir)) throw new InitError(`There is no folder ${dir}.`);
  const forge = options.forge ?? forgeOf(dir);
  const written: string[] = [];
  const unchanged: string[] = [];
  const different: string[] = [];
  for (const path of FILES[forge]) {
    const target = join(dir, path);
    if (!existsSync(target)) written.push(path);
    else if (readFileSync(target, "utf8") === textOf(path)) unchanged.push(path);
    else different.push(path);
  }
  if (different.length > 0 && !force) {
    throw new InitError(
      `Nothing was written, as these are there and different: ${different.join(", ")}. Give --force to overwrite them, or another --dir and take from there what you need.`,
    );
  }
  const all = [...written, ...different];
  for (const path of all) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), textOf(path));
  }
  return { forge, written: all, unchanged };
}

/** A file of the example, for this version of the package. */
function textOf(path: string): string {
  if (path === IGNORED) return "node_modules/\nPulumi.*.yaml\n";
  // The package finds its own files by its name, as programs and states find it.
  const root = dirname(require.resolve("pulumi-management/package.json"));
  const text = readFileSync(join(root, "examples/preview-environments", path), "utf8");
  return path === "preview/package.json"
    ? text.replace('"pulumi-management": "*"', `"pulumi-management": "^${VERSION}"`)
    : text;
}

function forgeOf(dir: string): ForgeName {
  const config = join(dir, ".git", "config");
  const remotes = existsSync(config) ? readFileSync(config, "utf8") : "";
  const isGitLab = existsSync(join(dir, ".gitlab-ci.yml")) || remotes.includes("gitlab");
  const isGitHub = existsSync(join(dir, ".github")) || remotes.includes("github");
  if (isGitHub !== isGitLab) return isGitHub ? "github" : "gitlab";
  throw new InitError(
    "Which forge the repository is on cannot be told: give --forge github or --forge gitlab.",
  );
}
