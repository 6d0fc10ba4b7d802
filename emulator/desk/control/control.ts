import type { OperationParameters } from "../../../spec/operation";
import type { OperationName, Operations } from "../../../spec/table";
import type { CallCount, CallFilter, CallRecord } from "../../service/world/call-record";
import type { ExchangeView } from "../exchanges/show-exchange";
import type { FaultRule, PendingFault } from "../../service/server/faults";
import type { Called } from "../../service/rules/shared/handler";
import type { OAuthAppCredentials, OAuthAppSeed } from "../../service/rules/oauth/oauth-apps";
import type { Overview } from "../page/overview";
import type { ProjectContents } from "../page/project-contents";
import type { Invocations } from "../../service/rules/functions/function-invocations";
import type { FailedLogins, LoginOutcome } from "../../service/rules/network/network-bans";
import type { Approval, Redirection, RequestChoice } from "../../service/rules/oauth/oauth-consent";
import type { Claims } from "../../service/rules/auth/json-web-tokens";
import type { SnippetSeed } from "../../service/world/records/snippets";
import type { AuthorizationRequestRecord, WorldState } from "../../service/world/state";
import type { TokenSeed } from "../../service/access/tokens";
import type { StatePath } from "./state-path";
import type { InternalError } from "../../service/server/service";

/** What stands outside the emulated service: time, faults, edits and the log; `/_control` offers the same over HTTP. */
export interface Control {
  /**
   * Calls to the API so far, oldest first; those made through `call` are not among them. Throws when there were more
   * than the log keeps since it was emptied: what is missing would look as if it had never been called.
   */
  calls(filter?: CallFilter): readonly CallRecord[];
  countCalls(filter?: CallCount): number;
  clearCalls(): void;
  /** What was sent and answered in one of the newest calls, without its secrets; undefined where that is not kept. */
  exchange(sequence: number): ExchangeView | undefined;

  /** Breaks a later call; faults are tried in the order in which they were added, one per call. */
  addFault(rule: FaultRule): PendingFault;
  pendingFaults(): readonly PendingFault[];
  clearFaults(): void;

  /**
   * Runs an operation as an operator would from outside: validated and under the same rules, but without
   * authentication, limits, faults or a log entry. Throws a `Refusal` where the API would answer an error.
   */
  call<N extends OperationName>(operation: N, parameters: OperationParameters<Operations[N]>): Called<N>;
  /** Changes the state directly, past every rule but its shape; what throws has changed nothing. */
  edit(change: (state: WorldState) => void): void;
  /** Sets what is at a path of the state, given as itself or as its JSON; only a `Map` or `create` takes a key that does not exist yet. */
  set(path: StatePath, value: unknown, options?: { readonly create?: boolean }): void;
  /** Removes what is at a path of the state. */
  remove(path: StatePath): void;
  /** What the page shows: projects, branches, their steps, pending faults, and the calls after the first `since`. */
  overview(since?: number): Overview;
  /** What is in a project, by name, read from its database too: what the page shows of it on a click. */
  projectContents(ref: string): Promise<ProjectContents>;
  /** The whole state as plain JSON: maps as objects, sets as arrays, dates as text, bytes in base64. */
  snapshot(): unknown;
  /** Writes all that outlives an emulator into one file, databases included, for `worldFile` or `importWorld`; it holds secrets. */
  exportWorld(file: string): Promise<void>;

  /** Lets an address fail to log in to a project's database: too often, and it is banned for a while. */
  failLogins(ref: string, logins: FailedLogins): LoginOutcome;

  /** A user's token of a project, as its auth service signs it now: the claims given win over the usual ones. */
  signToken(ref: string, claims?: Claims): string;

  /** Lets an edge function be invoked now, for the statistics and logs: the emulator runs none. */
  invokeFunction(ref: string, invocations: Invocations): void;
  /** Keeps a query in the service, as users do in a browser; the answer is its id. */
  createSnippet(seed: SnippetSeed): string;

  /** Moves the clock forward; throws when the emulator was started with a clock that cannot be moved. */
  advance(ms: number): void;
  setPace(pace: number): void;
  /** Back to the seed, or to the imported world: state, databases, tokens, windows, faults and logs. Time and pace stay. */
  reset(): void;

  /** Issues a personal access token. */
  createToken(seed?: TokenSeed): string;
  revokeToken(token: string): void;
  createOAuthApp(app: OAuthAppSeed): OAuthAppCredentials;
  /** What `authorize` and `authorizeProjectClaim` have asked users for, oldest first. */
  authorizationRequests(): readonly AuthorizationRequestRecord[];
  /** Approves a pending request as its user would in a browser, and returns where the browser is sent: with `code`. */
  approveAuthorization(approval?: Approval): Redirection;
  denyAuthorization(choice?: RequestChoice): Redirection;

  /** Faults of the emulator itself since the start or the last reset; a test suite asserts that there are none. */
  readonly internalErrors: readonly InternalError[];
}
