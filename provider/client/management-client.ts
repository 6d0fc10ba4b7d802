import type { Names } from "../../spec/names/names";
import type { SchemaPlaceholder } from "../../spec/names/neutral-words";
import type { Operation } from "../../spec/operation";
import { operations, type OperationName } from "../../spec/table";
import { VERSION } from "../core/version.generated";
import { Call } from "./call";
import type { CallOptions, CallServices } from "./call-subject";
import type { Calls } from "./calls.generated";
import { type ClientOptions, resolveConnection, resolveNames } from "./client-options";
import { type Clock, systemClock } from "./clock";
import { ExpectedAccount, type AccountProfile } from "./auth/expected-account";
import { formatTokenAdvice, type Credentials, type TokenSource } from "./auth/credentials";
import { InvalidInputError } from "./errors/errors";
import { createIterations, type Iterations } from "./iterations";
import { type ExchangedTokens, OAuthTokens, type TokenExchange } from "./auth/oauth-tokens";
import { createParts, type Parts } from "./parts";
import type { ResponseHeaders } from "./rate-limit/rate-headers";
import { RateLimiter } from "./rate-limit/rate-limiter";
import { Redactor } from "./redaction/redactor";
import type { ParameterValues } from "./transport/request-target";
import type { ParametersOf } from "./signatures";
import { createRoute } from "./transport/route";
import { createStreams, type Streams } from "./streams";
import { Transport } from "./transport/transport";
import { ClientWire } from "./wire";

const CONNECTIONS = 16;

class Client {
  /** Paginated listings, object by object. */
  readonly iterate: Iterations;
  /** Answers of any length, piece by piece. */
  readonly stream: Streams;
  /** Answers that come in parts, taken apart. */
  readonly parts: Parts;
  /** Removes the client's secrets from a text. */
  readonly redactor: Redactor;
  readonly #transport: Transport;
  readonly #names: Names;
  readonly #wire: ClientWire;
  readonly #serviceClock: ServiceClock;
  readonly #closing = new AbortController();

  constructor(options: ClientOptions = {}) {
    const { baseUrl, credentials } = resolveConnection(options, process.env);
    const names = resolveNames(options, process.env);
    const wire = new ClientWire(names);
    const clock = options.clock ?? systemClock;
    const tokenAdvice = options.tokenAdvice ?? formatTokenAdvice(credentials);
    const redactor = options.redactor ?? new Redactor();
    const connections = options.connections ?? CONNECTIONS;
    const { origin, pathname } = new URL(baseUrl);
    const route = createRoute(origin, connections, process.env);
    for (const secret of route.secrets) redactor.add(secret);
    const serviceClock = new ServiceClock(clock);
    const transport = new Transport({
      route,
      prefix: pathname.replace(/\/+$/, ""),
      clock,
      connections,
      requestTimeoutMs: options.requestTimeoutMs,
      largestAnswerBytes: options.largestAnswerBytes,
      userAgent: options.userAgent ?? `pulumi-management/${VERSION}`,
      onAnswer: (headers) => serviceClock.recordDate(headers),
      log: (line) => options.log?.(wire.message(redactor.redact(line))),
    });
    let tickets = 0;
    const services: CallServices = {
      clock,
      wire,
      limiter: new RateLimiter(clock),
      transport,
      tokens: createTokenSource(credentials, (refreshToken) => exchange(refreshToken), {
        clock,
        redactor,
        tokenAdvice,
      }),
      tokenAdvice,
      redactor,
      closing: this.#closing.signal,
      nextTicket: () => (tickets += 1),
      trace: options.trace,
    };
    const exchange = createTokenExchange(credentials, services);
    const calls = createCalls(services, options.expectedAccount);
    this.#transport = transport;
    this.#names = names;
    this.#wire = wire;
    this.#serviceClock = serviceClock;
    this.redactor = redactor;
    this.iterate = createIterations(calls);
    this.stream = createStreams(services);
    this.parts = createParts(services);
    Object.assign(this, calls);
  }

  /** The address of an operation that a person opens in a browser, as `authorize`. It sends nothing. */
  addressOf<N extends OperationName>(name: N, parameters: ParametersOf<N> & ParameterValues): string {
    const { route, prefix } = this.#transport;
    const operation: Operation = operations[name];
    return route.origin + prefix + this.#wire.target(name, operation, parameters);
  }

