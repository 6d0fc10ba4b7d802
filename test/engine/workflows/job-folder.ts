import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = mkdtempSync(join(tmpdir(), "management-jobs-"));
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));

/** Those of the jobs that run. */
const taken = new Set<string>();

/**
 * An empty folder for a job, which removes it at its end. As on a runner, each job has it at the same path; only those that run at the
 * same time have others.
 */
export function makeJobFolder(): string {
  for (let number = 1; ; number += 1) {
    const folder = join(root, String(number));
    if (taken.has(folder)) continue;
    mkdirSync(folder);
    taken.add(folder);
    return folder;
  }
}

export function removeJobFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  taken.delete(folder);
}

/**
 * Where Pulumi keeps compiled programs, by their path and text; otherwise in the temporary folder, by the user's home. To check the
 * types of a program takes twice as long as its run: in a suite this is done once for each.
 */
export const compiledPrograms = { TS_NODE_CACHE_DIRECTORY: join(root, "compiled") } as const;
