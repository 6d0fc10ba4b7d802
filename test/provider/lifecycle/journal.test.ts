import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createJournal, stateFolder } from "../../../provider/lifecycle/journal";

const identity = { owner: "acme/shop/dev/app", type: "Project", baseUrl: "https://api.example" };

const NOW = Date.UTC(2026, 0, 1);
const present = (...ids: string[]): { id: string; label: string }[] => ids.map((id) => ({ id, label: id }));
const ids = (candidates: readonly { id: string }[]): string[] => candidates.map(({ id }) => id);

describe("journal of creates", () => {
  let folder: string;
  const warnings: string[] = [];
  const journal = () => createJournal(folder, { now: () => NOW }, (message) => warnings.push(message));
  const entries = (): string[] =>
    readdirSync(join(folder, "creates"))
      .filter((name) => name.endsWith(".json"))
      .map((name) => join(folder, "creates", name));

  /** Makes what is open now look as if a killed process had left it. */
  function killWriter(pid = spawnSync("true").pid): void {
    for (const file of entries()) {
      const entry: unknown = JSON.parse(readFileSync(file, "utf8"));
      writeFileSync(file, JSON.stringify(Object.assign({}, entry, { processId: pid })));
    }
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "journal-"));
    warnings.length = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("keeps what it knew when the process is killed while it writes what it learned", () => {
    const open = journal().begin(identity, ["ref-0"]);
    const write = jest.spyOn(fs, "writeFileSync").mockImplementationOnce((file) => {
      // As far as a killed process gets: the file is there, and empty.
      fs.closeSync(fs.openSync(String(file), "w"));
      throw new Error("killed");
    });
    open.made("ref-1");
    expect(write).toHaveBeenCalled();
    write.mockRestore();
    killWriter();
    expect(ids(journal().interrupted(identity, present("ref-0", "ref-1")))).toEqual(["ref-1"]);
  });

  const onLinux = process.platform === "linux" ? it : it.skip;
  onLinux("takes a killed process that nobody has collected yet for what it is", async () => {
    // A parent that never waits for its child, as in a container without an init process.
    const parent = spawn("sh", ["-c", "sleep 0.1 & echo $!; exec sleep 60"]);
    try {
      const [line] = (await once(parent.stdout, "data")) as [Buffer];
      const pid = Number(line.toString());
      while (!fs.readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ")) await nextTurn();
      journal().begin(identity, []).made("ref-1");
      killWriter(pid);
      expect(ids(journal().interrupted(identity, present("ref-1")))).toEqual(["ref-1"]);
    } finally {
      parent.kill();
    }
  });

  it("leaves nothing behind when the create ends", () => {
    const open = journal().begin(identity, []);
    open.made("ref-1");
    open.close();
    expect(entries()).toEqual([]);
  });

  it("knows the object that a killed run made, answered or not", () => {
    journal().begin(identity, ["old"]);
    killWriter();
    expect(ids(journal().interrupted(identity, present("old", "new")))).toEqual(["new"]);
    journal().settle(identity);
    journal().begin(identity, ["old"]).made("made");
    killWriter();
    expect(ids(journal().interrupted(identity, present("old", "made", "other")))).toEqual(["made"]);
  });

  it("does not mistake another program's create, or one that is still running, for its own", () => {
    journal().begin(identity, []).made("made");
    expect(ids(journal().interrupted(identity, present("made")))).toEqual([]);
    killWriter();
    expect(ids(journal().interrupted({ ...identity, owner: "acme/shop/prod/app" }, present("made")))).toEqual(
      [],
    );
    expect(
      ids(journal().interrupted({ ...identity, baseUrl: "https://other.example" }, present("made"))),
    ).toEqual([]);
  });

  it("does not take what was made at another time for what a killed run made without an answer", () => {
    journal().begin(identity, []);
    killWriter();
    const madeAt = (id: string, minutes: number) => ({
      id,
      label: id,
      createdAt: new Date(NOW + minutes * 60_000).toISOString(),
    });
    const candidates = [madeAt("later", 120), madeAt("then", 1), madeAt("earlier", -60)];
    expect(ids(journal().interrupted(identity, candidates))).toEqual(["then"]);
  });

  it("takes a half-written entry for no proof", () => {
    journal().begin(identity, []);
    for (const file of entries()) writeFileSync(file, '{"owner":');
    expect(ids(journal().interrupted(identity, present("made")))).toEqual([]);
  });

  it("warns once and goes on where the folder cannot be written", () => {
    writeFileSync(join(folder, "creates"), "in the way");
    const blocked = journal();
    blocked.begin(identity, []).close();
    blocked.begin(identity, []).close();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("adopt");
  });

  it("lives in the user's state folder", () => {
    expect(stateFolder({ XDG_STATE_HOME: "/state" }, "linux")).toBe("/state/pulumi-management");
  });
});
