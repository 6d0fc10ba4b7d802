import { existsSync } from "node:fs";
import { join } from "node:path";
import { SourceWalk } from "../generate/reference-walk";

const FOLDERS = ["provider/resources", "provider/functions", "provider/actions"];

/** What the provider calls each operation for, by the operation's name: its resources, functions and actions. */
export function usersOfOperations(root: string): ReadonlyMap<string, readonly string[]> {
  const walk = new SourceWalk(root);
  const users = new Map<string, string[]>();
  for (const folder of FOLDERS.filter((path) => existsSync(join(root, path)))) {
    for (const { name, parts, makerPlaces } of walk.definitionsIn(folder)) {
      for (const call of walk.from(...parts.values(), ...makerPlaces).calls) {
        users.set(call, [...(users.get(call) ?? []), name]);
      }
    }
  }
  return users;
}
