import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { runMain } from "../run-main";
import { runTests } from "../run-tests";

const USAGE = `npm run repeat [-- --times 20 --tests test/provider --seed 1 --busy]

Runs the unit tests again and again: each time in another order, with other random values and other histories.

  --times   how often; 20 when absent
  --tests   a part of the tests, as a regular expression for their paths; all of them when absent
  --seed    the seed of the first run, counted up by one for each further run; a new one when absent
  --busy    keeps every core busy with something else meanwhile
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      times: { type: "string", default: "20" },
      tests: { type: "string", default: "test" },
      seed: { type: "string", default: String(Math.trunc(Math.random() * 1_000_000) + 1) },
      busy: { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  if (![values.times, values.seed].every((value) => /^[1-9]\d*$/.test(value))) {
    console.error(`--times and --seed are whole numbers from 1.\n\n${USAGE}`);
    return 2;
  }
  const stop = values.busy ? keepBusy() : () => Promise.resolve();
  const failed: number[] = [];
  const first = Number(values.seed);
  for (let seed = first; seed < first + Number(values.times); seed += 1) {
    console.log(`seed ${seed}`);
    const options = [
      "--selectProjects",
      "unit",
      "--randomize",
      `--seed=${seed}`,
      "--silent",
      "--testPathPatterns",
    ];
    const hasPassed = await runTests([...options, values.tests], { HISTORIES_SEED: String(seed) });
    if (!hasPassed) failed.push(seed);
  }
  await stop();
  console.log(
    failed.length === 0
      ? `${values.times} runs passed`
      : `failed with the seeds ${failed.join(", ")}: repeat with --seed and --times 1`,
  );
  return failed.length === 0 ? 0 : 1;
}

/** One endless loop for each core; returns what ends them. */
function keepBusy(): () => Promise<void> {
  const loops = cpus().map(() => new Worker("for (;;) {}", { eval: true }));
  return async () => {
    await Promise.all(loops.map((loop) => loop.terminate()));
  };
}

runMain(main);
