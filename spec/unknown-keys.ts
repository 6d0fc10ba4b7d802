import type { z } from "zod";

/**
 * Marks an object of a request whose further keys are taken, because callers write back what they read: the running
 * service has keys that no document lists (service, Newer fields). The type stays that of the
 * known ones. Of an answer the client keeps all further keys.
 */
export function keepsUnknownKeys<S extends z.ZodObject>(schema: S): S {
  // Only more is let through than the type says.
  return schema.loose() as unknown as S;
}
