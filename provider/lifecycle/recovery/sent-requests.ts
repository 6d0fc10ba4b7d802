import type { WriteListener } from "../../client/call-subject";
import type { SentRequest } from "./journal/entry";

/** Where it is kept what a create has sent: in the journal, from before each request leaves. */
export interface RequestRecord {
  sending(requests: readonly SentRequest[]): void;
}

/** The requests of a create, by the service's own time. */
export class SentRequests {
  #requests: SentRequest[] = [];
  #record: RequestRecord | undefined;
  readonly #serviceTimeMs: () => number | undefined;

  constructor(serviceTimeMs: () => number | undefined) {
    this.#serviceTimeMs = serviceTimeMs;
  }

  /** Those of a create that is gone on with come before. */
  recordIn(record: RequestRecord, earlier: readonly SentRequest[] = []): void {
    this.#record = record;
    this.#requests = [...earlier];
  }

  /** All so far; what of them the service has answered is told, and need not be in the record yet. */
  get all(): readonly SentRequest[] {
    return this.#requests;
  }

  readonly onWrite: WriteListener = () => {
    const request: SentRequest = { sentAtMs: this.#serviceTimeMs() };
    this.#requests = [...this.#requests, request];
    this.#record?.sending(this.#requests);
    return () => {
      const answered = { ...request, answeredAtMs: this.#serviceTimeMs() };
      this.#requests = this.#requests.map((each) => (each === request ? answered : each));
    };
  };
}
