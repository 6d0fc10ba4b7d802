import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

const FOLDERS = ["provider/resources", "provider/functions", "provider/converge"];

/** Who calls each operation, by its name: a resource with all of its folder, a function, or a file that several share. */
export function usersOfOperations(root: string): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, string>();
  for (const folder of FOLDERS) {
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts")) continue;
      const path = posix.join(folder, file.replaceAll("\\", "/"));
      const unit = folder === "provider/resources" ? posix.dirname(path) : path;
      texts.set(unit, (texts.get(unit) ?? "") + readFileSync(join(root, path), "utf8"));
    }
  }
  const users = new Map<string, string[]>();
  for (const [unit, text] of texts) {
    const user = /\bdefine[A-Z]\w*\(\{\s*(?:type|name): "(\w+)"/.exec(text)?.[1] ?? unit;
    const called = new Set([...text.matchAll(/\bapi(?:\.parts)?\.(\w+)/g)].map(([, name = ""]) => name));
    for (const name of called) users.set(name, [...(users.get(name) ?? []), user]);
  }
  return users;
}
