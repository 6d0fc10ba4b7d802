import type { ProcessIdentity, Processes } from "../../provider/core/process-identity";

/** Processes of one machine. */
export interface SimulatedProcesses {
  /** Begins a process; all before it have ended, unless `beside` says otherwise. */
  next(): Processes;
  beside(): Processes;
  end(process: Processes): void;
}

/** As in a container, every process has the same id. */
export function simulatedProcesses(): SimulatedProcesses {
  let count = 0;
  const running = new Set<string>();
  const begin = (): Processes => {
    count += 1;
    const own: ProcessIdentity = {
      token: `process-${count}`,
      pid: 1,
      started: String(count),
      machine: "test",
    };
    running.add(own.token);
    return { own, isRunning: ({ token }) => running.has(token) };
  };
  return {
    next: () => {
      running.clear();
      return begin();
    },
    beside: begin,
    end: ({ own }) => void running.delete(own.token),
  };
}
