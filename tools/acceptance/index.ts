import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { systemClock } from "../../provider/client/clock";
import { runMain } from "../run-main";
import { compareExchanges } from "./compare";
import { costLines, LONGEST_HOURS } from "./costs";
import { recordingFile, recordingOf, type Recording } from "./recording";
import { runOnEmulator } from "./reference";
import { differencesTable, outcomesTable } from "./report";
import { removeProject, type RunEnvironment, type Target, type Wanted } from "./session";
import { allSubjects, knownTypes, NEVER_TRIED, subjectsOf, whyLeftOut } from "./subjects";
import type { Subject } from "./subjects/subject";
import { clean, runToTheEnd, UnfinishedRuns } from "./unfinished";

const USAGE = `npm run acceptance -- --organization SLUG [--type TYPE ...] [--with-cost] [--yes]

Tries the resources on the running service, in a project that it creates and removes: create, read, no change, an edit
outside Pulumi, refresh, repair, destroy, nothing left. It then makes the same calls to the emulator, and prints in what the
answers differ. It reads MANAGEMENT_BASE_URL, MANAGEMENT_ACCESS_TOKEN and MANAGEMENT_NAMES.

  --organization  the organization in which it creates the project
  --type          a resource type to try, and no others; repeatable
  --with-cost     tries also what costs more than the project: branches, add-ons, a read replica
  --hostname      a name of a domain of yours, such as db.example.com, for CustomHostname; without one it is left out
  --region        the region of the project; eu-central-1 when absent
  --newer         the emulator's answers carry the fields that no document lists
  --out           folder for recording.json and differences.md; by default one in node_modules/.cache/acceptance
  --yes           does not ask before it creates what costs money
  --clean         removes what runs on this machine left that were killed, as every run does first, and does nothing else
  --remove        removes the project of an earlier run, by its name, and does nothing else
  --compare       compares a recording with the emulator; needs no account
`;

const CACHE = resolve("node_modules/.cache/acceptance");

const runs = new UnfinishedRuns(join(CACHE, "unfinished"));

/** What `npm run acceptance` calls its projects. */
const PROJECT_NAME = /^acceptance-[\da-f]{16}$/;

const say = (line: string): void => console.log(line);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      organization: { type: "string" },
      type: { type: "string", multiple: true, default: [] },
      hostname: { type: "string" },
      "with-cost": { type: "boolean", default: false },
      region: { type: "string", default: "eu-central-1" },
      newer: { type: "boolean", default: false },
      out: { type: "string" },
      yes: { type: "boolean", default: false },
      clean: { type: "boolean", default: false },
      remove: { type: "string" },
      compare: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) {
    say(USAGE);
    return 0;
  }
  if (values.compare !== undefined) {
    const recording = recordingFile.parse(JSON.parse(readFileSync(values.compare, "utf8")));
    say(await differencesFrom(recording, values.newer));
    return 0;
  }
  if (values.clean) {
    if (runs.all().length === 0) say("No earlier run on this machine has left anything.");
    return (await cleanUp(targetIn(process.env))) ? 0 : 1;
  }
  const { organization } = values;
  if (organization === undefined) {
    console.error(`--organization is missing.\n\n${USAGE}`);
    return 2;
  }
  const unknown = values.type.filter((type) => !knownTypes().includes(type));
  if (unknown.length > 0) {
    for (const type of unknown) console.error(`${type} cannot be tried: ${whyNever(type)}.`);
    console.error(`These can: ${knownTypes().join(", ")}.`);
    return 2;
  }
  const target = targetIn(process.env);
  const wanted: Wanted = {
    organization,
    projectName: values.remove ?? `acceptance-${randomBytes(8).toString("hex")}`,
    region: values.region,
    dbPass: randomBytes(18).toString("base64url"),
    hostname: values.hostname,
    withCost: values["with-cost"],
    subjects: values.type.length === 0 ? allSubjects : subjectsOf(values.type),
  };
  const out = resolve(values.out ?? join(CACHE, wanted.projectName));
  if (values.remove !== undefined) return remove(target, wanted, out);
  return tryAll(target, wanted, { out, isConfirmed: values.yes, newer: values.newer });
}

function targetIn(env: NodeJS.ProcessEnv): Target {
  const { MANAGEMENT_BASE_URL: baseUrl, MANAGEMENT_ACCESS_TOKEN: accessToken, MANAGEMENT_NAMES: names } = env;
  if (!baseUrl || !accessToken) {
    throw new Error(
      "Set MANAGEMENT_BASE_URL and MANAGEMENT_ACCESS_TOKEN to the service and a token of your account.",
    );
  }
  return { baseUrl, accessToken, names: names === "" ? undefined : names, clock: systemClock };
}

