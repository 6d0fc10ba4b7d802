import type { Clock } from "../clock";
import type { Credentials, IssuedToken, KeptRefreshToken, TokenSource } from "./credentials";
import {
  ApiError,
  CancelledError,
  isAmbiguous,
  isTransient,
  ManagementError,
  NetworkError,
  UnauthorizedError,
} from "../errors/errors";
import type { Redactor } from "../redaction/redactor";
import { raceWithStop } from "../transport/stop-signal";

export interface ExchangedTokens {
  readonly access_token: string;
  readonly refresh_token?: string | null | undefined;
  readonly expires_in?: number | null | undefined;
}

/** Sends a refresh token to the service (service, OAuth: `POST /v1/oauth/token`). */
export type TokenExchange = (refreshToken: string) => Promise<ExchangedTokens>;

/** The lifetime of access tokens is not specified; it is assumed where the answer names none. */
const ASSUMED_LIFE_MS = 3_600_000;
const LONGEST_MARGIN_MS = 60_000;

/**
 * Access tokens from a refresh token: cached, renewed before they expire, one exchange at a time. What other processes got
 * and kept is taken in place of an exchange.
 */
export class OAuthTokens implements TokenSource {
  readonly #kept: KeptRefreshToken | undefined;
  readonly #exchange: TokenExchange;
  readonly #clock: Clock;
  readonly #redactor: Redactor;
  #refreshToken: string;
  #issued: IssuedToken | undefined;
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
    return this.#renewed(undefined, signal);
  }

  async replacement(rejected: string, signal: AbortSignal): Promise<string | undefined> {
    const current = this.#issued?.accessToken;
    // Another call may have renewed it meanwhile.
    if (current !== undefined && current !== rejected) return current;
    this.#issued = undefined;
    return this.#renewed(rejected, signal);
  }

  /** The exchange serves all calls, so one that is cancelled leaves without ending it. */
  #renewed(rejected: string | undefined, signal: AbortSignal): Promise<string> {
    this.#exchanging ??= this.#renew(rejected).finally(() => {
      this.#exchanging = undefined;
    });
    return raceWithStop(this.#exchanging, signal);
  }

  async #renew(rejected: string | undefined): Promise<string> {
    // Who waited for another process's exchange finds what that has got.
    const exchange = async (): Promise<IssuedToken> =>
      this.#keptIssued(rejected) ?? (await this.#issuedAnew());
    const issued = this.#keptIssued(rejected) ?? (await (this.#kept?.alone?.(exchange) ?? exchange()));
    this.#redactor.add(issued.accessToken);
    this.#issued = issued;
    return issued.accessToken;
  }

  #keptIssued(rejected: string | undefined): IssuedToken | undefined {
    const issued = this.#kept?.issued?.();
    const isOfUse = issued !== undefined && issued.accessToken !== rejected;
    return isOfUse && this.#clock.now() < issued.renewAtMs ? issued : undefined;
  }

  async #issuedAnew(): Promise<IssuedToken> {
    const startedMs = this.#clock.now();
    let tokens: ExchangedTokens;
    try {
      tokens = await this.#exchangeNewest();
    } catch (error) {
      throw explainExchangeFailure(error);
    }
    const lifeMs = (tokens.expires_in ?? ASSUMED_LIFE_MS / 1000) * 1000;
    const issued = {
      accessToken: tokens.access_token,
      renewAtMs: startedMs + lifeMs - Math.min(LONGEST_MARGIN_MS, lifeMs / 10),
    };
    this.#refreshToken = tokens.refresh_token ?? this.#refreshToken;
    this.#redactor.add(this.#refreshToken);
    this.#kept?.write(this.#refreshToken, issued);
    return issued;
  }

  /** Where nothing keeps others away, another process may have used the token up: a refusal is final when it kept none. */
  async #exchangeNewest(): Promise<ExchangedTokens> {
    this.#takeKept();
    try {
      return await this.#exchange(this.#refreshToken);
    } catch (error) {
      if (!isFinalRefusal(error) || !this.#takeKept()) throw error;
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

/** Whether the exchange itself is refused: neither for a moment nor with an outcome that is unknown. */
function isFinalRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && !isAmbiguous(error) && !isTransient(error) && error.status !== 429;
}

/** The call that needed the token was not sent, which the error must not leave in doubt, nor pass for "gone". */
function explainExchangeFailure(error: unknown): unknown {
  if (error instanceof CancelledError || !(error instanceof ManagementError)) return error;
  if (isFinalRefusal(error)) {
    return new UnauthorizedError({
      status: error.status,
      operation: error.operation,
      serviceMessage: error.serviceMessage,
      headers: error.headers,
      requestId: error.requestId,
      message:
        `The refresh token was not exchanged for an access token: ${error.status} ${error.serviceMessage}`.trim() +
        ". Check the OAuth client id and client secret. If they are right, authorize the application again and " +
        "configure its new refresh token.",
    });
  }
  return new NetworkError(`The access token could not be fetched. ${error.message}`, false);
}
