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
import { Ledger, type CreateIntent, type LedgerOptions } from "../../../provider/ledger/ledger";
import { withId, type Claim } from "../../../provider/ledger/claim";
import type { PendingCreate } from "../../../provider/ledger/pending-create";
import { isMadeDuring, type SentRequest } from "../../../provider/ledger/ledger-record";
import { simulatedProcesses } from "../../kit/simulated-processes";

const NOW = Date.UTC(2026, 0, 1);
const DAY_MS = 24 * 60 * 60_000;
const STACK = "acme/shop/dev";
const claim: Claim = {
  stack: STACK,
  owner: `${STACK}/app`,
  type: "Project",
  parent: "",
  scope: "",
  id: undefined,
  record: "",
  isShared: false,
};
const service = { baseUrl: "https://api.example", account: "one" };
const intent = { sent: { name: "shop" }, withheld: [], knownIds: ["old"] };
const requests = [{ sentAtMs: NOW }];
const object = withId(claim, "ref-1");

let folder: string;
let nowMs: number;
let processes: ReturnType<typeof simulatedProcesses>;
const warnings: string[] = [];

/** The ledger of the next process; the one before has been killed. */
function nextProcess(options: Partial<LedgerOptions> = {}): Ledger {
  return new Ledger({
    folder,
    backend: "file:///backend",
    clock: { now: () => nowMs },
    processes: processes.next(),
    service: () => service,
    warn: (message) => warnings.push(message),
    ...options,
  });
}

/** A create whose request has left. */
function begin(ledger: Ledger, of = claim, what: CreateIntent = intent): PendingCreate {
  const open = ledger.beginCreate(of, what);
  if (open === undefined) throw new Error("the claim has no owner");
  open.recordRequests(requests);
  return open;
}

function files(): string[] {
  const creates = join(folder, "creates");
  if (!existsSync(creates)) return [];
  return readdirSync(creates, { recursive: true, encoding: "utf8" })
    .map((name) => join(creates, name))
    .filter((file) => fs.statSync(file).isFile());
}

const idsLeft = (ledger: Ledger, of = claim): (string | undefined)[] =>
  ledger.listPendingCreates(of).map(({ record }) => record?.id);

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
    begin(nextProcess()).recordOutputs("ref-1", {});
    const next = nextProcess();
    expect(idsLeft(next)).toEqual(["ref-1"]);
    next.confirmRecorded(object, {});
    expect(idsLeft(next)).toEqual([]);
    expect(files()).toEqual([]);
  });

  it("is not removed by another object, another stack or another project's object of the same id", () => {
    begin(nextProcess(), { ...claim, scope: "p1" }).recordOutputs("ref-1", {});
    const next = nextProcess();
    next.confirmRecorded({ ...object, scope: "p1", id: "ref-2" }, {});
    next.confirmRecorded({ ...object, stack: "acme/shop/prod", scope: "p1" }, {});
    next.confirmRecorded({ ...object, scope: "p2" }, {});
    next.confirmRecorded({ ...object, type: "Branch", scope: "p1" }, {});
    expect(idsLeft(next)).toEqual(["ref-1"]);
    expect(idsLeft(nextProcess())).toEqual(["ref-1"]);
  });

  it("stays without an id where nobody knows what was made, for the next run and for the same process", () => {
    const first = nextProcess();
    begin(first).leaveSent(requests);
    expect(idsLeft(first)).toEqual([undefined]);
    expect(nextProcess().listPendingCreates(claim)[0]?.record).toMatchObject({ sent: { name: "shop" } });
  });

  it("is no file before the first write leaves", () => {
    nextProcess().beginCreate(claim, intent);
    expect(files()).toEqual([]);
  });

  it("goes when nothing was made", () => {
    begin(nextProcess()).forget();
    expect(files()).toEqual([]);
  });

  it("is not pending for the process that made it", () => {
    const ledger = nextProcess();
    begin(ledger).recordOutputs("ref-1", {});
    expect(idsLeft(ledger)).toEqual([]);
    expect(ledger.isMadeForAnother(object)).toBe(false);
    expect(ledger.isMadeForAnother({ ...object, owner: `${STACK}/other` })).toBe(true);
  });

  it("is told from those of other resources, stacks, backends, addresses and accounts", () => {
    begin(nextProcess()).recordOutputs("ref-1", {});
    const next = nextProcess();
    for (const other of [{ owner: `${STACK}/other` }, { stack: "acme/shop/prod" }, { type: "Branch" }]) {
      expect(idsLeft(next, { ...claim, ...other })).toEqual([]);
    }
    const elsewhere = nextProcess({ service: () => ({ ...service, baseUrl: "https://other.example" }) });
    expect(idsLeft(elsewhere)).toEqual([]);
    const otherAccount = nextProcess({ service: () => ({ ...service, account: "two" }) });
    expect(idsLeft(otherAccount)).toEqual([]);
    expect(otherAccount.listCreatesOfOtherAccounts(claim)).toMatchObject([{ id: "ref-1" }]);
    expect(idsLeft(nextProcess({ backend: "file:///another" }))).toEqual([]);
  });

  it("keeps neither the backend's address nor the account readable", () => {
    begin(nextProcess({ backend: "postgres://user:password@host/db" }));
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
    const open = begin(nextProcess({ processes: first }));
    const watching = nextProcess({ processes: { ...processes.next(), isRunning: () => true } });
    const [pending] = watching.listPendingCreates(claim);
    expect(pending?.isRunning()).toBe(true);
    open.recordOutputs("ref-1", {});
    const later = nextProcess();
    expect(later.listPendingCreates(claim)[0]?.isRunning()).toBe(false);
  });

  it("may learn the id in its last moments", () => {
    const open = begin(nextProcess());
    const next = nextProcess();
    const [pending] = next.listPendingCreates(claim);
    open.recordOutputs("ref-1", {});
    expect(pending?.record?.id).toBeUndefined();
    expect(pending?.isRunning()).toBe(false);
    expect(pending?.record?.id).toBe("ref-1");
  });
});

