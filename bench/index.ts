import { parseArgs } from "node:util";
import { startWholeProject } from "../tools/engine/emulated-whole-project";
import type { Engine } from "../tools/engine/engine";
import { provisionEngine } from "../tools/engine/provision";
import { measureColdStart, median } from "./cold-start";
import { reportDailyWork } from "./daily-work";
import { measure, type Cost } from "./measure";
import { managementProgram, mixtureOf, noopProgram, projectsOf } from "./programs";
import { reportBatches, reportLimits, reportWaiting } from "./simulations";
import { repeatedCalls } from "../tools/engine/repeated-calls";
import { wholeProject } from "../tools/schema/examples/whole-project";
import { runMain } from "../tools/run-main";

/** The most that a no-change `up` may cost, as a multiple of the no-op provider's. */
const MOST_NO_CHANGE_RATIO = 1.1;

/** The most that creating many things in a project that exists may cost, in the same way. */
const MOST_CREATE_RATIO = 1.3;

/** The most that starting the plugin may cost, as a multiple of an empty gRPC server's start. */
const MOST_COLD_START_RATIO = 1.25;
const COLD_STARTS = 15;

/** How often a no-change `up` is timed; of stacks so large that it takes long, less often. */
const TURNS = 9;
const TURNS_OF_LARGE = 3;
const LARGE = 1_000;

