import { readFileSync } from "node:fs";
import { join } from "node:path";
import { usersOfOperations } from "../coverage/users";

/** The plans without those of operations that are in use by now: each is a line of its own. */
export function plansText(root: string): string {
  const users = usersOfOperations();
  return readFileSync(join(root, "tools/coverage/plans.ts"), "utf8")
    .split("\n")
    .filter((line) => !users.has(/^ {2}(\w+): "/.exec(line)?.[1] ?? ""))
    .join("\n");
}
