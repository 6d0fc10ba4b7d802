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

/** What to do about a refused access token, within a sentence, where the client's owner does not tell it. */
export function formatTokenAdvice({ kind }: Credentials): string {
  return kind === "oauth"
    ? "authorize the OAuth application again and pass its new refresh token to the client"
    : "set a valid one in the environment variable MANAGEMENT_ACCESS_TOKEN, or pass `accessToken` to the client";
}
