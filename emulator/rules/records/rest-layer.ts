import { z } from "zod";

export const restLayerRecord = z.strictObject({
  /** When empty, the REST service never becomes healthy. */
  dbSchema: z.string(),
  dbExtraSearchPath: z.string(),
  maxRows: z.number(),
  /** Null where the service decides. */
  dbPool: z.number().nullable(),
});
export type RestLayerRecord = z.infer<typeof restLayerRecord>;

export function newRestLayer(): RestLayerRecord {
  return {
    // service, Defaults.
    dbSchema: "public,graphql_public",
    dbExtraSearchPath: "public, extensions",
    maxRows: 1_000,
    dbPool: null,
  };
}
