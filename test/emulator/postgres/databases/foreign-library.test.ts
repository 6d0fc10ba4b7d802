import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabases } from "../../../../emulator/postgres/databases/create-databases";
import type { Databases } from "../../../../emulator/postgres/databases/databases";

let folder: string;
let databases: Databases;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "foreign-library-"));
  databases = createDatabases({ dataFolder: join(folder, "data") });
});
afterEach(async () => {
  await databases.close();
  rmSync(folder, { recursive: true, force: true });
});

function unsigned(value: number): number[] {
  const low = value & 0x7f;
  return value < 0x80 ? [value] : [low | 0x80, ...unsigned(value >>> 7)];
}
function sized(bytes: readonly number[]): number[] {
  return [...unsigned(bytes.length), ...bytes];
}
function text(value: string): number[] {
  return sized([...Buffer.from(value, "utf8")]);
}
function section(id: number, bytes: readonly number[]): number[] {
  return [id, ...sized(bytes)];
}

/** A library as the database's runtime loads it, whose declaration of a function is JavaScript. */
function libraryWith(script: string): Buffer {
  const declaration = [...Buffer.from(`()<::>0, ${script}\0`, "utf8")];
  const [i32, constant, end] = [0x7f, 0x41, 0x0b];
  return Buffer.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    // What it needs of the memory: a kilobyte.
    ...section(0, [...text("dylink.0"), 1, ...sized([...unsigned(1024), 0, 0, 0])]),
    ...section(2, [
      ...[2, ...text("env"), ...text("memory"), 2, 0, 0],
      ...[...text("env"), ...text("__memory_base"), 3, i32, 0],
    ]),
    ...section(6, [1, i32, 0, constant, 0, end]),
    ...section(7, [1, ...text("__em_js__foreign"), 3, 1]),
    ...section(11, [1, 0, 0x23, 0, end, ...sized(declaration)]),
  ]);
}

/** A block runs as a superuser, as a whole, for one statement in it of which the service gives its users the right. */
function asSuperuser(sql: string): string {
  const trigger = "create event trigger never on ddl_command_start execute function never()";
  return `do $block$ begin if false then ${trigger}; end if; ${sql}; end $block$`;
}

async function outcomeOf(sql: string): Promise<string> {
  return databases
    .use("shop", (database) => database.exec(asSuperuser(sql)))
    .then(
      () => "done",
      (error: unknown) => String(error),
    );
}

it("runs no script of a library that somebody put into the folder of a database", async () => {
  const mark = join(folder, "mark");
  await databases.use("shop", (database) => database.exec("select 1"));
  const script = `globalThis.process.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(mark)}, "")`;
  writeFileSync(join(folder, "data", "databases", "shop", "foreign.so"), libraryWith(script));
  const outcome = await outcomeOf("load '/pglite/data/foreign.so'");
  expect(existsSync(mark)).toBe(false);
  expect(outcome).toMatch(/could not load library [^]*Code generation from strings disallowed/);
});

it("changes nothing in the folder of extensions, which all databases of the user share", async () => {
  const place = "/extensions/lib/foreign.txt";
  expect([
    await outcomeOf(`copy (select 1) to '${place}'`),
    await outcomeOf(`perform lo_from_bytea(7, 'a'); perform lo_export(7, '${place}')`),
  ]).toEqual([
    expect.stringMatching(/could not open file .* for writing: Read-only file system/),
    expect.stringMatching(/could not create server file .*: Read-only file system/),
  ]);
  expect(await outcomeOf("create extension hstore")).toBe("done");
});
