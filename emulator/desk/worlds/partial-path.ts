import { randomUUID } from "node:crypto";

/** Where something is made that is to have its name once it is whole; beside it, as it is renamed. */
export function partialPath(target: string): string {
  return `${target}.${randomUUID()}.partial`;
}
