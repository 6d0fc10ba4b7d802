import type { Scenario } from "../../kit/scenario";
import { startMachine, type Machine, declaring, messagesOf } from "../../kit/machine";
import type { Declared } from "../../kit/model-engine";
import type { Values } from "../../../provider/define/values";

let scenario: Scenario;
let machine: Machine;
let projectRef: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef } = await startMachine());
});
afterEach(() => machine.close());

const up = (inputs: Values) => machine.up(declaring("SigningKey", { projectRef, ...inputs }));
const keys = (): string[] =>
  scenario.emulator.control
    .call("listSigningKeys", { ref: projectRef })
    .keys.map(({ algorithm, status }) => `${algorithm} ${status}`);

it.each<[string, Values]>([
  ["is declared standby", { status: "standby" }],
  ["has no declared state", {}],
])("a key that %s goes before its replacement comes", async (_, state) => {
  expect((await up({ algorithm: "ES256", ...state })).failures).toEqual([]);
  const replaced = await up({ algorithm: "RS256", ...state });
  expect(replaced).toEqual({ steps: ["delete it", "create it"], failures: [] });
  expect(keys()).toContain("RS256 standby");
  expect(keys().filter((key) => key.startsWith("ES256"))).toEqual([]);
  expect(await up({ algorithm: "RS256", ...state })).toEqual({ steps: [], failures: [] });
});

it("a key in use stays until its replacement is in use", async () => {
  expect((await up({ algorithm: "ES256", status: "in_use" })).failures).toEqual([]);
  const replaced = await up({ algorithm: "RS256", status: "in_use" });
  expect(replaced).toEqual({ steps: ["create it", "delete it"], failures: [] });
  expect(keys()).toContain("RS256 in_use");
  expect(keys().filter((key) => key.startsWith("ES256"))).toEqual([]);
});

it("a standby key that others took into use is replaced as one in use, once a refresh has shown it", async () => {
  expect((await up({ algorithm: "ES256", status: "standby" })).failures).toEqual([]);
  const id = machine.engine.get("it")?.id ?? "";
  scenario.emulator.control.call("updateSigningKey", { ref: projectRef, id, body: { status: "in_use" } });
  await machine.refresh();
  const replaced = await up({ algorithm: "RS256", status: "standby" });
  expect(replaced.steps).toEqual(["create it", "delete it"]);
  expect(messagesOf(replaced).join()).toContain("is in use");
  expect(keys()).toEqual(expect.arrayContaining(["RS256 standby", "ES256 in_use"]));
});

it("a key whose state nobody declares and that is in use is not lost: the message says how it is replaced", async () => {
  expect((await up({ algorithm: "ES256" })).failures).toEqual([]);
  const id = machine.engine.get("it")?.id ?? "";
  scenario.emulator.control.call("updateSigningKey", { ref: projectRef, id, body: { status: "in_use" } });
  const replaced = await up({ algorithm: "RS256" });
  expect(messagesOf(replaced).join()).toContain("`deleteBeforeReplace: false`");
  expect(keys()).toContain("ES256 in_use");
});

describe("a standby key of another algorithm", () => {
  const rs256 = (more: Partial<Declared> = {}): Declared[] =>
    declaring("SigningKey", { projectRef, algorithm: "RS256" }).map((one) => ({ ...one, ...more }));

  it("that the new one replaces goes first, by “`deleteBeforeReplace: true`”", async () => {
    for (let run = 0; run < 2; run += 1) expect(messagesOf(await machine.up(rs256()))).toEqual([]);
    const forced = await machine.up(rs256({ isReplaced: true }));
    expect(messagesOf(forced).join()).toContain("set the resource option `deleteBeforeReplace: true`");
    const before = keys();
    const replaced = await machine.up(rs256({ isReplaced: true, deleteBeforeReplace: true }));
    expect(replaced).toEqual({ steps: ["delete it", "create it"], failures: [] });
    expect(keys()).toEqual(before);
  });

  it("that somebody made stays theirs: “run again once it is `in_use`, or its owner has revoked it”", async () => {
    for (const status of ["in_use", "revoked"] as const) {
      const { id } = scenario.emulator.control.call("createSigningKey", {
        ref: projectRef,
        body: { algorithm: "ES256", status: "standby" },
      });
      const before = keys();
      expect(messagesOf(await machine.up(rs256())).join()).toContain("has revoked it");
      expect(keys()).toEqual(before);
      scenario.emulator.control.call("updateSigningKey", { ref: projectRef, id, body: { status } });
      expect(messagesOf(await machine.up(rs256()))).toEqual([]);
      expect(keys()).toEqual(expect.arrayContaining(["RS256 standby", `ES256 ${status}`]));
      expect(messagesOf(await machine.destroy())).toEqual([]);
    }
  });
});

it("a standby key of another project is not in the way", async () => {
  expect((await up({ algorithm: "ES256" })).failures).toEqual([]);
  const other = scenario.healthyProject("other");
  const moved = await machine.up(declaring("SigningKey", { projectRef: other, algorithm: "ES256" }));
  expect(moved).toEqual({ steps: ["create it", "delete it"], failures: [] });
});
