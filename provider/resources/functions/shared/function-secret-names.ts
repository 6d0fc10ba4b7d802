import { z } from "zod";
import { defineProblem } from "../../../client/errors/problem";

const RESERVED_PREFIX = "SVC_";

/** What can go wrong with the secrets of functions. */
export const functionSecretProblems = {
  reservedName: defineProblem({
    says: `names that begin with ${RESERVED_PREFIX} are reserved by the service`,
    means: "The service reserves these names.",
    remedy: "Use another name",
  }),
};

export const secretName = z
  .string()
  .min(1)
  .max(256, { error: "at most 256 characters allowed" })
  .refine((name) => !isReserved(name), { error: functionSecretProblems.reservedName.message() });

export const secretValue = z.string().max(24_576, { error: "at most 24576 characters allowed" });

/** Whether the name is the service's own. */
export function isReserved(name: string): boolean {
  return name.startsWith(RESERVED_PREFIX);
}
