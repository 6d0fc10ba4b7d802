import { isAmbiguous } from "../client/errors/errors";
import type { WriteListener } from "../client/call-subject";
import type { SentRequest } from "./ledger-record";

/** Called with all requests so far, before the last of them leaves. */
type Recording = (requests: readonly SentRequest[]) => void;

/** The requests of a create or another write, by the service's own time. */
export class SentRequests {
  readonly #serviceTimeMs: () => number | undefined;
  readonly #record: Recording;
  #requests: readonly SentRequest[];
  #isUnclear = false;

  /** `earlier` are those of an interrupted create that is gone on with. */
  constructor(
    serviceTimeMs: () => number | undefined,
    record: Recording = () => undefined,
    earlier: readonly SentRequest[] = [],
  ) {
    this.#serviceTimeMs = serviceTimeMs;
    this.#record = record;
    this.#requests = earlier;
  }

  /** All so far; what of them the service has answered is told, and need not be in the record yet. */
  get all(): readonly SentRequest[] {
    return this.#requests;
  }

  /** One of them had an answer, or none, that does not tell whether it was carried out. */
  markUnclear(): void {
    this.#isUnclear = true;
  }

  /** Whether one of them may have been carried out although the write ended with this error. */
  mayHaveActed(error: unknown): boolean {
    return this.#requests.length > 0 && (this.#isUnclear || isAmbiguous(error) || isUnexpected(error));
  }

  readonly onWrite: WriteListener = () => {
    const request: SentRequest = { sentAtMs: this.#serviceTimeMs() };
    this.#requests = [...this.#requests, request];
    this.#record(this.#requests);
    return () => {
      const answered = { ...request, answeredAtMs: this.#serviceTimeMs() };
      this.#requests = this.#requests.map((each) => (each === request ? answered : each));
    };
  };
}

/** An answer that a handler cannot read makes the runtime throw: that says nothing of the request. */
function isUnexpected(error: unknown): boolean {
  // By its name, as the runtime's errors may be of another realm.
  const name = typeof error === "object" && error !== null && "name" in error ? error.name : undefined;
  return name === "TypeError" || name === "RangeError" || name === "SyntaxError";
}
