import { isAmbiguous } from "../client/errors/errors";
import type { WriteListener } from "../client/call-subject";
import type { SentRequest } from "./ledger-record";

/** Called with all requests so far, before the last of them leaves. */
type RequestRecorder = (requests: readonly SentRequest[]) => void;

/** The requests of a create or another write, by the service's own time. */
export class SentRequests {
  readonly #serviceTimeMs: () => number | undefined;
  readonly #record: RequestRecorder;
  #requests: readonly SentRequest[];
  #isUnclear = false;

  /** `earlier` are the requests of an interrupted create that this one continues. */
  constructor(
    serviceTimeMs: () => number | undefined,
    record: RequestRecorder = () => undefined,
    earlier: readonly SentRequest[] = [],
  ) {
    this.#serviceTimeMs = serviceTimeMs;
    this.#record = record;
    this.#requests = earlier;
  }

  /** All requests so far, with the times of those that were answered; the record may not have these times yet. */
  get all(): readonly SentRequest[] {
    return this.#requests;
  }

  /** An answer, or its absence, does not show whether one of them was carried out. */
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

/** The runtime's error of a handler that cannot read an answer: the request may have been carried out. */
function isUnexpected(error: unknown): boolean {
  // Compared by its name, as an error of another realm is no instance of this one's classes.
  const name = typeof error === "object" && error !== null && "name" in error ? error.name : undefined;
  return name === "TypeError" || name === "RangeError" || name === "SyntaxError";
}
