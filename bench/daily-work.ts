import type { Engine } from "../tools/engine/engine";
import { measure } from "./measure";
import { setProgram, workProgram } from "./programs";

/**
 * The most calls of one project with 50 keys, 50 functions and 100 secrets, besides those that wait for the project.
 * Creating them has no limit: each create rests on a look at what is there, which those of one moment share, and a set of
 * secrets is looked at once more after it was written.
 */
const MOST = { "no-change up": 0, refresh: 4 } as const;

/** Few creates of one moment, the engine's default, and all of them at once. */
const PARALLEL = [4, 16, 256];

const SUBJECTS = [
  { name: "a FunctionSet of 50", program: setProgram("functions", 50) },
  { name: "a SecretSet of 100", program: setProgram("secrets", 100) },
  { name: "a MigrationSet of 30", program: setProgram("migrations", 30) },
  { name: "50 keys, 50 functions, 100 secrets", program: workProgram() },
];

/** Prints what daily work costs, each in a project of its own; false where a run without changes, or a refresh, costs more than it may. */
export async function reportDailyWork(engine: Engine): Promise<boolean> {
  console.log("\na project with … ; calls besides those that wait for it, and seconds");
  const over: string[] = [];
  for (const parallel of PARALLEL) {
    console.log(`--parallel ${parallel}`);
    for (const subject of SUBJECTS) {
      const costs = await measure(engine, [subject], { projects: 1, parallel, turns: 1 });
      const cells = ["create", ...Object.keys(MOST)].map((command) => {
        const [cost] = costs.filter((each) => each.command === command);
        if (cost === undefined) throw new Error(`There is no cost of ${command}`);
        const calls = cost.calls - cost.polls;
        if (calls > mostOf(command)) over.push(`${command} of ${subject.name} at ${parallel}`);
        return `${command} ${calls} in ${cost.seconds.toFixed(1)} s`.padEnd(28);
      });
      console.log(`${subject.name.padEnd(36)}${cells.join("")}`.trimEnd());
    }
  }
  const limits = `${MOST.refresh} calls to refresh, and none for a look without change`;
  console.log(
    over.length === 0 ? `None takes more than ${limits}.` : `${over.join(", ")}: more than ${limits}.`,
  );
  return over.length === 0;
}

function mostOf(command: string): number {
  return command === "refresh" || command === "no-change up" ? MOST[command] : Infinity;
}
