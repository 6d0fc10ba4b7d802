import { parseArgs } from "node:util";
import { isAdapterName } from "./engine/adapters";
import { runEngineCases } from "./engine/index";
import { runMain } from "../run-main";
import { runTests } from "../run-tests";

/** Every point at which a resource's step can die, in one process, and the run after it as well at every third point. */
function runPoints(): Promise<boolean> {
  return runTests(["test/crash/points", "test/crash/forgetful-runners"], { CRASH_POINTS: "long" });
}

const USAGE = `npm run crash [-- --engine 20 --seed 1 --adapter plugin --only 3,7]

Lets the provider die and checks that the next run ends with exactly what is declared. With --engine, the real engine:
each case kills an \`up\` at a random moment, in turn the engine alone, the engine with everything below it, and the
provider alone, one in four on a slow state backend; the next \`up\` must converge, and \`destroy\` leave nothing behind.

  --engine    cases for each adapter
  --seed      makes the same cases again; a new one when absent
  --adapter   dynamic or plugin; both when absent
  --only      numbers of the cases to run, separated by commas; all when absent
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      engine: { type: "string" },
      seed: { type: "string", default: String(Math.trunc(Math.random() * 1_000_000) + 1) },
      adapter: { type: "string" },
      only: { type: "string", default: "" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  if (values.engine === undefined) return (await runPoints()) ? 0 : 1;

  const only = values.only.split(",").filter((number) => number !== "");
  if (![values.engine, values.seed, ...only].every((value) => /^[1-9]\d*$/.test(value))) {
    console.error(`--engine, --seed and --only are whole numbers from 1.\n\n${USAGE}`);
    return 2;
  }
  if (values.adapter !== undefined && !isAdapterName(values.adapter)) {
    console.error(`No adapter is called ${values.adapter}.\n\n${USAGE}`);
    return 2;
  }
  const converged = await runEngineCases({
    count: Number(values.engine),
    seed: Number(values.seed),
    adapters: values.adapter === undefined ? ["dynamic", "plugin"] : [values.adapter],
    only: only.map(Number),
  });
  return converged ? 0 : 1;
}

runMain(main);
