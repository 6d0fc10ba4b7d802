import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyCluster } from "../../../../emulator/postgres/databases/copy-cluster";
import { Instance } from "../../../../emulator/postgres/databases/instance";
import { writeExtensions } from "../../../../emulator/postgres/sql/platform/extensions";
import { literalDatabaseNames } from "../../../../emulator/postgres/sql/platform/spelling";

const folder = mkdtempSync(join(tmpdir(), "management-cluster-"));
const [first, second] = [join(folder, "first"), join(folder, "second")];
const extensions = join(folder, "extensions");
beforeAll(() => writeExtensions(extensions, literalDatabaseNames));
beforeAll(() => run(first, "create table notes (note text); insert into notes values ('mine')"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(cluster: string, ...statements: string[]): Promise<unknown> {
  const options = { statementTimeoutMs: 60_000, signal: new AbortController().signal, extensions };
  const instance = await Instance.open(cluster, options);
  try {
    let rows: unknown;
    for (const sql of statements) rows = (await instance.exec(sql)).at(-1)?.rows;
    return rows;
  } finally {
    await instance.close();
  }
}

/** A hash by path, of the files below that `isConcerned` picks. */
function hashes(root: string, isConcerned: (path: string) => boolean = () => true): Record<string, string> {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(root, name)).isFile() && isConcerned(join(root, name)))
    .sort();
  const hash = (name: string): string =>
    createHash("sha256")
      .update(readFileSync(join(root, name)))
      .digest("hex");
  return Object.fromEntries(files.map((name) => [name, hash(name)]));
}

const isShared = (path: string): boolean => statSync(path).nlink > 1;

it("a copy is the same to the byte, and what is written in one is not in the other", async () => {
  const before = hashes(first);
  copyCluster(first, second);
  expect(hashes(second)).toEqual(before);

  const shared = hashes(second, isShared);
  expect(Object.keys(shared).length).toBeGreaterThan(100);
  await run(
    second,
    "insert into notes select repeat('x', 1000) from generate_series(1, 5000)",
    "create extension if not exists plpgsql; create schema other; create role somebody",
    "alter database template1 set statement_timeout = 0",
    "vacuum full",
    "vacuum freeze",
    "checkpoint",
  );
  expect(hashes(first)).toEqual(before);
  expect(hashes(second, isShared)).toEqual(shared);
  expect(await run(first, "select note from notes")).toEqual([{ note: "mine" }]);
  expect(await run(second, "select count(*)::int as notes from notes")).toEqual([{ notes: 5001 }]);
});

it("the end of a log that was never written takes no room", () => {
  const third = join(folder, "third");
  copyCluster(first, third);
  const logs = readdirSync(join(third, "pg_wal")).filter((name) => /^[\dA-F]{24}$/.test(name));
  const [size, room] = logs
    .map((name) => statSync(join(third, "pg_wal", name)))
    .reduce(([sum, used], { size: bytes, blocks }) => [sum + bytes, used + blocks * 512], [0, 0]);
  expect(size).toBeGreaterThanOrEqual(16 * 1024 * 1024);
  expect(room).toBeLessThan(size / 1.5);
});