async function remove(target: Target, wanted: Wanted, folder: string): Promise<number> {
  if (!PROJECT_NAME.test(wanted.projectName)) {
    console.error(
      `--remove takes the name of a project that a run created: acceptance- and 16 hexadecimal digits.`,
    );
    return 2;
  }
  mkdirSync(folder, { recursive: true });
  const { isClean, faults } = await removeProject(target, wanted, surroundings(folder));
  if (isClean) runs.end(wanted.projectName);
  for (const fault of faults) console.error(fault);
  say(isClean ? `Nothing is left of ${wanted.projectName}.` : `${wanted.projectName} may still exist.`);
  return isClean ? 0 : 1;
}

function surroundings(folder: string): RunEnvironment {
  return { folder, signal: new AbortController().signal, say };
}

function cleanUp(target: Target): Promise<boolean> {
  return clean(runs, target, surroundings(CACHE));
}

interface HowToTry {
  readonly out: string;
  readonly isConfirmed: boolean;
  readonly newer: boolean;
}

async function tryAll(
  target: Target,
  wanted: Wanted,
  { out, isConfirmed, newer }: HowToTry,
): Promise<number> {
  await cleanUp(target);
  const removal = `npm run acceptance -- --organization ${wanted.organization} --remove ${wanted.projectName}`;
  say(
    `This creates the project ${wanted.projectName} in ${wanted.organization} at ${target.baseUrl}, and removes it after ` +
      `${LONGEST_HOURS} hours at the latest. It costs at most:\n`,
  );
  const why = (subject: Subject): string | undefined => whyLeftOut(subject, { ...wanted, plan: undefined });
  for (const line of costLines(wanted.subjects.filter((subject) => why(subject) === undefined))) say(line);
  const leftOut = wanted.subjects.flatMap(
    (subject) => why(subject)?.replace(/^/, `  ${subject.type}: `) ?? [],
  );
  if (leftOut.length > 0) say(`\nIt leaves out:\n\n${leftOut.join("\n")}`);
  if (!isConfirmed && !(await confirmed())) return 2;
  say(`\nIf this machine fails, the next run removes the project, or this does: ${removal}\n`);
  mkdirSync(out, { recursive: true });
  const interrupted = abortOnSignals(removal);
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(LONGEST_HOURS * 3_600_000)]);
  const result = await runToTheEnd(runs, target, wanted, { folder: join(out, "journal"), signal, say });
  const recording = recordingOf(result, wanted, [target.accessToken]);
  const file = join(out, "recording.json");
  writeFileSync(file, `${JSON.stringify(recording, undefined, 1)}\n`);
  say(`\n${outcomesTable(result.outcomes)}\n\nThe exchanges, without secrets and identities: ${file}`);
  if (!result.isClean) say(`\nThe service may still have the project. This removes it: ${removal}`);
  if (!interrupted.aborted) {
    const differences = await differencesFrom(recording, newer);
    writeFileSync(join(out, "differences.md"), `${differences}\n`);
    say(`\n${differences}`);
  }
  const isRight = result.isClean && result.outcomes.every(({ faults }) => faults.length === 0);
  return isRight && !signal.aborted ? 0 : 1;
}

function whyNever(type: string): string {
  return Object.hasOwn(NEVER_TRIED, type) ? (NEVER_TRIED[type] ?? "") : "no resource has this type";
}

/** What was recorded beside what the emulator answers to the same. */
async function differencesFrom(recording: Recording, newer: boolean): Promise<string> {
  const wanted: Wanted = {
    organization: "acme",
    projectName: "acceptance-0000000000000000",
    region: recording.region,
    dbPass: randomBytes(18).toString("base64url"),
    hostname: "db.example.com",
    withCost: true,
    subjects: subjectsOf(recording.types),
  };
  const reference = await runOnEmulator(wanted, { newer, plan: recording.plan });
  const { exchanges } = recordingOf(reference, wanted, []);
  return differencesTable(compareExchanges(recording.exchanges, exchanges));
}

async function confirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.error("\nNobody can be asked here: pass --yes to agree.");
    return false;
  }
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await lines.question("\nCreate it? Only yes counts as agreement: ")).trim() === "yes";
  } finally {
    lines.close();
  }
}

/** The first signal ends the trials and removes the project; a second one leaves that to the user. */
function abortOnSignals(removal: string): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) {
        console.error(`\nStopped before the project was removed. This removes it: ${removal}`);
        process.exit(130);
      }
      console.error("\nInterrupted: removing the project. A second signal stops that, too.");
      controller.abort(new Error("the run was interrupted"));
    });
  }
  return controller.signal;
}

runMain(main);
