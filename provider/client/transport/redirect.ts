import type { WireAnswer } from "./transport";

const MOST_REDIRECTS = 5;

/** Where a call goes. A read follows redirects within the same origin: the token must stay with it. */
export class Target {
  readonly #origin: string;
  readonly #isRead: boolean;
  #pathAndQuery: string;
  #redirects = 0;

  constructor(origin: string, pathAndQuery: string, isRead: boolean) {
    this.#origin = origin;
    this.#pathAndQuery = pathAndQuery;
    this.#isRead = isRead;
  }

  get pathAndQuery(): string {
    return this.#pathAndQuery;
  }

  /** Whether the answer leads on to where the next attempt goes. */
  follows({ status, headers: { location } }: WireAnswer): boolean {
    if (status < 300 || status >= 400 || location === undefined) return false;
    const current = `${this.#origin}${this.#pathAndQuery}`;
    if (!this.#isRead || this.#redirects >= MOST_REDIRECTS || !URL.canParse(location, current)) return false;
    const next = new URL(location, current);
    if (next.origin !== this.#origin) return false;
    this.#redirects += 1;
    this.#pathAndQuery = `${next.pathname}${next.search}`;
    return true;
  }
}
