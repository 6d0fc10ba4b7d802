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
  Journal,
  type Intent,
  type JournalOptions,
} from "../../../provider/ledger/journal";
import type { PendingCreate } from "../../../provider/ledger/pending-create";
import { isMadeDuring, type SentRequest } from "../../../provider/ledger/entry";
import { simulatedProcesses } from "../../kit/simulated-processes";

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
const intent = { sent: { name: "shop" }, withheld: [], scope: "", knownIds: ["old"] };
const requests = [{ sentAtMs: NOW }];
const object = { type: "Project", scope: "", id: "ref-1" };

let folder: string;
let nowMs: number;
let processes: ReturnType<typeof simulatedProcesses>;
const warnings: string[] = [];

/** The journal of the next process; the one before has been killed. */
function nextProcess(options: Partial<JournalOptions> = {}): Journal {
  return new Journal({
    folder,
    backend: "file:///backend",
    clock: { now: () => nowMs },
    processes: processes.next(),
    warn: (message) => warnings.push(message),
    ...options,
  });
}

/** A create whose request has left. */
function begun(journal: Journal, of = subject, what: Intent = intent): PendingCreate {
  const open = journal.begin(of, what);
  open.sending(requests);
  return open;
}

function files(): string[] {
  const creates = join(folder, "creates");
  if (!existsSync(creates)) return [];
  return readdirSync(creates, { recursive: true, encoding: "utf8" })
    .map((name) => join(creates, name))
    .filter((file) => fs.statSync(file).isFile());
}

const idsLeft = (journal: Journal, of = subject): (string | undefined)[] =>
  journal.pendingCreates(of).map(({ entry }) => entry?.id);

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
    begun(nextProcess()).keep("ref-1", {});
    const next = nextProcess();
    expect(idsLeft(next)).toEqual(["ref-1"]);
    next.recorded(STACK, object, {});
    expect(idsLeft(next)).toEqual([]);
    expect(files()).toEqual([]);
  });

  it("is not removed by another object, another stack or another project's object of the same id", () => {
    const inProject = { ...intent, scope: "p1" };
    begun(nextProcess(), subject, inProject).keep("ref-1", {});
    const next = nextProcess();
    next.recorded(STACK, { ...object, scope: "p1", id: "ref-2" }, {});
    next.recorded("acme/shop/prod", { ...object, scope: "p1" }, {});
    next.recorded(STACK, { ...object, scope: "p2" }, {});
    next.recorded(STACK, { ...object, type: "Branch", scope: "p1" }, {});
    expect(idsLeft(next)).toEqual(["ref-1"]);
    expect(idsLeft(nextProcess())).toEqual(["ref-1"]);
  });

  it("stays without an id where nobody knows what was made, for the next run and for the same process", () => {
    const first = nextProcess();
    begun(first).leave(requests);
    expect(idsLeft(first)).toEqual([undefined]);
    expect(nextProcess().pendingCreates(subject)[0]?.entry).toMatchObject({ sent: { name: "shop" } });
  });

  it("is no file before the first write leaves", () => {
    nextProcess().begin(subject, intent);
    expect(files()).toEqual([]);
  });

  it("goes when nothing was made", () => {
    begun(nextProcess()).forget();
    expect(files()).toEqual([]);
  });

  it("is not pending for the process that made it", () => {
    const journal = nextProcess();
    begun(journal).keep("ref-1", {});
    expect(idsLeft(journal)).toEqual([]);
    expect(journal.isOfAnother(subject, object)).toBe(false);
    expect(journal.isOfAnother({ ...subject, owner: `${STACK}/other` }, object)).toBe(true);
  });

  it("is told from those of other resources, stacks, backends, addresses and accounts", () => {
    begun(nextProcess()).keep("ref-1", {});
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
    begun(nextProcess({ backend: "postgres://user:password@host/db" }));
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
    const open = begun(nextProcess({ processes: first }));
    const watching = nextProcess({ processes: { ...processes.next(), isRunning: () => true } });
    const [pending] = watching.pendingCreates(subject);
    expect(pending?.isRunning()).toBe(true);
    open.keep("ref-1", {});
    const later = nextProcess();
    expect(later.pendingCreates(subject)[0]?.isRunning()).toBe(false);
  });

  it("may learn the id in its last moments", () => {
    const open = begun(nextProcess());
    const next = nextProcess();
    const [pending] = next.pendingCreates(subject);
    open.keep("ref-1", {});
    expect(pending?.entry?.id).toBeUndefined();
    expect(pending?.isRunning()).toBe(false);
    expect(pending?.entry?.id).toBe("ref-1");
  });
});

