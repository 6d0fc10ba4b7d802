import type { z } from "zod";
import { testedService } from "../../../../tools/repeat/tested-service";

/** Strictly: no key is missing, every enum value is listed, and none is unknown but to a service that is newer than the table. */
export function expectKnownAnswer(schema: z.ZodType, answer: unknown): void {
  // Parsing leaves out what the schema does not know.
  const known = schema.parse(answer);
  if (testedService.newer === true) expect({ answer }).toMatchObject({ answer: known });
  else expect(answer).toEqual(known);
}