const USAGE = `npm run bench [-- --sizes 10,100,400,1000,2000] [--parallel 16] [--limits] [--batches]

Times the plugin's cold start beside an empty gRPC server's. Counts the API calls and the time of create, no-change up,
refresh and destroy, and the memory of the provider process, beside a dynamic provider that does nothing, command by
command in the same run, and the calls by which a refresh reads a resource of every type, and those of daily work, each at
--parallel 4, 16 and 256: sets from files, and one project with 50 keys, 50 functions and 100 secrets; --sizes "" leaves
all of that out. Prints how late is noticed what settles after a time. With --limits it does none of it: it counts calls,
refusals and virtual time of 300 resources under each rule by which the rate limit may count. With --batches it does none of
it either: it counts listings and bulks of 100 resources by --parallel and by how fast the engine begins its steps.
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      sizes: { type: "string", default: "10,100,400,1000,2000" },
      parallel: { type: "string", default: "16" },
      limits: { type: "boolean" },
      batches: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  if (values.batches === true) return (await reportBatches()) ? 0 : 1;
  if (values.limits === true) return (await reportLimits()) ? 0 : 1;
  const sizes = values.sizes === "" ? [] : values.sizes.split(",").map(Number);
  const parallel = Number(values.parallel);
  if ([...sizes, parallel].some((value) => !Number.isInteger(value) || value < 1)) {
    console.error(`Sizes and --parallel are whole numbers from 1.\n\n${USAGE}`);
    return 2;
  }
  const isCold = await reportColdStart();
  const isQuick = (await reportWaiting()) && isCold;
  if (sizes.length === 0) return isQuick ? 0 : 1;
  const engine = await provisionEngine({ log: console.log, languages: ["nodejs", "yaml"] });
  let isWithin = await reportWholeProject(engine);
  const isCheap = await reportDailyWork(engine);
  const slow: string[] = [];
  for (const size of sizes) {
    const { functions, apiKeys, secrets } = mixtureOf(size);
    const projects = projectsOf(size);
    console.log(
      `\n${size} resources in ${projects} existing project${projects === 1 ? "" : "s"}: ${functions} functions, ${apiKeys} API keys, ${secrets} secrets; --parallel ${parallel}`,
    );
    const subjects = [
      { name: "management", program: managementProgram(size) },
      { name: "no-op", program: noopProgram(size) },
    ];
    const costs = await measure(engine, subjects, {
      ...{ projects, parallel },
      turns: size < LARGE ? TURNS : TURNS_OF_LARGE,
    });
    console.log(
      ["command", "calls", "429s", "seconds", "no-op", "ratio", "ms each", "MB"]
        .map((head) => head.padStart(13))
        .join(""),
    );
    for (const command of new Set(costs.map((cost) => cost.command))) {
      const row = compare(
        size,
        costs.filter((cost) => cost.command === command),
      );
      console.log([command, ...row.cells].map((cell) => cell.padStart(13)).join(""));
      if (command === "no-change up") isWithin &&= row.ratio <= MOST_NO_CHANGE_RATIO && row.calls === 0;
      if (command === "create" && row.ratio > MOST_CREATE_RATIO) slow.push(String(size));
    }
  }
  console.log(
    slow.length === 0
      ? `\nCreating them costs at most ${MOST_CREATE_RATIO} times the no-op ones.`
      : `\nCreating ${slow.join(", ")} of them costs more than ${MOST_CREATE_RATIO} times the no-op ones.`,
  );
  console.log(
    isWithin
      ? `The no-change up makes no call and costs at most ${MOST_NO_CHANGE_RATIO} times the no-op one; a refresh reads nothing twice.`
      : `The no-change up makes calls, or costs more than ${MOST_NO_CHANGE_RATIO} times the no-op one, or a refresh reads something twice.`,
  );
  return isWithin && slow.length === 0 && isQuick && isCheap ? 0 : 1;
}

async function reportColdStart(): Promise<boolean> {
  const { pluginMs, emptyMs, ratio } = await measureColdStart(COLD_STARTS);
  const isQuick = ratio <= MOST_COLD_START_RATIO;
  console.log(
    `cold start of the plugin: ${pluginMs.toFixed(0)} ms; of an empty gRPC server: ${emptyMs.toFixed(0)} ms; ` +
      `median ratio of ${COLD_STARTS} pairs ${ratio.toFixed(2)}, ${isQuick ? "at most" : "more than"} ${MOST_COLD_START_RATIO}`,
  );
  return isQuick;
}

/** Refreshes the whole project, whose every collection and configuration should be read once at most. */
async function reportWholeProject(engine: Engine): Promise<boolean> {
  const stack = await startWholeProject(engine);
  const { workspace, emulator } = stack;
  const run = async (command: "up" | "refresh"): Promise<void> => {
    const { exitCode, stdout, stderr } = await workspace[command]({ eventLog: false });
    if (exitCode !== 0) throw new Error(`${command} failed:\n${stdout}${stderr}`);
  };
  try {
    await run("up");
    const resources = Object.keys(wholeProject.declares).length;
    const repeated: string[] = [];
    emulator.control.set("service", "current");
    // The service as measured wants it for a schedule of backups.
    emulator.control.set("organizations.acme.plan", "enterprise");
    // With the one call for the configurations of a project, and where the token lacks a permission of it.
    for (const isRefused of [false, true]) {
      emulator.control.advance(60_000);
      emulator.control.clearCalls();
      if (isRefused) emulator.control.addFault({ operation: "getProjectConfig", status: 403 });
      await run("refresh");
      const calls = emulator.control.countCalls();
      const twice = repeatedCalls(emulator);
      repeated.push(...twice);
      console.log(
        `\nrefresh of a resource of every type (examples/whole-project)${isRefused ? ", each configuration by itself" : ""}: ` +
          `${resources} resources, ${calls} calls, ${(calls / resources).toFixed(2)} per resource; ` +
          (twice.length === 0 ? "none of them made twice" : `made more than once: ${twice.join(", ")}`),
      );
    }
    return repeated.length === 0;
  } finally {
    await stack.dispose();
  }
}

/** Medians of one command: the runs were made in pairs, so the ratio is that of pairs as well. */
function compare(size: number, costs: readonly Cost[]): { cells: string[]; ratio: number; calls: number } {
  const ours = costs.filter(({ subject }) => subject === "management");
  const noop = costs.filter(({ subject }) => subject === "no-op");
  const ratio = median(ours.map(({ seconds }, index) => seconds / (noop[index]?.seconds ?? Number.NaN)));
  const calls = Math.max(...ours.map((cost) => cost.calls));
  const refused = Math.max(...ours.map((cost) => cost.refused));
  const seconds = (of: readonly Cost[]): number => median(of.map((cost) => cost.seconds));
  const milliseconds = (seconds(ours) * 1_000) / size;
  const megabytes = Math.max(...ours.map((cost) => cost.peakBytes)) / 2 ** 20;
  return {
    cells: [
      String(calls),
      String(refused),
      ...[seconds(ours), seconds(noop), ratio].map((value) => value.toFixed(2)),
      ...[milliseconds, megabytes].map((value) => value.toFixed(0)),
    ],
    ratio,
    calls,
  };
}

runMain(main);