describe("what is kept of an object that the engine knows", () => {
  const found = { values: { size: 1, colour: "red" }, unset: ["shape"] };
  const settings = { ...subject, type: "Settings" };
  const configuration = { type: "Settings", scope: "p1", id: "p1" };

  it("stays until the engine shows it as recorded, whatever the order of its keys", () => {
    nextProcess().keep(settings, configuration, found);
    const next = nextProcess();
    next.recorded(STACK, configuration, { values: {}, unset: [] });
    expect(next.kept(STACK, configuration)).toEqual(found);
    next.recorded(STACK, configuration, {
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
    begun(nextProcess()).leave(requests);
    nowMs += DAY_MS + 1;
    const next = nextProcess();
    expect(idsLeft(next)).toEqual([]);
    expect(files()).toEqual([]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/2026-01-01T00:00:00.*Project \(name "shop"\).*acme\/shop\/dev\/app.*adopt/s);
    nextProcess().pendingCreates(subject);
    expect(warnings).toHaveLength(1);
  });

  it("with an id still proves itself", () => {
    begun(nextProcess()).keep("ref-1", {});
    nowMs += 30 * DAY_MS;
    expect(idsLeft(nextProcess())).toEqual(["ref-1"]);
    nowMs += 61 * DAY_MS;
    expect(idsLeft(nextProcess())).toEqual([]);
    expect(warnings[0]).toContain('adoptId: "ref-1"');
  });
});

describe("the files", () => {
  it("stay as they were when the process is killed while it writes", () => {
    const open = begun(nextProcess());
    let draft = "";
    jest.spyOn(fs, "writeFileSync").mockImplementationOnce((path) => {
      // As far as a killed process gets: the file is there, and empty.
      draft = String(path);
      fs.closeSync(fs.openSync(draft, "w"));
      throw new Error("killed");
    });
    jest.spyOn(fs, "rmSync").mockImplementation(() => undefined);
    open.keep("ref-1", {});
    expect(existsSync(draft)).toBe(true);
    jest.restoreAllMocks();
    expect(idsLeft(nextProcess())).toEqual([undefined]);
    utimesSync(draft, new Date(0), new Date(0));
    nextProcess().pendingCreates(subject);
    expect(existsSync(draft)).toBe(false);
  });

  it("that are half-written are no proof", () => {
    begun(nextProcess());
    for (const file of files()) writeFileSync(file, '{"owner":');
    expect(idsLeft(nextProcess())).toEqual([]);
  });

  it("are as many as there are objects that the engine has not shown, whatever the runs", () => {
    for (let run = 0; run < 5; run += 1) {
      const journal = nextProcess();
      for (let index = 0; index < 20; index += 1) {
        const of = { ...subject, owner: `${STACK}/${index}` };
        journal.recorded(STACK, { ...object, id: `ref-${run - 1}-${index}` }, {});
        begun(journal, of).keep(`ref-${run}-${index}`, {});
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
    begun(journal).keep("ref-1", {});
    journal.begin({ ...subject, owner: `${STACK}/other` }, intent).forget();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("XDG_STATE_HOME");
  });

  it("is told once where the user has no home", () => {
    const journal = nextProcess({ folder: undefined });
    journal.recorded(STACK, object, {});
    expect(warnings).toEqual([]);
    begun(journal).keep("ref-1", {});
    begun(journal).leave(requests);
    expect(warnings).toHaveLength(1);
    expect(idsLeft(journal)).toEqual([undefined]);
  });

  it("leaves nothing behind that could match later when it becomes full before the answer", () => {
    const open = begun(nextProcess());
    const writing = jest.spyOn(fs, "writeFileSync").mockImplementation(full);
    open.keep("ref-1", {});
    writing.mockRestore();
    expect(files()).toEqual([]);
    expect(warnings).toHaveLength(1);
  });

  it("goes on where it can be written again", () => {
    const journal = nextProcess();
    const writing = jest.spyOn(fs, "writeFileSync").mockImplementation(full);
    const open = begun(journal);
    writing.mockRestore();
    expect(files()).toEqual([]);
    open.keep("ref-1", {});
    expect(idsLeft(nextProcess())).toEqual(["ref-1"]);
  });
});

describe("what a create without an answer made", () => {
  const at = (seconds: number): { createdAt: string } => ({
    createdAt: new Date(NOW + seconds * 1_000).toISOString(),
  });
  const isMade = (request: SentRequest, seconds: number, openMs = 60_000): boolean | undefined =>
    isMadeDuring([request], at(seconds), openMs);

  it("was made between the request and the service's answer, a second either way", () => {
    const answered = { sentAtMs: NOW, answeredAtMs: NOW + 2_000 };
    expect([-1, 0, 2, 3].map((seconds) => isMade(answered, seconds))).toEqual([true, true, true, true]);
    expect([-1.1, 3.1, 30].map((seconds) => isMade(answered, seconds))).toEqual([false, false, false]);
  });

  it("may have been made at any time until the look where the service gave no answer", () => {
    const open = { sentAtMs: NOW };
    expect([isMade(open, 3_600, Infinity), isMade(open, -2, Infinity)]).toEqual([true, false]);
    expect([isMade(open, 30), isMade(open, 3_600)]).toEqual([true, false]);
  });

  it("was made during one of several requests, not between them", () => {
    const several = [
      { sentAtMs: NOW, answeredAtMs: NOW },
      { sentAtMs: NOW + 10_000, answeredAtMs: NOW + 10_000 },
    ];
    const made = [0, 5, 10].map((seconds) => isMadeDuring(several, at(seconds), Infinity));
    expect(made).toEqual([true, false, true]);
  });

  it("cannot be told where the service tells no time", () => {
    expect(isMadeDuring(requests, { createdAt: undefined }, Infinity)).toBeUndefined();
    expect(isMadeDuring([{}], at(0), Infinity)).toBeUndefined();
    expect(isMadeDuring([], at(0), Infinity)).toBeUndefined();
  });
});
