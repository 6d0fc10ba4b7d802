import type { Clock } from "./clock";
import { InvalidInputError } from "./errors";
import { OAuthTokens, type TokenExchange } from "./oauth-tokens";
import type { Redactor } from "./redactor";

/** How the client proves who it is. */
export type Credentials =
  | {
      readonly kind: "token";
      /** Asked at each request, so that a rotated token is honoured. */
      readonly accessToken: () => string | undefined | Promise<string | undefined>;
    }
  | {
      readonly kind: "oauth";
      readonly clientId: string;
      readonly clientSecret: string;
      readonly refreshToken: string;
      /** Where the newest refresh token is kept beyond this process; without it, in this process alone. */
      readonly kept?: KeptRefreshToken | undefined;
    };

/** The newest refresh token of an authorization, of which each may work only once. */
export interface KeptRefreshToken {
  read(): string | undefined;
  /** Called after each exchange, whether or not it gave another refresh token. */
  write(refreshToken: string, issued: IssuedToken): void;
  /** The access token that was written last: while it lives, nobody who reads it needs an exchange. */
  issued?(): IssuedToken | undefined;
  /** Runs an exchange while no other process has one under way; what it has got is looked for first. */
  alone?<T>(exchange: () => Promise<T>): Promise<T>;
}

export interface IssuedToken {
  readonly accessToken: string;
  /** When to exchange again, in milliseconds since the epoch. */
  readonly renewAtMs: number;
}

export interface TokenSource {
  token(signal: AbortSignal): Promise<string>;
  /** Another token in place of one that was answered with 401; undefined when there is none. */
  replacement(rejected: string, signal: AbortSignal): Promise<string | undefined>;
}

export function createTokenSource(
  credentials: Credentials,
  exchange: TokenExchange,
  clock: Clock,
  redactor: Redactor,
): TokenSource {
  if (credentials.kind === "oauth") return new OAuthTokens(credentials, exchange, clock, redactor);
  const token = async (): Promise<string> => {
    const given = (await credentials.accessToken())?.trim();
    if (given === undefined || given === "") throw missingToken();
    redactor.add(given);
    if (!/^[\x21-\x7e]+$/.test(given)) throw malformedToken();
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

const HOW_TO_SET =
  "set the environment variable MANAGEMENT_ACCESS_TOKEN, " +
  'or run "pulumi config set --secret management:accessToken", or give a client of your own `accessToken`';

function missingToken(): InvalidInputError {
  return new InvalidInputError("accessToken", `No access token is given: ${HOW_TO_SET}.`);
}

function malformedToken(): InvalidInputError {
  return new InvalidInputError(
    "accessToken",
    `The access token holds a space, a line break or another character that no token has: ${HOW_TO_SET}.`,
  );
}
