import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import ts from "typescript";
import { createDatabases } from "../../../emulator/sql/create-databases";

jest.setTimeout(60_000);

const repository = join(__dirname, "..", "..", "..");
const sources = join(repository, "emulator", "sql");

/** Inserts without end and says each number once its insert was answered. */
const program = `
const { createDatabases } = require("./create-databases.js");
const databases = createDatabases({ dataFolder: process.argv[2] });
(async () => {
  await databases.use("shop", (database) => database.exec("create table counted (number int primary key)"));
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

/** The module as a process of its own can run it. */
function compileInto(target: string): void {
  mkdirSync(target);
  symlinkSync(join(repository, "node_modules"), join(target, "node_modules"));
  for (const name of readdirSync(sources).filter((file) => /\.m?ts$/.test(file))) {
    const { outputText } = ts.transpileModule(readFileSync(join(sources, name), "utf8"), {
      fileName: name,
      compilerOptions: {
        target: ts.ScriptTarget.ES2023,
        module: name.endsWith(".mts") ? ts.ModuleKind.ESNext : ts.ModuleKind.CommonJS,
      },
    });
    writeFileSync(join(target, name.replace(/ts$/, "js")), outputText);
  }
  writeFileSync(join(target, "program.js"), program);
}

it("a process that is killed loses no insert that was answered", async () => {
  const data = join(folder, "data");
  const running = spawn(process.execPath, [join(folder, "program", "program.js"), data], {
    stdio: ["ignore", "pipe", "inherit"],
    // What it leaves behind goes with the folder.
    env: { ...process.env, TMPDIR: folder },
  });
  child = running;
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
