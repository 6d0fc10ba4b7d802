import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "..");
const SKIPPED = new Set(["node_modules", "dist", ".git"]);

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : sourcesBelow(path);
    return /\.(?:ts|mts|md)$/.test(entry.name) ? [path] : [];
  });
}

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const sections = new Set([...read("docs/service.md").matchAll(/^## (.+)$/gm)].map(([, title]) => title));
const sources = ["spec", "provider", "emulator", "tools", "test", "docs"]
  .flatMap(sourcesBelow)
  .filter((path) => path !== join("docs", "service.md"));

describe("docs/service.md", () => {
  it("has every section that is cited", () => {
    // A citation may go on in the next line of a comment, and has punctuation behind it.
    const cited = sources.flatMap((path) =>
      [...read(path).matchAll(/[("`\s]service, (?:\n\s*\*\s*)?([A-Z][^.;:)"`\n]*)/g)].map(
        ([, name = ""]) => ({
          path,
          name,
        }),
      ),
    );
    expect(cited.length).toBeGreaterThan(200);
    expect(cited.filter(({ name }) => ![...sections].some((title) => name.startsWith(title ?? "")))).toEqual(
      [],
    );
  });

  it("is cited in no text that users read", () => {
    const told = ["schema.json", ...sources.filter((path) => path.startsWith(join("docs", "reference")))];
    expect(told.filter((path) => /\(service, [A-Z]/.test(read(path)))).toEqual([]);
  });
});
