import { parseArgs } from "node:util";
import { runTests } from "../run-tests";
import { runMain } from "../run-main";

const USAGE = `npm run histories [-- --of objects --count 10000 --seed 1 --path 1:3:3]

Random histories with kills, faults, others who work on the same things and time that passes. Those of objects have two
stacks and two processes: each must end with exactly what is declared, each object once, and with nothing when all is
destroyed. Those of migrations have a folder, a project and its branch, with merges, pushes and resets: each must end with
every file applied once to both databases. Those of imports have a project that grows by hand and is imported at the end: the
program changes nothing, writes nothing and has no secret, and one edit of it changes one thing.

  --of      objects, migrations or imports; objects when absent
  --count   histories; 10000 when absent
  --seed    makes the same ones again; a new one when absent
  --path    the failing one of that seed alone, as the failure prints it
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      of: { type: "string", default: "objects" },
      count: { type: "string", default: "10000" },
      seed: { type: "string", default: String(Math.trunc(Math.random() * 1_000_000) + 1) },
      path: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  if (![values.count, values.seed].every((value) => /^[1-9]\d*$/.test(value))) {
    console.error(`--count and --seed are whole numbers from 1.\n\n${USAGE}`);
    return 2;
  }
  if (!["objects", "migrations", "imports"].includes(values.of)) {
    console.error(`--of is objects, migrations or imports.\n\n${USAGE}`);
    return 2;
  }
  console.log(`${values.count} histories of ${values.of}, seed ${values.seed}`);
  const settings = { COUNT: values.count, SEED: values.seed, PATH: values.path };
  const prefixed = Object.entries(settings).map(([name, value]) => [`HISTORIES_${name}`, value]);
  return (await runTests(
    [`test/histories/${values.of}`],
    Object.fromEntries(prefixed) as Record<string, string>,
  ))
    ? 0
    : 1;
}

runMain(main);
