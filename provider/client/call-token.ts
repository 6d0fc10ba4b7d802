import type { TokenSource } from "./credentials";

/** The access token that one call carries; replaced once when the service rejects it. */
export class CallToken {
  readonly #tokens: TokenSource;
  #token: string | undefined;
  #isReplaced = false;

  constructor(tokens: TokenSource) {
    this.#tokens = tokens;
  }

  async authorization(signal: AbortSignal): Promise<Record<string, string>> {
    this.#token = await this.#tokens.token(signal);
    return { authorization: `Bearer ${this.#token}` };
  }

  async hasOther(signal: AbortSignal): Promise<boolean> {
    if (this.#token === undefined || this.#isReplaced) return false;
    this.#isReplaced = true;
    return (await this.#tokens.replacement(this.#token, signal)) !== undefined;
  }
}
