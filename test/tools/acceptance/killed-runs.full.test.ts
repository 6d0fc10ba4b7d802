import { rmSync } from "node:fs";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../../../emulator";
import {
  removeProject,
  type AcceptanceResult,
  type RunEnvironment,
  type Target,
  type Wanted,
} from "../../../tools/acceptance/session";
import { allSubjects, subjectsOf } from "../../../tools/acceptance/subjects";
import { clean, runToTheEnd, UnfinishedRuns } from "../../../tools/acceptance/unfinished";
import { simulatedProcesses } from "../../kit/simulated-processes";
import { temporaryFolder } from "../../kit/temporary-folder";
import { VirtualClock } from "../../../tools/virtual-clock";
import { startDifferingService } from "./differing-service";

const wanted: Wanted = {
  organization: "acme",
  projectName: "acceptance-0123456789abcdef",
  region: "eu-central-1",
  dbPass: "a-password-of-the-run",
  hostname: undefined,
  withCost: true,
  subjects: subjectsOf(["Secret", "Branch"]),
};

const STRANGER = "acceptance-1111111111111111";

let clock: VirtualClock;
let emulator: Emulator;
let folder: string;
let stranger: string;
const said: string[] = [];
beforeEach(async () => {
  clock = new VirtualClock();
  emulator = await startEmulator({ clock });
  folder = temporaryFolder("acceptance-");
  said.length = 0;
  const body = { name: STRANGER, organization_slug: "acme", db_pass: "their-password" };
  stranger = emulator.control.call("createProject", { body }).ref;
  clock.advance(600_000);
});
afterEach(async () => {
  await emulator.close();
  clock.close();
  rmSync(folder, { recursive: true });
});

const target = (baseUrl = emulator.url): Target => ({
  baseUrl,
  accessToken: emulator.accessToken,
  names: undefined,
  clock,
});
const environment = (): RunEnvironment => ({
  folder,
  signal: new AbortController().signal,
  say: (line) => void said.push(line),
});
const unfinished = (processes = simulatedProcesses().next()): UnfinishedRuns =>
  new UnfinishedRuns(join(folder, "unfinished"), processes);

interface Death {
  /** The number of its last request. */
  readonly request: number;
  /** The type since whose beginning requests are counted; all of them where it is absent. */
  readonly since?: string;
}

/** Plays until the machine dies; how many requests there were. */
async function playUntil(
  { request, since }: Death,
  runs: UnfinishedRuns,
  plays: Wanted = wanted,
): Promise<{ readonly result: AcceptanceResult; readonly count: number }> {
  const service = await startDifferingService(emulator.url);
  if (since === undefined) service.lastRequest = request;
  const surroundings: RunEnvironment = {
    ...environment(),
    say: (line) => {
      said.push(line);
      if (line === `${since}: trying`) service.lastRequest = service.count + request;
    },
  };
  try {
    // A run remembers the service by its address, which is that of the emulator.
    const remembering = aimedAt(emulator.url, runs);
    const result = await runToTheEnd(remembering, target(service.url), plays, surroundings);
    return { result, count: service.count };
  } finally {
    await service.close();
  }
}

/** The same runs, as if the service in between were not there. */
function aimedAt(baseUrl: string, runs: UnfinishedRuns): UnfinishedRuns {
  return Object.assign(Object.create(runs) as UnfinishedRuns, {
    begin: (...[run, of]: Parameters<UnfinishedRuns["begin"]>) => runs.begin(run, { ...of, baseUrl }),
  });
}

function requireOnlyStranger(): void {
  expect(emulator.control.call("listProjects", {}).map(({ name }) => name)).toEqual([STRANGER]);
  expect([...emulator.world.state.branches.values()].map(({ parentRef }) => parentRef)).toEqual([]);
  expect(emulator.control.calls().filter(({ path }) => path.includes(stranger))).toEqual([]);
  expect(emulator.control.internalErrors).toEqual([]);
}

it("leaves nothing when it ends by itself, and forgets the run", async () => {
  const runs = unfinished();
  const { result } = await playUntil({ request: Infinity }, runs);
  expect(result.isClean).toBe(true);
  expect(runs.all()).toEqual([]);
  requireOnlyStranger();
});

it("leaves nothing after the next start, whichever request is its last one", async () => {
  const failures: string[] = [];
  const { count } = await playUntil({ request: Infinity }, unfinished());
  expect(count).toBeGreaterThan(50);
  for (let last = 1; last <= count; last += 1) {
    emulator.control.clearCalls();
    const processes = simulatedProcesses();
    try {
      const { result } = await playUntil({ request: last }, unfinished(processes.next()));
      const next = unfinished(processes.next());
      // The very last request is the look that finds nothing.
      if (!result.isClean) expect(next.all()).toHaveLength(1);
      expect(await clean(next, target(), environment())).toBe(true);
      expect(next.all()).toEqual([]);
      requireOnlyStranger();
    } catch (error) {
      failures.push(`${last}: ${String(error)} ${said.slice(-6).join(" | ")}`);
    }
  }
  expect(failures).toEqual([]);
}, 900_000);

it.each(allSubjects.map(({ type }) => type))("leaves nothing of a run that dies within %s", async (type) => {
  const processes = simulatedProcesses();
  const plays: Wanted = { ...wanted, hostname: "db.example.com", subjects: subjectsOf([type]) };
  const { result } = await playUntil({ request: 6, since: type }, unfinished(processes.next()), plays);
  expect(result.isClean).toBe(false);
  const next = unfinished(processes.next());
  expect(await clean(next, target(), environment())).toBe(true);
  expect(next.all()).toEqual([]);
  requireOnlyStranger();
});

it("leaves alone what a run of this machine works on, and what is on another service", async () => {
  const processes = simulatedProcesses();
  const running = unfinished(processes.beside());
  running.begin(wanted, target());
  const other = { ...wanted, projectName: "acceptance-2222222222222222" };
  running.begin(other, target("https://other.example.com"));
  const body = { name: wanted.projectName, organization_slug: "acme", db_pass: "a-password" };
  emulator.control.call("createProject", { body });
  clock.advance(600_000);
  const next = unfinished(processes.beside());
  expect(await clean(next, target(), environment())).toBe(true);
  expect(next.all()).toHaveLength(2);
  expect(emulator.control.call("listProjects", {})).toHaveLength(2);
  expect(said.sort()).toEqual([
    "acceptance-0123456789abcdef in acme belongs to a run that has not ended.",
    "acceptance-2222222222222222 may still be in acme at https://other.example.com: run `--clean` with that address.",
  ]);
});

it.each([
  ["of this machine that has started anew", "host boot-2 space-1", true],
  ["in another container of this machine", "host boot-1 space-2", false],
  ["of another machine", "other boot-1 space-1", false],
])("takes a run %s for ended: %s, %s", (_what, machine, hasEnded) => {
  const own = { token: "own", pid: 1, started: "1", machine: "host boot-1 space-1" };
  const runs = unfinished({ own, isRunning: () => true });
  const process = { ...own, token: "theirs", machine };
  const run = { organization: "acme", projectName: STRANGER, baseUrl: "https://example.com", process };
  expect(runs.hasEnded(run)).toBe(hasEnded);
});

it("removes the project of a run on another machine by its name, and no other one", async () => {
  const body = { organization_slug: "acme", db_pass: "a-password" };
  const name = `${wanted.projectName}-renamed`;
  emulator.control.call("createProject", { body: { name, ...body } });
  clock.advance(600_000);
  expect(await removeProject(target(), wanted, environment())).toEqual({ isClean: true, faults: [] });
  requireOnlyStranger();
});
