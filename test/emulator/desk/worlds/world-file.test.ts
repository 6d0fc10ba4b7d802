import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Emulator, MovableClock, startEmulator } from "../../../../emulator";
import { importWorld } from "../../../../emulator/desk/worlds/import-world";

describe("the file of an exported world", () => {
  let folder: string;
  let file: string;
  let ref: string;
  let emulator: Emulator;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "emulator-world-"));
    file = join(folder, "world");
    emulator = await startEmulator({ clock: new MovableClock() });
    const body = { name: "shop", organization_slug: "acme", db_pass: "a-password" };
    ref = emulator.control.call("createProject", { body }).ref;
    emulator.control.advance(120_000);
    await emulator.control.call("runQuery", { ref, body: { query: "create table notes ()" } });
    await emulator.control.exportWorld(file);
  });
  afterAll(async () => {
    await emulator.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const changed = (name: string, sql: string): string => {
    const path = join(folder, name);
    writeFileSync(path, readFileSync(file));
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
    return path;
  };
  const start = (worldFile: string): Promise<Emulator> => startEmulator({ worldFile });

  it("is its user's alone, and so is the data folder that is made of it", () => {
    const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);
    expect(mode(file)).toBe("600");
    const data = join(folder, "data");
    importWorld(file, data);
    expect(mode(data)).toBe("700");
    const open = readdirSync(data, { recursive: true, encoding: "utf8" }).filter(
      (name) => (statSync(join(data, name)).mode & 0o077) !== 0,
    );
    expect(open).toEqual([]);
  });

  it.each([
    [
      "newer",
      "PRAGMA user_version = 999",
      /format 999, and this emulator reads format 2: use a newer emulator/,
    ],
    ["older", "PRAGMA user_version = 1", /format 1, .*: use the emulator that exported it/],
    ["a data folder's", `PRAGMA application_id = 1835494772`, /is not an exported world/],
    [
      "of another Postgres",
      "UPDATE files SET content = (SELECT content FROM files WHERE path = 'postgresql.conf') WHERE path = 'PG_VERSION'",
      /has databases of Postgres .*, and this emulator runs Postgres 18/s,
    ],
    ["without records", "DELETE FROM records", /is damaged: it has no records/],
    [
      "with damaged records",
      "UPDATE records SET value = substr(value, 9) WHERE collection = 'projects'",
      /cannot be read/,
    ],
    [
      "with a file elsewhere",
      "UPDATE files SET path = '../../elsewhere' WHERE path = 'pg_hba.conf'",
      /it names a file "\.\.\/\.\.\/elsewhere"/,
    ],
    [
      "with a database elsewhere",
      "UPDATE files SET name = '../../elsewhere'",
      /is damaged: it names a database "\.\.\/\.\.\/elsewhere"/,
    ],
    [
      "with a project elsewhere",
      `UPDATE records SET key = '"../../elsewhere"' WHERE collection = 'projects'`,
      /is damaged: it names a project "\.\.\/\.\.\/elsewhere"/,
    ],
    [
      "with a file that becomes larger than any of Postgres",
      // The head of a frame of 4 GiB.
      "UPDATE contents SET compressed = x'28b52ffdc000000000000100000000000000000000'",
      /its file .* is larger than 1073741824 bytes/,
    ],
    [
      "with files that together become larger than any disk",
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)
       INSERT INTO files SELECT name, 'pg_wal/copy-' || i, content FROM files, n
       WHERE path = (SELECT path FROM files WHERE path GLOB 'pg_wal/0*' LIMIT 1)`,
      /its databases are larger than 17179869184 bytes/,
    ],
    [
      "with a content of unknown size",
      "UPDATE contents SET compressed = CAST(x'28b52ffd0000' || compressed AS BLOB)",
      /does not say how large it is/,
    ],
    [
      "with a content that becomes larger than it says",
      "UPDATE contents SET compressed = CAST(substr(compressed, 1, 5) || x'01' || substr(compressed, 7) AS BLOB) WHERE id = (SELECT content FROM files WHERE path = 'pg_hba.conf')",
      /cannot be read/,
    ],
    ["with damaged contents", "UPDATE contents SET compressed = substr(compressed, 1, 20)", /cannot be read/],
  ])("is refused as a whole when it is %s", (_name, sql, message) => {
    const target = join(folder, "imported");
    const before = readdirSync(folder);
    const path = changed("changed", sql);
    expect(() => importWorld(path, target)).toThrow(message);
    rmSync(path);
    expect(readdirSync(folder)).toEqual(before);
  });

  it("is refused by a start, which leaves the port free", async () => {
    await expect(start(join(folder, "missing"))).rejects.toThrow(/The world .*missing cannot be read/);
    expect(existsSync(join(folder, "missing"))).toBe(false);
    writeFileSync(join(folder, "text"), "no database ".repeat(1_000));
    await expect(start(join(folder, "text"))).rejects.toThrow("is not an exported world");
    const whole = readFileSync(file);
    writeFileSync(join(folder, "text"), whole.subarray(0, whole.byteLength / 2));
    await expect(start(join(folder, "text"))).rejects.toThrow("is damaged");
    rmSync(join(folder, "text"));
    await expect(startEmulator({ worldFile: file, dataFolder: join(folder, "both") })).rejects.toThrow(
      "import the world into a new data folder",
    );
    expect(existsSync(join(folder, "both"))).toBe(false);
  });

  it("is not imported into a folder that holds something, which stays as it is", () => {
    const data = join(folder, "full");
    mkdirSync(data);
    writeFileSync(join(data, "notes"), "mine");
    expect(() => importWorld(file, data)).toThrow("is not empty: import the world into a new folder");
    expect(readdirSync(data)).toEqual(["notes"]);
    rmSync(join(data, "notes"));
    importWorld(file, data);
    expect(readdirSync(data)).toContain("emulator.db");
  });

  it("is replaced by the next export as a whole, and stays where that fails", async () => {
    const path = join(folder, "again");
    writeFileSync(path, "what was there");
    await emulator.control.exportWorld(path);
    const copy = await start(path);
    await copy.close();

    const closed = join(folder, "closed");
    mkdirSync(closed);
    mkdirSync(join(closed, "world"));
    writeFileSync(join(closed, "world", "notes"), "mine");
    await expect(emulator.control.exportWorld(join(closed, "world"))).rejects.toThrow("cannot be exported");
    expect(readdirSync(closed, { recursive: true })).toEqual(["world", join("world", "notes")]);
    await expect(emulator.control.exportWorld(join(folder, "no", "such", "folder"))).rejects.toThrow(
      "cannot be exported",
    );
  });
});
