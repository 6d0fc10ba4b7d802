import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A temporary folder for sources, gone after each test. */
export interface SourceFolder {
  readonly path: (relative?: string) => string;
  readonly write: (files: Readonly<Record<string, string>>) => void;
  readonly remove: (relative: string) => void;
}

export function useSourceFolder(): SourceFolder {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "function-source-"));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  return {
    path: (relative = "") => join(root, relative),
    remove: (relative) => rmSync(join(root, relative)),
    write(files) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
    },
  };
}

/** A function in `hello` whose import map, beside all functions, has prefixes, whole names and scopes. */
export const MAPPED_FUNCTION: Readonly<Record<string, string>> = {
  "hello/index.ts": 'import "shared/cors.ts"; import "exact"; import "npm:zod"; import "jsr:@std/path";',
  "hello/inner/a.ts": 'import "exact";',
  "hello/deno.jsonc": '{ // map\n "importMap": "../import_map.json", }',
  "import_map.json": JSON.stringify({
    imports: { "shared/": "./_shared/", exact: "./exact.ts", "npm:zod": "https://x.test/zod.ts" },
    scopes: { "./hello/inner/": { exact: "./inner-exact.ts" } },
  }),
  "_shared/cors.ts": "",
  "exact.ts": "",
  "inner-exact.ts": "",
};
