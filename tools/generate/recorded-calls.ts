import { conditionalCallsOf } from "../fixtures/fixtures";
import type { Calls, RecordedCalls } from "../schema/reference/operation-use";
import recorded from "./recorded-calls.json";

/** What a resource or function calls, by type or name. */
export function callsOf(typeOrName: string): Calls {
  return { recorded: recordedCalls(typeOrName), conditional: conditionalCallsOf(typeOrName) };
}

/** What is called always; written by `npm run record:calls`. */
export function recordedCalls(typeOrName: string): RecordedCalls {
  // The compiler takes the names of steps for any text; a test compares the record with what the samples call.
  const found = (recorded as unknown as Readonly<Record<string, RecordedCalls>>)[typeOrName];
  if (found !== undefined) return found;
  throw new Error(
    `No calls of ${typeOrName} are recorded: give it a fixture in tools/fixtures/ and run \`npm run record:calls\`.`,
  );
}
