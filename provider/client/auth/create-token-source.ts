import type { Clock } from "../clock";
import type { Credentials, TokenSource } from "./credentials";
import { InvalidInputError } from "../errors/errors";
import { OAuthTokens, type TokenExchange } from "./oauth-tokens";
import type { Redactor } from "../redaction/redactor";

interface TokenServices {
  readonly clock: Clock;
  readonly redactor: Redactor;
  /** What to do about a refused access token, within a sentence. */
  readonly tokenAdvice: string;
}

export function createTokenSource(
  credentials: Credentials,
  exchange: TokenExchange,
  { clock, redactor, tokenAdvice }: TokenServices,
): TokenSource {
  if (credentials.kind === "oauth") return new OAuthTokens(credentials, exchange, clock, redactor);
  const token = async (): Promise<string> => {
    const given = (await credentials.accessToken())?.trim();
    if (given === undefined || given === "") throw missingToken(tokenAdvice);
    redactor.add(given);
    if (!/^[\x21-\x7e]+$/.test(given)) throw malformedToken(tokenAdvice);
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

function missingToken(advice: string): InvalidInputError {
  return new InvalidInputError("accessToken", `No access token is given: ${advice}.`);
}

function malformedToken(advice: string): InvalidInputError {
  return new InvalidInputError(
    "accessToken",
    `The access token holds a space, a line break or another character that no token has: ${advice}.`,
  );
}
