import { providersBelow } from "../tools/engine/orphans";
import { residentBytes } from "../tools/engine/process-table";

const LOOK_EVERY_MS = 250;

/** Does the work, and tells the most memory in bytes that providers below this process had together meanwhile. */
export async function withPeakMemory<T>(work: () => Promise<T>): Promise<{ result: T; peakBytes: number }> {
  let peakBytes = 0;
  const timer = setInterval(() => {
    const bytes = providersBelow(process.pid).map(residentBytes);
    peakBytes = Math.max(
      peakBytes,
      bytes.reduce((sum, each) => sum + each, 0),
    );
  }, LOOK_EVERY_MS);
  try {
    const result = await work();
    return { result, peakBytes };
  } finally {
    clearInterval(timer);
  }
}
