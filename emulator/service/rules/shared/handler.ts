import type { z } from "zod";
import type { OperationAnswer, RequestBody, Operation } from "../../../../spec/operation";
import type { OperationName, Operations } from "../../../../spec/table";
import type { CallSource } from "../../access/caller";
import type { World } from "../../world/world";

/** One validated request, as the handler of operation `O` sees it. */
export interface Exchange<O extends Operation> {
  readonly params: z.output<O["params"]>;
  readonly query: z.output<O["query"]>;
  readonly headers: z.output<O["headers"]>;
  readonly body: O["body"] extends RequestBody<infer B> ? z.output<B> : undefined;
  /** The emulated service: its state, its clock and its makers of ids. */
  readonly world: World;
  readonly caller: CallSource;
  /** Its success is answered, and nothing is done (service, Edge functions). */
  readonly isLost: boolean;
}

/** The business rules of one operation; transport, authentication, limits and validation are done before it runs. */
export type Handler<O extends Operation> = (exchange: Exchange<O>) => OperationAnswer<O>;

/** The same for an operation that reaches a project's database. */
export type AsyncHandler<O extends Operation> = (exchange: Exchange<O>) => Promise<OperationAnswer<O>>;

/** Operations that are answered by a project's database, and therefore later. */
export type AsyncOperationName =
  | "runQuery"
  | "runReadOnlyQuery"
  | "getTypescriptTypes"
  | "getDatabaseContext"
  | "getDatabaseOpenapi"
  | "listMigrations"
  | "applyMigration"
  | "upsertMigration"
  | "rollbackMigrations"
  | "getMigration"
  | "updateMigration"
  | "getPerformanceAdvisors"
  | "getSecurityAdvisors"
  | "getLogs"
  | "queryLogs"
  | "enableWebhooks"
  | "createLoginRole"
  | "deleteLoginRoles"
  | "diffBranch"
  | "listBuckets"
  | "mergeBranch"
  | "pushBranch"
  | "resetBranch";

/** One handler for each operation of the table: a missing one does not compile. */
export type Handlers = {
  readonly [N in OperationName]: N extends AsyncOperationName
    ? AsyncHandler<Operations[N]>
    : Handler<Operations[N]>;
};

/** What `Control.call` gives: an operation that reaches a project's database answers later. */
export type Called<N extends OperationName> = N extends AsyncOperationName
  ? Promise<OperationAnswer<Operations[N]>>
  : OperationAnswer<Operations[N]>;
