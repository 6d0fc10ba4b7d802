import { z } from "zod";
import { newRestLayerConfig } from "../../../spec/new-project";

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
    dbSchema: newRestLayerConfig.db_schema,
    dbExtraSearchPath: newRestLayerConfig.db_extra_search_path,
    maxRows: newRestLayerConfig.max_rows,
    dbPool: null,
  };
}
