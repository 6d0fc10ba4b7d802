import fs, {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createJournal,
  type Journal,
  type JournalOptions,
} from "../../../provider/lifecycle/journal/journal";
import { isMadeDuring } from "../../../provider/lifecycle/journal/entry";
import { simulatedProcesses } from "../../lifecycle/simulated-processes";

const NOW = Date.UTC(2026, 0, 1);
const DAY_MS = 24 * 60 * 60_000;
const STACK = "acme/shop/dev";
const subject = {
  stack: STACK,
  owner: `${STACK}/app`,
  type: "Project",
  baseUrl: "https://api.example",
  account: "one",
};
const intent = { sent: { name: "shop" }, scope: "", knownIds: ["old"], serviceTimeMs: NOW };
const object = { type: "Project", scope: "", id: "ref-1" };

let folder: string;
let nowMs: number;
let processes: ReturnType<typeof simulatedProcesses>;
const warnings: string[] = [];

/** The journal of the next process; the one before has been killed. */
function nextProcess(options: Partial<JournalOptions> = {}): Journal {
  return createJournal({
    folder,
    backend: "file:///backend",
    clock: { now: () => nowMs },
    processes: processes.next(),
    warn: (message) => warnings.push(message),
    ...options,
  });
}

function files(): string[] {
  const creates = join(folder, "creates");
  if (!existsSync(creates)) return [];
  return readdirSync(creates, { recursive: true, encoding: "utf8" })
    .map((name) => join(creates, name))
    .filter((file) => fs.statSync(file).isFile());
}

const idsLeft = (journal: Journal, of = subject): (string | undefined)[] =>
  journal.leftovers(of).map(({ entry }) => entry?.id);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "journal-"));
  nowMs = NOW;
  processes = simulatedProcesses();
  warnings.length = 0;
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

describe("an entry", () => {
  it("outlives the create that succeeded, until the engine shows that it knows the object", () => {
    nextProcess().begin(subject, intent).made("ref-1", {});
    const next = nextProcess();
    expect(idsLeft(next)).toEqual(["ref-1"]);
    next.shown(STACK, object, {});
    expect(idsLeft(next)).toEqual([]);
    expect(files()).toEqual([]);
  });

  it("is not removed by another object, another stack or another project's object of the same id", () => {
    const inProject = { ...intent, scope: "p1" };
    nextProcess().begin(subject, inProject).made("ref-1", {});
    const next = nextProcess();
    next.shown(STACK, { ...object, scope: "p1", id: "ref-2" }, {});
    next.shown("acme/shop/prod", { ...object, scope: "p1" }, {});
    next.shown(STACK, { ...object, scope: "p2" }, {});
    next.shown(STACK, { ...object, type: "Branch", scope: "p1" }, {});
    expect(idsLeft(next)).toEqual(["ref-1"]);
    expect(idsLeft(nextProcess())).toEqual(["ref-1"]);
  });

  it("stays without an id where nobody knows what was made, for the next run and for the same process", () => {
    const first = nextProcess();
    first.begin(subject, intent).leave();
    expect(idsLeft(first)).toEqual([undefined]);
    expect(nextProcess().leftovers(subject)[0]?.entry).toMatchObject({ sent: { name: "shop" } });
  });

  it("goes when nothing was made", () => {
    nextProcess().begin(subject, intent).forget();
    expect(files()).toEqual([]);
  });

  it("is no leftover for the process that made it", () => {
    const journal = nextProcess();
    journal.begin(subject, intent).made("ref-1", {});
    expect(idsLeft(journal)).toEqual([]);
    expect(journal.isClaimed(STACK, object)).toBe(true);
  });

  it("is told from those of other resources, stacks, backends, addresses and accounts", () => {
    nextProcess().begin(subject, intent).made("ref-1", {});
    const next = nextProcess();
    for (const other of [
      { owner: `${STACK}/other` },
      { stack: "acme/shop/prod" },
      { type: "Branch" },
      { baseUrl: "https://other.example" },
      { account: "two" },
    ]) {
      expect(idsLeft(next, { ...subject, ...other })).toEqual([]);
    }
    expect(next.underOtherAccounts({ ...subject, account: "two" })).toMatchObject([{ id: "ref-1" }]);
    expect(idsLeft(nextProcess({ backend: "file:///another" }))).toEqual([]);
  });

  it("keeps neither the backend's address nor the account readable", () => {
    nextProcess({ backend: "postgres://user:password@host/db" }).begin(subject, intent);
    expect(files().join()).not.toContain("password");
    expect(
      files()
        .map((file) => readFileSync(file, "utf8"))
        .join(),
    ).not.toContain("password");
  });
});

