import { operations, type OperationName } from "../../spec/table";
import type { CodeFacts, OperationUse, Step } from "../schema/reference/code-facts";
import { SourceWalk, type Definition } from "./reference-walk";

/** In which steps of a resource's life each handler runs. */
const resourceSteps: Readonly<Record<string, readonly Step[]>> = {
  find: ["create"],
  create: ["create"],
  read: ["read"],
  readForImport: ["read"],
  settle: ["create", "update"],
  update: ["update"],
  delete: ["delete"],
};
/** The same for a configuration that every project has: whatever is done to it, it is read, written and settled. */
const settingsSteps: Readonly<Record<string, readonly Step[]>> = {
  get: ["create", "read", "update", "delete"],
  put: ["create", "update", "delete"],
  settle: ["create", "update", "delete"],
};

// Object keys are those of the table.
const inOrder = Object.keys(operations) as OperationName[];

/** What the sources below `root` say of every resource and function, by type or name. */
export function readFacts(root: string): (typeOrName: string) => CodeFacts {
  const walk = new SourceWalk(root);
  const facts = new Map<string, CodeFacts>();
  for (const definition of ["provider/resources", "provider/functions"].flatMap((folder) =>
    walk.definitionsIn(folder),
  )) {
    facts.set(definition.name, factsOf(walk, definition));
  }
  return (typeOrName) => {
    const found = facts.get(typeOrName);
    if (found === undefined) throw new Error(`No source defines ${typeOrName} by a call of \`define…\`.`);
    return found;
  };
}

function factsOf(walk: SourceWalk, definition: Definition): CodeFacts {
  const { maker, makerPlaces, parts } = definition;
  const everything = walk.from(...parts.values(), ...makerPlaces);
  const steps = new Map<string, Set<Step>>();
  const note = (calls: ReadonlySet<string>, at: readonly Step[]): void => {
    for (const call of calls) steps.set(call, new Set([...(steps.get(call) ?? []), ...at]));
  };
  note(walk.from(...makerPlaces).calls, ["create", "update", "delete"]);
  const stepsOf = maker === "defineSettings" ? settingsSteps : resourceSteps;
  for (const [name, place] of parts) note(walk.from(place).calls, stepsOf[name] ?? []);
  const read = parts.get("read");
  if (read !== undefined && parts.has("comparesBeforeDelete")) note(walk.from(read).calls, ["delete"]);
  const order: readonly Step[] = ["create", "read", "update", "delete"];
  const uses = inOrder
    .filter((operation) => everything.calls.has(operation))
    .map((operation): OperationUse => {
      const at = steps.get(operation);
      return { operation, steps: order.filter((step) => at?.has(step)) };
    });
  return { uses };
}
