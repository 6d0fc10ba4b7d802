const waiting = new Set<(error: Error) => void>();
let hasFailed = false;
let isListening = false;

/**
 * Runs what the SDK does partly in the background: what fails there, such as a resource that the engine could not make or a
 * value that turns out wrong, fails the work. It is not known of which, so all that is under way fails, as it does in the SDK.
 */
export async function failingTogether<T>(work: () => Promise<T>): Promise<T> {
  listen();
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  waiting.add(fail);
  try {
    return await Promise.race([work(), failed]);
  } catch (error) {
    hasFailed = true;
    throw error;
  } finally {
    waiting.delete(fail);
  }
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  process.on("unhandledRejection", (reason) => {
    const error = reason instanceof Error ? reason : new Error(String(reason));
    // What follows from a failure that has been told is no news; anything else ends the process, as it would without this.
    if (waiting.size === 0 && !hasFailed) throw error;
    for (const fail of waiting) fail(error);
  });
}