describe("what is kept of an object that the engine knows", () => {
  const found = { values: { size: 1, colour: "red" }, unset: ["shape"] };
  const settings = { ...claim, type: "Settings", scope: "p1" };
  const configuration = withId(settings, "p1");

  it("stays until the engine shows it as recorded, whatever the order of its keys", () => {
    nextProcess().keepOutputs(configuration, found);
    const next = nextProcess();
    expect(next.confirmRecorded(configuration, { values: {}, unset: [] })).toEqual(found);
    const recorded = { unset: ["shape"], values: { colour: "red", size: 1 }, other: true };
    expect(next.confirmRecorded(configuration, recorded)).toBeUndefined();
    expect(files()).toEqual([]);
  });

  it("is one entry, whatever is kept later", () => {
    const ledger = nextProcess();
    ledger.keepOutputs(configuration, found);
    ledger.keepOutputs(configuration, { ...found, unset: [] });
    expect(files()).toHaveLength(1);
    expect(nextProcess().confirmRecorded(configuration, {})).toEqual({ ...found, unset: [] });
    expect(idsLeft(nextProcess(), settings)).toEqual([]);
  });
});

describe("an old entry", () => {
  it("without an id ends after a day, with a warning that says what to look for", () => {
    begin(nextProcess()).leaveSent(requests);
    nowMs += DAY_MS + 1;
    const next = nextProcess();
    expect(idsLeft(next)).toEqual([]);
    expect(files()).toEqual([]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/2026-01-01T00:00:00.*Project \(name "shop"\).*acme\/shop\/dev\/app.*adopt/s);
    nextProcess().listPendingCreates(claim);
    expect(warnings).toHaveLength(1);
  });

  it("with an id still proves itself", () => {
    begin(nextProcess()).recordOutputs("ref-1", {});
    nowMs += 30 * DAY_MS;
    expect(idsLeft(nextProcess())).toEqual(["ref-1"]);
    nowMs += 61 * DAY_MS;
    expect(idsLeft(nextProcess())).toEqual([]);
    expect(warnings[0]).toContain('adoptId: "ref-1"');
  });
});

describe("the files", () => {
  it("stay as they were when the process is killed while it writes", () => {
    const open = begin(nextProcess());
    let draft = "";
    jest.spyOn(fs, "writeFileSync").mockImplementationOnce((path) => {
      // As far as a killed process gets: the file is there, and empty.
      draft = String(path);
      fs.closeSync(fs.openSync(draft, "w"));
      throw new Error("killed");
    });
    jest.spyOn(fs, "rmSync").mockImplementation(() => undefined);
    open.recordOutputs("ref-1", {});
    expect(existsSync(draft)).toBe(true);
    jest.restoreAllMocks();
    expect(idsLeft(nextProcess())).toEqual([undefined]);
    utimesSync(draft, new Date(0), new Date(0));
    nextProcess().listPendingCreates(claim);
    expect(existsSync(draft)).toBe(false);
  });

  it("that are half-written are no proof", () => {
    begin(nextProcess());
    for (const file of files()) writeFileSync(file, '{"owner":');
    expect(idsLeft(nextProcess())).toEqual([]);
  });

  it("are as many as there are objects that the engine has not shown, whatever the runs", () => {
    for (let run = 0; run < 5; run += 1) {
      const ledger = nextProcess();
      for (let index = 0; index < 20; index += 1) {
        const of = { ...claim, owner: `${STACK}/${index}` };
        ledger.confirmRecorded(withId(of, `ref-${run - 1}-${index}`), {});
        begin(ledger, of).recordOutputs(`ref-${run}-${index}`, {});
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
    const ledger = nextProcess();
    begin(ledger).recordOutputs("ref-1", {});
    ledger.beginCreate({ ...claim, owner: `${STACK}/other` }, intent)?.forget();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("XDG_STATE_HOME");
  });

  it("is told once where the user has no home", () => {
    const ledger = nextProcess({ folder: undefined });
    ledger.confirmRecorded(object, {});
    expect(warnings).toEqual([]);
    begin(ledger).recordOutputs("ref-1", {});
    begin(ledger).leaveSent(requests);
    expect(warnings).toHaveLength(1);
    expect(idsLeft(ledger)).toEqual([undefined]);
  });

  it("leaves nothing behind that could match later when it becomes full before the answer", () => {
    const open = begin(nextProcess());
    const writing = jest.spyOn(fs, "writeFileSync").mockImplementation(full);
    open.recordOutputs("ref-1", {});
    writing.mockRestore();
    expect(files()).toEqual([]);
    expect(warnings).toHaveLength(1);
  });

  it("goes on where it can be written again", () => {
    const ledger = nextProcess();
    const writing = jest.spyOn(fs, "writeFileSync").mockImplementation(full);
    const open = begin(ledger);
    writing.mockRestore();
    expect(files()).toEqual([]);
    open.recordOutputs("ref-1", {});
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
