import type { Operation, Parameters } from "../../spec/operation";
import { operations, type OperationName, type Operations } from "../../spec/table";
import { parseBaseUrl } from "./base-url";
import { Call, type CallOptions, type CallServices } from "./call";
import { type Clock, systemClock } from "./clock";
import { createTokenSource, type Credentials } from "./credentials";
import type { ExchangedTokens, TokenExchange } from "./oauth-tokens";
import { RateLimiter } from "./rate-limiter";
import type { Reading } from "./reading";
import { Redactor } from "./redactor";
import type { Fields } from "./request-target";
import { Transport } from "./transport";
import { VERSION } from "../version.generated";

const REQUEST_TIMEOUT_MS = 30_000;
const CONNECTIONS = 16;

export interface ClientOptions {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly clock?: Clock;
  /** Receives one redacted line per request: method, path, status, milliseconds. */
  readonly log?: (line: string) => void;
  /** How long one request may take, in real time. */
  readonly requestTimeoutMs?: number;
  readonly userAgent?: string;
  /** Shared with whatever else tells the user something; the client adds its own secrets to it. */
  readonly redactor?: Redactor;
  /** Connections kept at most. */
  readonly connections?: number;
}

type Calls = {
  readonly [N in OperationName]: (
    parameters: Parameters<Operations[N]>,
    options?: CallOptions,
  ) => Promise<Reading<Operations[N]>>;
};

/** One method per operation of the table. */
export type ManagementClient = Calls & {
  readonly redactor: Redactor;
  /** Requests sent so far, repeated ones and token exchanges included. */
  callCount(): number;
  /** Cancels unfinished calls and closes all connections. */
  close(): Promise<void>;
};

export function createManagementClient(options: ClientOptions): ManagementClient {
  const clock = options.clock ?? systemClock;
  const redactor = options.redactor ?? new Redactor();
  const closing = new AbortController();
  const transport = new Transport({
    baseUrl: parseBaseUrl(options.baseUrl),
    clock,
    connections: options.connections ?? CONNECTIONS,
    requestTimeoutMs: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    userAgent: options.userAgent ?? `pulumi-management/${VERSION}`,
    log: (line) => options.log?.(redactor.redact(line)),
  });
  let tickets = 0;
  const services: CallServices = {
    clock,
    limiter: new RateLimiter(clock),
    transport,
    tokens: createTokenSource(options.credentials, (refreshToken) => exchange(refreshToken), clock, redactor),
    redactor,
    closing: closing.signal,
    nextTicket: () => (tickets += 1),
  };
  const exchange = tokenExchange(options.credentials, services);
  // One method per entry, so that an operation is added by its entry alone.
  const calls = Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [
      name,
      async (parameters: Fields, callOptions: CallOptions = {}) =>
        new Call(services, { name, operation, parameters, options: callOptions }).run(),
    ]),
  ) as unknown as Calls;
  return {
    ...calls,
    redactor,
    callCount: () => transport.sentCount,
    close: async () => {
      closing.abort();
      await transport.close();
    },
  };
}

/** A lost answer leaves nothing but the same refresh token to try again with, so the exchange is repeated like a read. */
function tokenExchange(credentials: Credentials, services: CallServices): TokenExchange {
  const operation: Operation = { ...operations.exchangeToken, idempotent: true };
  return async (refreshToken) => {
    if (credentials.kind !== "oauth") throw new TypeError("only OAuth credentials are exchanged");
    const { clientId, clientSecret } = credentials;
    const body = {
      grant_type: "refresh_token",
      client_id: clientId,
      client_secret: clientSecret,
      refresh_token: refreshToken,
    };
    const subject = { name: "exchangeToken", operation, parameters: { body }, options: {} };
    // Read by the operation's own schema, whose identifiers are certain.
    return (await new Call(services, subject).run()) as ExchangedTokens;
  };
}
