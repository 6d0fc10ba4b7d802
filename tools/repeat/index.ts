import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { runMain } from "../run-main";
import { runTests } from "../run-tests";

const USAGE = `npm run repeat [-- --times 20 --tests test/provider --seed 1 --busy --newer]

Runs the unit tests again and again: each time in another order, with other random values and other histories.

  --times   how often; 20 when absent
  --tests   a part of the tests, as a regular expression for their paths; all of them when absent
  --seed    the seed of the first run, counted up by one for each further run; a new one when absent
  --busy    keeps every core busy with something else meanwhile
  --newer   against a service whose answers carry the fields that no document lists
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      times: { type: "string", default: "20" },
      tests: { type: "string", default: "test" },
      seed: { type: "string", default: String(Math.trunc(Math.random() * 1_000_000) + 1) },
      busy: { type: "boolean", default: false },
      newer: { type: "boolean", default: false },
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
  const seeds = Array.from({ length: Number(values.times) }, (_, index) => Number(values.seed) + index);
  const stop = values.busy ? keepBusy() : () => Promise.resolve();
  let failed: Awaited<ReturnType<typeof failing>>;
  try {
    failed = await failing(seeds, values);
  } finally {
    await stop();
  }
  console.log(
    failed.length === 0
      ? `${values.times} runs passed`
      : `failed with the seeds ${failed.join(", ")}: repeat with --seed and --times 1`,
  );
  return failed.length === 0 ? 0 : 1;
}

/** The seeds with which the tests fail. */
async function failing(
  seeds: readonly number[],
  { tests, newer }: { readonly tests: string; readonly newer: boolean },
): Promise<number[]> {
  const failed: number[] = [];
  for (const seed of seeds) {
    console.log(`seed ${seed}`);
    const order = ["--randomize", `--seed=${seed}`, "--silent"];
    const args = ["--selectProjects", "unit", ...order, "--testPathPatterns", tests];
    if (!(await runTests(args, { HISTORIES_SEED: String(seed), MANAGEMENT_TEST_NEWER: String(newer) })))
      failed.push(seed);
  }
  return failed;
}

/** One endless loop for each core; returns what ends them. */
function keepBusy(): () => Promise<void> {
  const loops = cpus().map(() => new Worker("for (;;) {}", { eval: true }));
  return async () => {
    await Promise.all(loops.map((loop) => loop.terminate()));
  };
}

runMain(main);
