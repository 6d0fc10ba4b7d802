import { isDeepStrictEqual } from "node:util";
import type { SettledResource } from "../../provider/engine/create/create";
import type { ReadResult } from "../../provider/engine/read";
import { LIST_FIELDS, WHOLE_ANSWERS } from "../../provider/define/listings";
import { operations, type OperationName } from "../../spec/table";
import type { Operation } from "../../spec/operation";
import { startScenario, type Managed, type Scenario } from "../kit/scenario";
import { inTier } from "../kit/tier";
import { isConfiguration, isQuick, resourceOf, samples, type Sample } from "../kit/samples";

/** States in which no answer proves that an object is gone. */
const UNPROVEN = [
  ...["INACTIVE", "PAUSING", "PAUSE_FAILED", "COMING_UP", "RESTORING", "RESTORE_FAILED", "UNKNOWN"],
  ...["RESIZING", "UPGRADING", "RESTARTING", "PROMOTING", "A_STATE_OF_TOMORROW"],
];
const NEVER_STARTED = "INIT_FAILED";

type Answer = { status: number; message?: string; holds?: "no objects" | "no fields" | "no rows" };

/** What a paused project was measured to answer instead (service, Paused projects). */
const ANSWERS: Readonly<Record<string, Answer>> = {
  "an empty list": { status: 200, holds: "no objects" },
  "an empty object": { status: 200, holds: "no fields" },
  "400": { status: 400, message: "No active services available" },
  "404": { status: 404, message: "Postgres config not found" },
  "406": { status: 406, message: "User does not have JIT access" },
  "500": { status: 500, message: "Internal Server Error" },
  "544": { status: 544, message: "Connection terminated due to connection timeout" },
};
/** To a read, also a query without a row in its answer. */
const ANSWERS_TO_READS = { ...ANSWERS, "no rows": { status: 200, holds: "no rows" } as const };
const QUERIES: readonly OperationName[] = ["runQuery", "runReadOnlyQuery"];
const SAYS_GONE = ["an empty list", "404", "406"];

const OF_STATE: readonly OperationName[] = ["getProject", "getBranchConfig", "listProjects"];

/** Operations of a project beside those that show its state. */
// The keys of the table are its operation names, which `Object.entries` widens to string.
const ofProjects = (Object.entries(operations) as [OperationName, Operation][]).filter(
  ([name, { path }]) => /^\/v\d\/projects\/\{ref\}\//.test(path) && !OF_STATE.includes(name),
);

/** An answer without anything in it; undefined for operations that do not answer so. */
function emptyBody(name: OperationName, { method, success }: Operation, holds: Answer["holds"]): unknown {
  if (holds === "no rows") return QUERIES.includes(name) ? [] : undefined;
  // A write that succeeds has been done.
  if (method !== "GET") return undefined;
  if (holds === "no fields") return {};
  const fields = new Map<string, string>(Object.entries(LIST_FIELDS));
  const [, lists = []] = Object.values(WHOLE_ANSWERS).find(([operation]) => operation === name) ?? [];
  const of = [fields.get(name) ?? "", ...lists].filter((field) => field !== "");
  const body = of.length === 0 ? [] : Object.fromEntries(of.map((field) => [field, []]));
  return success.schema.safeParse(body).success ? body : undefined;
}

/** The organization's listing shows it, whatever the project answers. */
const SHOWN_ELSEWHERE = ["ReadReplica"];
/** A delete only says that what it did stays. */
const DELETES_NOTHING = ["CustomHostnameActivation"];

let scenario: Scenario;
let ref: string;
let made: SettledResource;
let managed: Managed;
/** As a refresh has it while the project is healthy. */
let known: ReadResult;

function answerAll(answer: Answer): void {
  for (const [operation, described] of ofProjects) {
    const body = emptyBody(operation, described, answer.holds);
    if (answer.holds !== undefined && body === undefined) continue;
    scenario.emulator.control.addFault({
      ...{ operation, status: answer.status, times: 1_000 },
      ...(answer.message !== undefined && { message: answer.message }),
      ...(body !== undefined && { body }),
    });
  }
}

function show(status: string): void {
  const { control } = scenario.emulator;
  const project = control.call("getProject", { ref });
  control.addFault({ operation: "getProject", status: 200, body: { ...project, status }, times: 1_000 });
}

/** What a step comes to while the project is in the state and answers so. */
async function during<T>(status: string, answer: Answer, step: () => Promise<T>): Promise<T | Error> {
  const { control } = scenario.emulator;
  scenario.nextRun();
  // Into another window of the rate limits.
  scenario.clock.advance(61_000);
  scenario.warnings.length = 0;
  show(status);
  answerAll(answer);
  control.clearCalls();
  try {
    return await step().catch((error: unknown) =>
      error instanceof Error ? error : new Error(String(error)),
    );
  } finally {
    control.clearFaults();
  }
}

/** What a read is without a difference to show, so that nothing is kept. A setting that an answer lacks is unknown. */
const SHOWS_NO_DIFFERENCE = [
  ...["LegacyApiKeys", "CryptoExtensionKey", "RealtimeConfig"].map((type) => `${type}: an empty object`),
  ...["CustomHostname", "CustomHostnameActivation"].map((type) => `${type}: an empty object`),
  ...["LegacySigningKey: an empty list", "PostgresConfig: no rows", "SqlScript: 400"],
];

