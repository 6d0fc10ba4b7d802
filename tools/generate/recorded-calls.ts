import type { RecordedCalls } from "../schema/reference/operation-use";
import recorded from "./recorded-calls.json";

/** What the sample of a resource or function calls, by type or name; written by `npm run record:calls`. */
export function recordedCalls(typeOrName: string): RecordedCalls {
  // The compiler takes the names of steps for any text; a test compares the record with what the samples call.
  const found = (recorded as unknown as Readonly<Record<string, RecordedCalls>>)[typeOrName];
  if (found !== undefined) return found;
  throw new Error(
    `No calls of ${typeOrName} are recorded: give it a sample in test/lifecycle/ and run \`npm run record:calls\`.`,
  );
}
