import type { Clock } from "./clock";
import type { ResponseHeaders } from "./rate-limit/rate-headers";

/** The service's own time, which its answers tell in the header `date`: this machine's clock may be wrong. */
export class ServiceClock {
  readonly #clock: Pick<Clock, "now">;
  #aheadMs: number | undefined;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  saw(headers: ResponseHeaders): void {
    const serviceMs = Date.parse(headers["date"] ?? "");
    if (!Number.isNaN(serviceMs)) this.#aheadMs = serviceMs - this.#clock.now();
  }

  /** Milliseconds since the epoch, to the second; undefined while no answer has told it. */
  now(): number | undefined {
    return this.#aheadMs === undefined ? undefined : this.#clock.now() + this.#aheadMs;
  }
}
