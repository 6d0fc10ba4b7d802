import { allFunctions, allResources } from "../../provider/catalog/catalog";
import { callsOf } from "../generate/recorded-calls";
import { operationUses } from "../schema/reference/operation-use";

/** What the provider calls each operation for, by the operation's name: its resources and functions. */
export function usersOfOperations(): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const one of [...allResources(), ...allFunctions()]) {
    const name = "type" in one ? one.type : one.name;
    for (const { operation } of operationUses(callsOf(name))) {
      users.set(operation, [...(users.get(operation) ?? []), name]);
    }
  }
  return users;
}
