import { execFileSync, spawn, type ChildProcess } from "node:child_process";

/** Makes FIFOs at which a writer waits: whoever opens one to read gets the text instead of hanging for ever. */
export function useFifo(): (path: string, text?: string) => void {
  const writers: ChildProcess[] = [];
  afterEach(() => {
    for (const writer of writers.splice(0)) writer.kill("SIGKILL");
  });
  return (path, text = "opened") => {
    execFileSync("mkfifo", [path]);
    writers.push(spawn("sh", ["-c", 'exec printf "$1" > "$0"', path, text], { stdio: "ignore" }));
  };
}
