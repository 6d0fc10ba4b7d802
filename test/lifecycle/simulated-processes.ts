import type { ProcessMark, Processes } from "../../provider/lifecycle/journal/process-mark";

/** Processes that follow one another on one machine, of which the last one runs; `next` begins one. */
export function simulatedProcesses(): { next(): Processes } {
  let count = 0;
  return {
    next: () => {
      count += 1;
      // As in a container, where every process has the same id.
      const own: ProcessMark = { token: `process-${count}`, pid: 1, started: String(count), machine: "test" };
      return { own, isRunning: ({ started }) => started === String(count) };
    },
  };
}