/** What the state of a refresh must be, and that one warning says so wherever it rests on such an answer. */
function findFault(sample: Sample, name: string, read: ReadResult | undefined | Error): string[] {
  if (read instanceof Error) return [read.message];
  if (read === undefined) return ["gone"];
  const faults: string[] = [];
  if (!isDeepStrictEqual(read.inputs, known.inputs)) faults.push("other inputs");
  if (!isDeepStrictEqual(read.state, known.state)) faults.push("another state");
  const isMisled = scenario.emulator.control
    .calls()
    .some(({ operation, faulted }) => faulted && !OF_STATE.some((one) => one === operation));
  const isDue = isMisled && !SHOWS_NO_DIFFERENCE.includes(`${sample.type}: ${name}`);
  const warned = scenario.warnings.filter((line) => KEPT.test(line)).length;
  if (warned !== (isDue ? 1 : 0)) faults.push(`${warned} warnings`);
  return faults;
}

const KEPT = /stays in Pulumi's state/;

/** Those states of a sample that this run's tier tries. */
const QUICK_STATES = ["INACTIVE", "COMING_UP", "A_STATE_OF_TOMORROW", NEVER_STARTED];
const cases = samples
  .filter(({ needsProject, needsOwnProject }) => needsProject && needsOwnProject !== true)
  .map((sample) => ({
    sample,
    states: inTier([...UNPROVEN, NEVER_STARTED], (state) => isQuick(sample) && QUICK_STATES.includes(state)),
  }))
  .filter(({ states }) => states.length > 0)
  .map(({ sample, states }): [string, Sample, string[]] => [sample.type, sample, states]);

describe.each(cases)("%s", (type, sample, states) => {
  beforeEach(async () => {
    scenario = await startScenario();
    ref = scenario.healthyProject();
    sample.prepare?.(scenario, ref);
    managed = scenario.manage(resourceOf(sample));
    const short = { ...sample.inputs(ref), timeouts: { delete: 20 } };
    made = await managed.create(short);
    scenario.clock.advance(30 * 60_000);
    scenario.nextRun();
    const read = await managed.read(made);
    if (read === undefined) throw new Error(`${type} is gone`);
    known = read;
  });
  afterEach(() => scenario.close());

  it("stays in the state of a refresh whatever a project that is not active answers, with one warning", async () => {
    const wrong: string[] = [];
    for (const status of states) {
      for (const [name, answer] of Object.entries(ANSWERS_TO_READS)) {
        const read = await during(status, answer, () => managed.read(known));
        wrong.push(...findFault(sample, name, read).map((fault) => `${status}, ${name}: ${fault}`));
      }
    }
    expect(wrong).toEqual([]);
  });

  it("stays in the state of a refresh while a part of its project is down, unless its own 404 proves that it is gone", async () => {
    const wrong: string[] = [];
    for (const [name, answer] of Object.entries(ANSWERS_TO_READS)) {
      const read = await during("ACTIVE_UNHEALTHY", answer, () => managed.read(known));
      const mayBeGone = !isConfiguration(sample) && ["404", "406"].includes(name);
      if (read === undefined && mayBeGone) continue;
      wrong.push(...findFault(sample, name, read).map((fault) => `${name}: ${fault}`));
    }
    expect(wrong).toEqual([]);
  });

  it("is not taken for deleted by such an answer, except where the project never started", async () => {
    if (DELETES_NOTHING.includes(type)) return;
    const wrong: string[] = [];
    for (const status of [...states, "ACTIVE_UNHEALTHY"]) {
      for (const [name, answer] of Object.entries(ANSWERS)) {
        // There, the object's own 404 or 406 counts.
        if (status === "ACTIVE_UNHEALTHY" && answer.holds === undefined) continue;
        const deleted = await during(status, answer, () => managed.delete(made));
        const calls = scenario.emulator.control.calls();
        const isRefused = deleted instanceof Error;
        // It rests on true answers only, or a write was answered with success.
        const isMisled = calls.some(
          (each) => each.faulted && !OF_STATE.some((one) => one === each.operation),
        );
        const isDone = calls.some(({ method, status: code }) => method !== "GET" && code < 300);
        // A configuration has nothing to delete.
        const isOver = status === NEVER_STARTED && (SAYS_GONE.includes(name) || isConfiguration(sample));
        const mayEnd = !isMisled || isDone || isOver;
        if (!isRefused && !mayEnd) wrong.push(`${status}, ${name}: taken for deleted`);
        // A branch answers at its own address, whatever its parent lists.
        const isSeen = SHOWN_ELSEWHERE.includes(type) || (type === "Branch" && name === "an empty list");
        // What a write that the service took brings about is waited for.
        const isHeld = isRefused && !isSeen && !isDone;
        if (isHeld && status === NEVER_STARTED && SAYS_GONE.includes(name))
          wrong.push(`${status}, ${name}: ${deleted.message}`);
        if (!isRefused || isDone) made = await again(sample);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("is gone with a project that is being removed", async () => {
    if (SHOWN_ELSEWHERE.includes(type)) return;
    for (const status of ["GOING_DOWN", "REMOVED"]) {
      const read = await during(status, ANSWERS["404"] ?? { status: 404 }, () => managed.read(made));
      expect([type, status, read]).toEqual([type, status, undefined]);
    }
  });
});

/** The resource as it was, made anew where a delete has ended. */
async function again(sample: Sample): Promise<SettledResource> {
  scenario.nextRun();
  scenario.clock.advance(60 * 60_000);
  await sample.cleanUp?.(scenario, ref);
  await managed.delete(made).catch(() => undefined);
  sample.prepare?.(scenario, ref);
  const remade = await managed.create({ ...sample.inputs(ref), timeouts: { delete: 20 } });
  scenario.clock.advance(30 * 60_000);
  return remade;
}
