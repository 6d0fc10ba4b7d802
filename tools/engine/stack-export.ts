/** A stack's export, with the members that are read here. */
export interface StackExport {
  version: number;
  deployment: {
    resources?: ExportedResource[];
    pending_operations?: { type: string; resource: ExportedResource }[];
    [key: string]: unknown;
  };
}

export interface ExportedResource {
  urn: string;
  type: string;
  id?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
  initErrors?: string[];
  [key: string]: unknown;
}
