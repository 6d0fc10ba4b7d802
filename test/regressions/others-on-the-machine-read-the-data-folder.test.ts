import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MovableClock, startEmulator } from "../../emulator";

const describeOnPosix = process.platform === "win32" ? describe.skip : describe;

describeOnPosix("a data folder", () => {
  let parent: string;
  let umask: number;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), "emulator-modes-"));
    chmodSync(parent, 0o755);
    // As it is for most users: what is made is open to all.
    umask = process.umask(0o022);
  });
  afterEach(() => {
    process.umask(umask);
    rmSync(parent, { recursive: true, force: true });
  });

  /** What somebody else may read, write or enter: the folder, and whatever lies in folders that are open. */
  function openToOthers(path: string): string[] {
    const status = statSync(path);
    if ((status.mode & 0o077) === 0 && path !== parent) return [];
    const inside = status.isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [];
    return [path, ...inside.flatMap(openToOthers)];
  }

  /** Files that stay open to others when they are moved out of their folder. */
  function openFilesOf(path: string): string[] {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((file) => (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077);
  }

  it("is closed to others while the emulator runs and afterwards, databases and copies included", async () => {
    const folder = join(parent, "not", "there", "yet");
    const emulator = await startEmulator({ dataFolder: folder, clock: new MovableClock() });
    const { ref } = emulator.control.call("createProject", {
      body: { name: "shop", organization_slug: "acme", db_pass: "a-password" },
    });
    emulator.control.advance(120_000);
    await emulator.control.call("runQuery", { ref, body: { query: "create table t ()" } });
    emulator.control.call("createBranch", { ref, body: { branch_name: "preview", with_data: true } });
    expect(existsSync(join(folder, "emulator.db-wal"))).toBe(true);
    expect(readdirSync(join(folder, "databases")).length).toBeGreaterThan(1);
    expect(openFilesOf(join(folder, "databases"))).toEqual([]);
    // Each by itself, so that one that is moved elsewhere stays closed.
    const kept = [folder, ...readdirSync(folder).map((name) => join(folder, name))];
    expect(kept.flatMap(openToOthers)).toEqual([]);
    await emulator.close();
    expect(openToOthers(folder)).toEqual([]);
  });

  it("is closed when it was open to others", async () => {
    const folder = join(parent, "open");
    const first = await startEmulator({ dataFolder: folder });
    await first.close();
    chmodSync(folder, 0o755);
    chmodSync(join(folder, "emulator.db"), 0o644);
    mkdirSync(join(folder, "databases"), { mode: 0o755 });
    const again = await startEmulator({ dataFolder: folder });
    const kept = [folder, ...readdirSync(folder).map((name) => join(folder, name))];
    expect(kept.flatMap(openToOthers)).toEqual([]);
    await again.close();
  });

  it("stays as it is when it holds other things, and the emulator's files are closed all the same", async () => {
    writeFileSync(join(parent, "notes.txt"), "of somebody else");
    const emulator = await startEmulator({ dataFolder: parent });
    expect(openToOthers(parent).sort()).toEqual([parent, join(parent, "notes.txt")]);
    await emulator.close();
  });
});