describe("the process that began it", () => {
  it("is told from an ended one of the same process id", () => {
    const first = processes.next();
    const open = nextProcess({ processes: first }).begin(subject, intent);
    const watching = nextProcess({ processes: { ...processes.next(), isRunning: () => true } });
    const [leftover] = watching.leftovers(subject);
    expect(leftover?.isRunning()).toBe(true);
    open.made("ref-1", {});
    const later = nextProcess();
    expect(later.leftovers(subject)[0]?.isRunning()).toBe(false);
  });

  it("may learn the id in its last moments", () => {
    const open = nextProcess().begin(subject, intent);
    const next = nextProcess();
    const [leftover] = next.leftovers(subject);
    open.made("ref-1", {});
    expect(leftover?.entry?.id).toBeUndefined();
    expect(leftover?.isRunning()).toBe(false);
    expect(leftover?.entry?.id).toBe("ref-1");
  });
});

describe("what is kept of an object that the engine knows", () => {
  const found = { values: { size: 1, colour: "red" }, unset: ["shape"] };
  const settings = { ...subject, type: "Settings" };
  const configuration = { type: "Settings", scope: "p1", id: "p1" };

  it("stays until the engine shows it as recorded, whatever the order of its keys", () => {
    nextProcess().keep(settings, configuration, found);
    const next = nextProcess();
    next.shown(STACK, configuration, { values: {}, unset: [] });
    expect(next.kept(STACK, configuration)).toEqual(found);
    next.shown(STACK, configuration, {
      unset: ["shape"],
      values: { colour: "red", size: 1 },
      other: true,
    });
    expect(next.kept(STACK, configuration)).toBeUndefined();
    expect(files()).toEqual([]);
  });

  it("is one entry, whatever is kept later", () => {
    const journal = nextProcess();
    journal.keep(settings, configuration, found);
    journal.keep(settings, configuration, { ...found, unset: [] });
    expect(files()).toHaveLength(1);
    expect(nextProcess().kept(STACK, configuration)).toEqual({ ...found, unset: [] });
    expect(idsLeft(nextProcess(), settings)).toEqual([]);
  });
});

describe("an old entry", () => {
  it("without an id ends after a day, with a warning that says what to look for", () => {
    nextProcess().begin(subject, intent).leave();
    nowMs += DAY_MS + 1;
    const next = nextProcess();
    expect(idsLeft(next)).toEqual([]);
    expect(files()).toEqual([]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/2026-01-01T00:00:00.*Project \(name "shop"\).*acme\/shop\/dev\/app.*adopt/s);
    nextProcess().leftovers(subject);
    expect(warnings).toHaveLength(1);
  });

  it("with an id still proves itself", () => {
    nextProcess().begin(subject, intent).made("ref-1", {});
    nowMs += 30 * DAY_MS;
    expect(idsLeft(nextProcess())).toEqual(["ref-1"]);
    nowMs += 61 * DAY_MS;
    expect(idsLeft(nextProcess())).toEqual([]);
    expect(warnings[0]).toContain('adoptId: "ref-1"');
  });
});

