import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";

const root = dirname(dirname(__dirname));

/** What npm would put into the package of a folder. */
function packedFiles(folder: string): string[] {
  const said = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const packed: unknown = JSON.parse(said);
  // Newer versions of npm answer with an object by package, older ones with a list.
  const [one] = Object.values(packed as Record<string, { files: { path: string }[] }>);
  return (one?.files ?? []).map(({ path }) => path);
}

function linksIn(page: string): string[] {
  const text = readFileSync(join(root, page), "utf8").replaceAll(/^```.*?^```$/gms, "");
  return [...text.matchAll(/\]\((?!https?:|#)([^)\s#]+)/g)].map(([, target = ""]) =>
    posix.join(posix.dirname(page), target),
  );
}

describe("the package as npm packs it", () => {
  const files = packedFiles(root);
  const pages = files.filter((path) => path.endsWith(".md"));
  const isThere = (path: string): boolean =>
    files.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, "")}/`));

  it("has the README and the pages for users", () => {
    expect(pages).toEqual(
      expect.arrayContaining(["README.md", "docs/daily-work.md", "docs/reference/README.md"]),
    );
  });

  it("has everything that a page in it links to", () => {
    const broken = pages.flatMap((page) =>
      linksIn(page)
        .filter((path) => !isThere(path))
        .map((path) => `${page}: ${path}`),
    );
    expect(broken).toEqual([]);
  });
});

it("has the examples as they are in the repository, without what their use leaves behind", () => {
  const folder = mkdtempSync(join(tmpdir(), "management-packed-"));
  try {
    cpSync(join(root, "package.json"), join(folder, "package.json"));
    const kept = ["examples/quickstart-yaml/Pulumi.yaml", "examples/quickstart/functions/hello/index.ts"];
    const left = [
      "examples/quickstart-yaml/Pulumi.dev.yaml",
      "examples/quickstart-python/venv/bin/python",
      "examples/quickstart-python/__pycache__/main.pyc",
      "examples/quickstart/node_modules/other/index.js",
    ];
    for (const path of [...kept, ...left]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), "");
    }
    expect(packedFiles(folder).sort()).toEqual([...kept, "package.json"].sort());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
