import { allResources } from "../../provider/catalog/catalog";
import { parentInputs } from "../../provider/ledger/claim";
import type { ConditionalCall } from "../fixtures/conditional-calls";
import { conditionalCallsOf } from "../fixtures/fixtures";
import type { Calls, RecordedCalls } from "../schema/reference/operation-use";
import recorded from "./recorded-calls.json";

/** What a resource or function calls, by type or name. */
export function callsOf(typeOrName: string): Calls {
  const recorded = recordedCalls(typeOrName);
  return {
    recorded,
    conditional: [...conditionalCallsOf(typeOrName), ...absenceCalls(typeOrName, recorded)],
  };
}

/** The project or branch of an object is read before the object counts as gone (`lifecycle/operations/absence.ts`). */
function absenceCalls(typeOrName: string, recorded: RecordedCalls): ConditionalCall[] {
  const resource = allResources().find(({ type }) => type === typeOrName);
  const isInProject =
    resource !== undefined && parentInputs(resource).some((name) => name !== "organizationSlug");
  return (isInProject ? OF_PROJECT : []).map(([operation, when]) => {
    const always = recorded[operation] ?? [];
    return [operation, (["read", "delete"] as const).filter((step) => !always.includes(step)), when];
  });
}

const OF_PROJECT = [
  ["getProject", "when the service does not show it or fails to answer"],
  ["getBranchConfig", "when the service does not show it in a branch or fails to answer"],
] as const;

/** What is called always; written by `npm run record:calls`. */
export function recordedCalls(typeOrName: string): RecordedCalls {
  // The compiler takes the names of steps for any text; a test compares the record with what the samples call.
  const found = (recorded as unknown as Readonly<Record<string, RecordedCalls>>)[typeOrName];
  if (found !== undefined) return found;
  throw new Error(
    `No calls of ${typeOrName} are recorded: give it a fixture in tools/fixtures/ and run \`npm run record:calls\`.`,
  );
}
