import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** An empty folder for each test. */
export interface TestFolder {
  readonly path: string;
  /** Writes a file and returns its path. */
  write(path: string, text: string): string;
}

export function useFolder(): TestFolder {
  let path = "";
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), "sources-"));
  });
  afterEach(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return {
    get path() {
      return path;
    },
    write(name, text) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
  };
}
