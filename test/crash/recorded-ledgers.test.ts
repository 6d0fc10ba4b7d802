import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { isObject } from "../../spec/is-object";
import { declaring, messagesOf, startMachine, type Machine } from "../kit/machine";
import type { Scenario } from "../kit/scenario";
import { sampleOf } from "../kit/samples";

/** What a version of the package had on the disk when a run of it was killed; the file's name is the version. */
interface RecordedFile {
  readonly folder: string;
  readonly content: unknown;
}

const FOLDER = join(__dirname, "recorded-ledgers");

let scenario: Scenario;
let machine: Machine;
let projectRef: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef } = await startMachine());
});
afterEach(() => machine.close());

describe.each(readdirSync(FOLDER))("a run of %s that was killed", (file) => {
  const ledgers = JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Readonly<
    Record<string, readonly RecordedFile[]>
  >;

  it.each(Object.entries(ledgers))("is continued by this version: %s", async (title, recorded) => {
    const [type = "", point = ""] = title.split(", killed at the ");
    const sample = sampleOf(type);
    const program = declaring(type, sample.inputs(projectRef));
    const count = async (): Promise<number> => (await sample.onService(scenario, projectRef)).length;
    const before = await count();
    await machine.upThatDies(program, { point });
    const files = listFiles(machine.folder);
    expect(files.map((path) => path.split(sep)[0])).toEqual(recorded.map(({ folder }) => folder));
    for (const [index, path] of files.entries()) {
      const full = join(machine.folder, path);
      const current: unknown = JSON.parse(readFileSync(full, "utf8"));
      writeFileSync(full, JSON.stringify(fillForm(recorded[index]?.content, current)));
    }
    const made = await count();

    expect(messagesOf(await machine.up(program))).toEqual([]);
    expect(await count()).toBe(made);
    expect(machine.engine.idsOf(type)).toHaveLength(1);
    expect(messagesOf(await machine.destroy())).toEqual([]);
    expect(await count()).toBe(before);
    expect(listFiles(machine.folder)).toEqual([]);
  });
});

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
}

/** The properties that the version wrote, with the values of the run at hand: its references, times and names. */
function fillForm(form: unknown, current: unknown): unknown {
  if (Array.isArray(form) && Array.isArray(current)) {
    return form.map((each, index) => fillForm(each, current[index]));
  }
  if (isObject(form) && isObject(current)) {
    return Object.fromEntries(
      Object.entries(form).map(([name, value]) => [name, fillForm(value, current[name])]),
    );
  }
  return current ?? form;
}
