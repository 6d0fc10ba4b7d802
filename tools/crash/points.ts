import { runTests } from "../run-tests";

/** Every point at which a resource's step can die, in one process, and the run after it as well at every third point. */
export function runPoints(): Promise<boolean> {
  return runTests(["test/crash/points", "test/crash/forgetful-runners"], { CRASH_POINTS: "long" });
}
