import type { Clock } from "./clock";
import type { Credentials, KeptRefreshToken, TokenSource } from "./credentials";
import { ApiError, CancelledError, ManagementError, NetworkError, UnauthorizedError } from "./errors";
import type { Redactor } from "./redactor";

export interface ExchangedTokens {
  readonly access_token: string;
  readonly refresh_token?: string | null | undefined;
  readonly expires_in?: number | null | undefined;
}

/** Sends a refresh token to the service (management-api-1, OAuth: `POST /v1/oauth/token`). */
export type TokenExchange = (refreshToken: string) => Promise<ExchangedTokens>;

/** The lifetime of access tokens is not specified; it is assumed where the answer names none. */
const ASSUMED_LIFE_MS = 3_600_000;
const LONGEST_MARGIN_MS = 60_000;

interface Issued {
  readonly accessToken: string;
  readonly renewAtMs: number;
}

/** Access tokens from a refresh token: cached, renewed before they expire, one exchange at a time. */
export class OAuthTokens implements TokenSource {
  readonly #kept: KeptRefreshToken | undefined;
  readonly #exchange: TokenExchange;
  readonly #clock: Clock;
  readonly #redactor: Redactor;
  #refreshToken: string;
  #issued: Issued | undefined;
  #exchanging: Promise<string> | undefined;

  constructor(
    credentials: Extract<Credentials, { kind: "oauth" }>,
    exchange: TokenExchange,
    clock: Clock,
    redactor: Redactor,
  ) {
    this.#kept = credentials.kept;
    this.#refreshToken = credentials.refreshToken;
    this.#exchange = exchange;
    this.#clock = clock;
    this.#redactor = redactor;
    redactor.add(credentials.clientSecret);
    redactor.add(credentials.refreshToken);
  }

  async token(signal: AbortSignal): Promise<string> {
    if (this.#issued !== undefined && this.#clock.now() < this.#issued.renewAtMs)
      return this.#issued.accessToken;
    return this.#renewed(signal);
  }

  async replacement(rejected: string, signal: AbortSignal): Promise<string | undefined> {
    const current = this.#issued?.accessToken;
    // Another call may have renewed it meanwhile.
    if (current !== undefined && current !== rejected) return current;
    this.#issued = undefined;
    return this.#renewed(signal);
  }

  /** The exchange serves all calls, so one that is cancelled leaves without ending it. */
  #renewed(signal: AbortSignal): Promise<string> {
    this.#exchanging ??= this.#renew().finally(() => {
      this.#exchanging = undefined;
    });
    return orAborted(this.#exchanging, signal);
  }

  async #renew(): Promise<string> {
    const startedMs = this.#clock.now();
    let tokens: ExchangedTokens;
    try {
      tokens = await this.#exchangeNewest();
    } catch (error) {
      throw exchangeFailure(error);
    }
    this.#redactor.add(tokens.access_token);
    const lifeMs = (tokens.expires_in ?? ASSUMED_LIFE_MS / 1000) * 1000;
    this.#issued = {
      accessToken: tokens.access_token,
      renewAtMs: startedMs + lifeMs - Math.min(LONGEST_MARGIN_MS, lifeMs / 10),
    };
    const refreshToken = tokens.refresh_token ?? this.#refreshToken;
    if (refreshToken !== this.#refreshToken) {
      this.#redactor.add(refreshToken);
      this.#refreshToken = refreshToken;
      this.#kept?.write(refreshToken);
    }
    return tokens.access_token;
  }

  /** Another process may have used the token up and kept its successor: a refusal is final when there is none. */
  async #exchangeNewest(): Promise<ExchangedTokens> {
    this.#takeKept();
    try {
      return await this.#exchange(this.#refreshToken);
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status < 500 && error.status !== 429;
      if (!isRefused || !this.#takeKept()) throw error;
      return this.#exchange(this.#refreshToken);
    }
  }

  /** Goes on with the kept token; false when that is the one at hand. */
  #takeKept(): boolean {
    const kept = this.#kept?.read();
    if (kept === undefined || kept === this.#refreshToken) return false;
    this.#redactor.add(kept);
    this.#refreshToken = kept;
    return true;
  }
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

/** The call that needed the token was not sent, which the error must not leave in doubt, nor pass for "gone". */
function exchangeFailure(error: unknown): unknown {
  if (error instanceof CancelledError || !(error instanceof ManagementError)) return error;
  if (error instanceof ApiError && error.status < 500 && error.status !== 429) {
    return new UnauthorizedError({
      status: error.status,
      operation: error.operation,
      serviceMessage: error.serviceMessage,
      headers: error.headers,
      requestId: error.requestId,
      message:
        `The refresh token was not exchanged for an access token: ${error.status} ${error.serviceMessage}`.trim() +
        ". Check the OAuth client id and client secret; if they are right, authorize the application again and " +
        "configure its new refresh token.",
    });
  }
  return new NetworkError(`No access token could be fetched. ${error.message}`, false);
}
