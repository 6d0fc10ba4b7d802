import { parseRateHeaders } from "../rate-limit/rate-headers";
import { textOf, type WireAnswer } from "../transport/transport";

/** How the service words a refusal by a rate limit, whichever of its limits the headers describe. */
const THROTTLED = /ThrottlerException|too many requests/i;

/**
 * Whether a 429 refuses for a quota of the object itself, with calls left in the window: waiting for the window's end
 * does not help (service, Limits).
 */
export function isQuotaRefusal(answer: WireAnswer): boolean {
  const remaining = parseRateHeaders(answer.headers)?.remaining ?? 0;
  return answer.status === 429 && remaining > 0 && !THROTTLED.test(textOf(answer));
}
