import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import ts from "typescript";
import { createDatabases } from "../../../../emulator/postgres/databases/create-databases";
import { isProcessAlive } from "../../../../tools/engine/process-tree";
import { waitUntil } from "../../../kit/wait-until";

const repository = join(__dirname, "..", "..", "..", "..");
/** Inserts without end and says each number once its insert was answered. */
const program = `
const { createDatabases } = require("./create-databases.js");
const databases = createDatabases({ dataFolder: process.argv[2] });
(async () => {
  await databases.use("shop", (database) => database.exec("create table counted (number int primary key)"));
  if (process.argv[3] === "endless") {
    databases.use("shop", (database) => database.exec("select count(*) from generate_series(1, 1000000000000)"));
    return console.log("started");
  }
  for (let number = 1; ; number += 1) {
    await databases.use("shop", (database) => database.query("insert into counted values ($1)", [number]));
    console.log(number);
  }
})();
`;

let folder: string;
let child: ChildProcess | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "emulator-killed-"));
  compileInto(join(folder, "program"));
});
afterAll(() => {
  child?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** The module as a process of its own can run it, with all that it loads. */
function compileInto(target: string): void {
  mkdirSync(target);
  symlinkSync(join(repository, "node_modules"), join(target, "node_modules"));
  const sources = ["emulator/postgres/databases", "emulator/postgres/sql", "spec/names"].flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" }).map((name) =>
      join(folder, name),
    ),
  );
  for (const name of [
    "emulator/machine/package-file.ts",
    "emulator/machine/cache-folder.ts",
    "provider/core/own-folder.ts",
    ...sources,
  ]) {
    mkdirSync(dirname(join(target, name)), { recursive: true });
    if (name.endsWith(".sql")) copyFileSync(join(repository, name), join(target, name));
    if (!/\.m?ts$/.test(name)) continue;
    const { outputText } = ts.transpileModule(readFileSync(join(repository, name), "utf8"), {
      fileName: name,
      compilerOptions: {
        target: ts.ScriptTarget.ES2023,
        module: name.endsWith(".mts") ? ts.ModuleKind.ESNext : ts.ModuleKind.CommonJS,
      },
    });
    writeFileSync(join(target, name.replace(/ts$/, "js")), outputText);
  }
  writeFileSync(join(target, "emulator", "postgres", "databases", "program.js"), program);
}

function run(...args: string[]) {
  const running = spawn(
    process.execPath,
    [join(folder, "program", "emulator", "postgres", "databases", "program.js"), ...args],
    {
      stdio: ["ignore", "pipe", "inherit"],
      // What it leaves behind goes with the folder.
      env: { ...process.env, TMPDIR: folder },
    },
  );
  child = running;
  return running;
}

it("a process that is killed loses no insert that was answered", async () => {
  const data = join(folder, "data");
  const running = run(data);
  let answered = 0;
  for await (const line of createInterface({ input: running.stdout })) {
    answered = Number(line);
    if (answered === 25) running.kill("SIGKILL");
  }
  if (running.exitCode === null && running.signalCode === null) await once(running, "exit");
  expect(running.signalCode).toBe("SIGKILL");
  expect(answered).toBeGreaterThanOrEqual(25);

  const databases = createDatabases({ dataFolder: data });
  try {
    const numbers = await databases.use("shop", async (database) => {
      const { rows } = await database.query<{ number: number }>("select number from counted order by number");
      return rows.map(({ number }) => number);
    });
    expect(numbers.slice(0, answered)).toEqual(Array.from({ length: answered }, (_, index) => index + 1));
  } finally {
    await databases.close();
  }
});

it("a process that is killed leaves no database running, not even one with a statement that never ends", async () => {
  const data = join(folder, "endless");
  const running = run(data, "endless");
  await once(createInterface({ input: running.stdout }), "line");
  const pid = Number(readFileSync(join(data, "databases", "shop", "management.pid"), "utf8"));
  expect(isProcessAlive(pid)).toBe(true);
  running.kill("SIGKILL");
  await waitUntil(`the process ${pid} is gone`, () => !isProcessAlive(pid));

  const databases = createDatabases({ dataFolder: data });
  try {
    const count = databases.use("shop", (database) => database.query("select count(*) from counted"));
    await expect(count).resolves.toMatchObject({ rows: [{ count: 0 }] });
  } finally {
    await databases.close();
  }
});
