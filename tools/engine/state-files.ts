import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";

/** The paths of files of this name below a folder that is a backend; none where the state is elsewhere. */
export function stateFiles(backend: string, name: string): string[] {
  const stacks = join(backend, ".pulumi", "stacks");
  if (!existsSync(stacks)) return [];
  const entries = readdirSync(stacks, { recursive: true, encoding: "utf8" });
  return entries.filter((entry) => basename(entry) === name).map((entry) => join(stacks, entry));
}

/** What a user does where the engine died as it wrote the attributes of a state (docs/daily-work.md). */
export function removeEmptyAttributes(backend: string, stack: string): void {
  for (const file of stateFiles(backend, `${stack}.json.attrs`)) {
    if (statSync(file).size === 0) rmSync(file);
  }
}
