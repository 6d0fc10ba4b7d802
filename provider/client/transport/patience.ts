/** What an operating system may hold of an upload before the line has taken it: Linux's largest send buffer. */
const LARGEST_SEND_BUFFER = 4 * 1024 * 1024;
/** The slowest line on which an upload is not given up: 256 kbit/s. */
const SLOWEST_BYTES_PER_MS = 32;

/**
 * How long nothing need be seen of a request before it counts as stuck. Bytes that were handed over may still wait for the
 * line, unseen, and the service answers only when it has them.
 */
export function patienceMs(requestTimeoutMs: number, handedOverBytes: number): number {
  return requestTimeoutMs + Math.min(handedOverBytes, LARGEST_SEND_BUFFER) / SLOWEST_BYTES_PER_MS;
}
