import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { expectSuccess, outputOf, PROJECT, startStack, type Stack } from "./stack";

// `SETS` is what the program declares, in this order: a set by name, or the value of a single secret.
const program = `${PROJECT}
for (const [name, declared] of JSON.parse(process.env.SETS)) {
  if (typeof declared === "string") new management.Secret(name, { projectRef, name, value: declared });
  else new management.SecretSet(name, { projectRef, secrets: declared });
}
`;

type Declared = readonly (readonly [name: string, declared: string | Readonly<Record<string, string>>])[];

beforeAll(() => engineForTests(), PROVISIONING_TIMEOUT_MS);

describe("a secret that goes over from one resource to another", () => {
  let stack: Stack;
  let forgetful: string;
  beforeAll(async () => {
    stack = await startStack(program);
    forgetful = mkdtempSync(join(tmpdir(), "management-forgetful-"));
    expectSuccess(
      await up([
        ["one", { A: "1", TOKEN: "value-of-the-token" }],
        ["two", { B: "2" }],
      ]),
    );
  });
  afterAll(async () => {
    await stack.dispose();
    rmSync(forgetful, { recursive: true, force: true });
  });

  let disks = 0;
  /** On a machine with a new disk, as that of a CI. */
  const newDisk = (): Record<string, string> => ({ XDG_STATE_HOME: join(forgetful, String((disks += 1))) });
  const up = (declared: Declared, env: Record<string, string> = {}) =>
    stack.workspace.up({ env: { SETS: JSON.stringify(declared), ...env } });
  const secrets = (): Record<string, string> => {
    const [project] = [...stack.emulator.world.state.projects.values()];
    return Object.fromEntries([...(project?.secrets ?? [])].map(([name, { value }]) => [name, value]));
  };
  const expectMoved = async (declared: Declared, env: Record<string, string> = {}): Promise<void> => {
    stack.emulator.control.clearCalls();
    const result = await up(declared, env);
    expectSuccess(result);
    expect(secrets()).toEqual({ A: "1", B: "2", TOKEN: expect.any(String) as string });
    const again = await up(declared, env);
    expect({ text: outputOf(again), ...again.summary }).toMatchObject({ update: 0, create: 0, delete: 0 });
  };

  it("does so between two sets, whichever is declared first, and back", async () => {
    await expectMoved([
      ["one", { A: "1" }],
      ["two", { B: "2", TOKEN: "value-of-the-token" }],
    ]);
    await expectMoved([
      ["two", { B: "2" }],
      ["one", { A: "1", TOKEN: "value-of-the-token" }],
    ]);
    await expectMoved([
      ["two", { B: "2", TOKEN: "value-of-the-token" }],
      ["one", { A: "1" }],
    ]);
  });

  it("does so with another value at once, on a machine that forgets its disk", async () => {
    const disk = newDisk();
    await expectMoved(
      [
        ["one", { A: "1", TOKEN: "another-value-of-it" }],
        ["two", { B: "2" }],
      ],
      disk,
    );
    expect(secrets()["TOKEN"]).toBe("another-value-of-it");
  });

  it("does so from a set to a Secret and back", async () => {
    await expectMoved([
      ["one", { A: "1" }],
      ["two", { B: "2" }],
      ["TOKEN", "another-value-of-it"],
    ]);
    await expectMoved([
      ["two", { B: "2", TOKEN: "another-value-of-it" }],
      ["one", { A: "1" }],
    ]);
  });

  it("does so where two sets become one, and one becomes two", async () => {
    await expectMoved([["two", { A: "1", B: "2", TOKEN: "another-value-of-it" }]]);
    await expectMoved([
      ["two", { A: "1" }],
      ["three", { B: "2", TOKEN: "another-value-of-it" }],
    ]);
  });

  it("is refused, with the line to add, where a set goes out of the program on a machine that forgets its disk", async () => {
    const merged: Declared = [["two", { A: "1", B: "2", TOKEN: "another-value-of-it" }]];
    const refused = await up(merged, newDisk());
    expect(refused.exitCode).not.toBe(0);
    expect(outputOf(refused)).toContain("take them over with `adopt: true`");
    expect(secrets()).toEqual({ A: "1", B: "2", TOKEN: "another-value-of-it" });
  });
});
