import type { Engine } from "../tools/engine/engine";
import { measure } from "./measure";
import { setProgram, workProgram } from "./programs";

/**
 * The most calls of one project with 50 keys, 50 functions and 100 secrets, besides those that wait for the project. To
 * create them takes 102 writes, as secrets are written together, and a look before the first write to each of the
 * project, the functions and the secrets, without which what is there already could be overwritten. Keys need none: the
 * service refuses a second one of the same name.
 */
const MOST = { create: 105, "no-change up": 0, refresh: 4 } as const;

/** Wide enough for all of them at once: every narrower wave looks again, as others may have written in between. */
const PARALLEL = 256;

const SUBJECTS = [
  { name: "a FunctionSet of 50", program: setProgram("functions", 50) },
  { name: "a SecretSet of 100", program: setProgram("secrets", 100) },
  { name: "a MigrationSet of 30", program: setProgram("migrations", 30) },
  { name: "50 keys, 50 functions, 100 secrets", program: workProgram() },
];

/** Prints what daily work costs, each in a project of its own; false where the last costs more than it may. */
export async function reportDailyWork(engine: Engine): Promise<boolean> {
  console.log(
    `\na project with … ; calls besides those that wait for it, and seconds; --parallel ${PARALLEL}`,
  );
  const over: string[] = [];
  for (const subject of SUBJECTS) {
    const costs = await measure(engine, [subject], PARALLEL, 1);
    const cells = Object.entries(MOST).map(([command, most]) => {
      const [cost] = costs.filter((each) => each.command === command);
      if (cost === undefined) throw new Error(`There is no cost of ${command}`);
      const calls = cost.calls - cost.polls;
      if (calls > most) over.push(`${command} of ${subject.name}`);
      return `${command} ${calls} in ${cost.seconds.toFixed(1)} s`.padEnd(28);
    });
    console.log(`${subject.name.padEnd(36)}${cells.join("")}`.trimEnd());
  }
  const limits = `${MOST.create} calls to create, ${MOST.refresh} to refresh, and none for a look without change`;
  console.log(
    over.length === 0 ? `None takes more than ${limits}.` : `${over.join(", ")}: more than ${limits}.`,
  );
  return over.length === 0;
}
