export interface RestLayerRecord {
  /** When empty, the REST service never becomes healthy. */
  dbSchema: string;
  dbExtraSearchPath: string;
  maxRows: number;
  /** Null where the service decides. */
  dbPool: number | null;
}

export function newRestLayer(): RestLayerRecord {
  return { dbSchema: "public", dbExtraSearchPath: "public, extensions", maxRows: 1_000, dbPool: null };
}