describe("the files", () => {
  it("stay as they were when the process is killed while it writes", () => {
    const open = nextProcess().begin(subject, intent);
    const [file] = files();
    const draft = `${file ?? ""}.draft`;
    jest.spyOn(fs, "writeFileSync").mockImplementationOnce((path) => {
      // As far as a killed process gets: the file is there, and empty.
      fs.closeSync(fs.openSync(String(path), "w"));
      throw new Error("killed");
    });
    jest.spyOn(fs, "rmSync").mockImplementation(() => undefined);
    open.made("ref-1", {});
    expect(existsSync(draft)).toBe(true);
    jest.restoreAllMocks();
    expect(idsLeft(nextProcess())).toEqual([undefined]);
    utimesSync(draft, new Date(0), new Date(0));
    nextProcess().leftovers(subject);
    expect(existsSync(draft)).toBe(false);
  });

  it("that are half-written are no proof", () => {
    nextProcess().begin(subject, intent);
    for (const file of files()) writeFileSync(file, '{"owner":');
    expect(idsLeft(nextProcess())).toEqual([]);
  });

  it("are as many as there are objects that the engine has not shown, whatever the runs", () => {
    for (let run = 0; run < 5; run += 1) {
      const journal = nextProcess();
      for (let index = 0; index < 20; index += 1) {
        const of = { ...subject, owner: `${STACK}/${index}` };
        journal.shown(STACK, { ...object, id: `ref-${run - 1}-${index}` }, {});
        journal.begin(of, intent).made(`ref-${run}-${index}`, {});
      }
      expect(files()).toHaveLength(20);
    }
  });
});

describe("a state folder that cannot be used", () => {
  const full = (): never => {
    throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  };

  it("is told once, and the run goes on", () => {
    writeFileSync(join(folder, "creates"), "in the way");
    const journal = nextProcess();
    journal.begin(subject, intent).made("ref-1", {});
    journal.begin({ ...subject, owner: `${STACK}/other` }, intent).forget();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("XDG_STATE_HOME");
  });

  it("is told once where the user has no home", () => {
    const journal = nextProcess({ folder: undefined });
    journal.shown(STACK, object, {});
    expect(warnings).toEqual([]);
    journal.begin(subject, intent).made("ref-1", {});
    journal.begin(subject, intent).leave();
    expect(warnings).toHaveLength(1);
    expect(idsLeft(journal)).toEqual([undefined]);
  });

  it("leaves nothing behind that could match later when it becomes full before the answer", () => {
    const open = nextProcess().begin(subject, intent);
    const writing = jest.spyOn(fs, "writeFileSync").mockImplementation(full);
    open.made("ref-1", {});
    writing.mockRestore();
    expect(files()).toEqual([]);
    expect(warnings).toHaveLength(1);
  });

  it("goes on where it can be written again", () => {
    const journal = nextProcess();
    const writing = jest.spyOn(fs, "writeFileSync").mockImplementation(full);
    const open = journal.begin(subject, intent);
    writing.mockRestore();
    expect(files()).toEqual([]);
    open.made("ref-1", {});
    expect(idsLeft(nextProcess())).toEqual(["ref-1"]);
  });
});

describe("what a create without an answer made", () => {
  const time = { beganAtMs: NOW, lastWriteMs: NOW + 2_000 };
  const at = (seconds: number): boolean | undefined =>
    isMadeDuring(time, { id: "x", label: "x", createdAt: new Date(NOW + seconds * 1_000).toISOString() });

  it("was made while it was under way, by the service's own time", () => {
    expect([at(0), at(1), at(30)]).toEqual([true, true, true]);
    expect([at(-60), at(3_600)]).toEqual([false, false]);
  });

  it("cannot be told where the service tells no time", () => {
    expect(isMadeDuring(time, { id: "x", label: "x" })).toBeUndefined();
    expect(
      isMadeDuring(undefined, { id: "x", label: "x", createdAt: new Date(NOW).toISOString() }),
    ).toBeUndefined();
  });
});
