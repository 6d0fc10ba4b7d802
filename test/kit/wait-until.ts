/** As it is before a test fakes it. */
const realSetTimeout = setTimeout;
const LONGEST_MS = 120_000;

/**
 * Waits until `isTrue`. What never comes fails the test at its line with `what`, a clause such as "the call arrives",
 * long before Jest ends the test without a word.
 */
export async function waitUntil(what: string, isTrue: () => boolean): Promise<void> {
  const untilMs = performance.now() + LONGEST_MS;
  while (!isTrue()) {
    if (performance.now() > untilMs) {
      const error = new Error(`Waited ${LONGEST_MS / 1000} seconds until ${what}.`);
      Error.captureStackTrace(error, waitUntil);
      throw error;
    }
    await new Promise((resolve) => realSetTimeout(resolve, 1));
  }
}
