import type { DatabaseFault } from "./database-error";
import type { Results } from "./databases";

export type InstanceRequest = { readonly id: number } & (
  | { readonly kind: "query"; readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly kind: "exec"; readonly sql: string }
  | { readonly kind: "close" }
);

export type InstanceReply = { readonly id: number } & (
  | { readonly kind: "results"; readonly results: Results<Record<string, unknown>>[] }
  | { readonly kind: "fault"; readonly fault: DatabaseFault }
  /** The instance itself broke, and cannot be used again. */
  | { readonly kind: "crash"; readonly message: string }
);