  /** How this installation names a schema of a project's database, and whether it says so. */
  schemaNamed(placeholder: SchemaPlaceholder): { readonly name: string; readonly isGiven: boolean } {
    return { name: this.#names.schema(placeholder), isGiven: this.#names.hasSchema(placeholder) };
  }

  /** Beginning of the names of environment variables that are this installation's own. */
  reservedPrefix(): string {
    return this.#names.reservedPrefix;
  }

  /** Requests sent so far, repeated ones and token exchanges included. */
  callCount(): number {
    return this.#transport.sentCount;
  }

  /** The service's own time in milliseconds since the epoch, to the second; undefined until an answer has given it. */
  serviceTimeMs(): number | undefined {
    return this.#serviceClock.now();
  }

  /** Cancels unfinished calls and closes all connections. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#transport.close();
  }
}

/** A client of the Management API: one method per operation, each of which can be taken off it. */
export type ManagementClient = Calls & Client;

/** A client of the Management API: `new ManagementClient({ baseUrl, accessToken })`. */
// The constructor gives every instance the methods.
export const ManagementClient = Client as new (options?: ClientOptions) => ManagementClient;

/** The service's own time, which its answers have in the header `date`: this machine's clock may be wrong. */
class ServiceClock {
  readonly #clock: Pick<Clock, "now">;
  #aheadMs: number | undefined;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  recordDate(headers: ResponseHeaders): void {
    const serviceMs = Date.parse(headers["date"] ?? "");
    if (!Number.isNaN(serviceMs)) this.#aheadMs = serviceMs - this.#clock.now();
  }

  /** Milliseconds since the epoch, to the second; undefined while no answer has given it. */
  now(): number | undefined {
    return this.#aheadMs === undefined ? undefined : this.#clock.now() + this.#aheadMs;
  }
}

/** One method per entry, so that an operation is added by its entry alone. */
function createCalls(services: CallServices, expectedAccount: string | undefined): Calls {
  const methods: Record<string, unknown> = {};
  const account =
    expectedAccount === undefined
      ? undefined
      : new ExpectedAccount(expectedAccount, (options) => {
          const subject = { name: "getProfile", operation: operations.getProfile, parameters: {}, options };
          // Read by the operation's own schema, whose identifier is certain.
          return new Call(services, subject).value() as Promise<AccountProfile>;
        });
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const isRead = ["GET", "HEAD"].includes(operation.method);
    methods[name] = async (parameters: ParameterValues = {}, options: CallOptions = {}) => {
      if (!isRead) await account?.confirm(options);
      return new Call(services, { name, operation, parameters, options }).value();
    };
  }
  // Each method reads by its own operation's schema, from which its type is derived.
  return methods as unknown as Calls;
}

/** Where the calls of a client get their access tokens. */
function createTokenSource(
  credentials: Credentials,
  exchange: TokenExchange,
  { clock, redactor, tokenAdvice }: Pick<CallServices, "clock" | "redactor" | "tokenAdvice">,
): TokenSource {
  if (credentials.kind === "oauth") return new OAuthTokens(credentials, exchange, clock, redactor);
  const token = async (): Promise<string> => {
    const given = (await credentials.accessToken())?.trim();
    if (given === undefined || given === "") throw createMissingTokenError(tokenAdvice);
    redactor.add(given);
    if (!/^[\x21-\x7e]+$/.test(given)) throw createMalformedTokenError(tokenAdvice);
    return given;
  };
  return {
    token,
    replacement: async (rejected) => {
      const current = await token();
      return current === rejected ? undefined : current;
    },
  };
}

function createMissingTokenError(advice: string): InvalidInputError {
  return new InvalidInputError("accessToken", `The access token is missing: ${advice}.`);
}

function createMalformedTokenError(advice: string): InvalidInputError {
  return new InvalidInputError(
    "accessToken",
    `The access token contains a space, a line break or another character that is not allowed in a token: ${advice}.`,
  );
}

/** A lost answer leaves nothing but the same refresh token to try again with, so the exchange is repeated like a read. */
function createTokenExchange(credentials: Credentials, services: CallServices): TokenExchange {
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
    return (await new Call(services, subject).value()) as ExchangedTokens;
  };
}
