import type { DatabaseFault } from "../sql/database-error";
import type { Results } from "./databases";

export type InstanceRequest = { readonly id: number } &
  /** Opens the database in a folder, or an empty one of `superuser` there. Only after `close` another may be opened. */
  (
    | {
        readonly kind: "open";
        readonly folder: string;
        readonly superuser: string;
        /** Where Postgres finds extensions, as `writeExtensions` left them. */
        readonly extensions: string;
      }
    | { readonly kind: "query"; readonly sql: string; readonly parameters: readonly unknown[] }
    | { readonly kind: "exec"; readonly sql: string }
    /** Messages of Postgres' protocol. */
    | { readonly kind: "protocol"; readonly messages: Uint8Array }
    | { readonly kind: "close" }
  );

export type InstanceReply = { readonly id: number } & (
  | { readonly kind: "results"; readonly results: Results<Record<string, unknown>>[] }
  | { readonly kind: "protocol"; readonly messages: Uint8Array }
  | { readonly kind: "fault"; readonly fault: DatabaseFault }
  /** The instance itself broke, and cannot be used again. */
  | { readonly kind: "crash"; readonly message: string }
);
