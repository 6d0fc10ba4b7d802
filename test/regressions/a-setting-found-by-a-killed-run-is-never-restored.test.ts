import type { Values } from "../../provider/lifecycle/state";
import type { Scenario } from "../lifecycle/scenario";
import { declaring, startMachine, type Machine, messagesOf } from "./machine";

let scenario: Scenario;
let machine: Machine;
let projectRef: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef } = await startMachine());
});
afterEach(() => machine.close());

const onService = (): Values => scenario.emulator.control.call("getPostgresConfig", { ref: projectRef });
const program = (settings: Values): ReturnType<typeof declaring> =>
  declaring("PostgresConfig", { projectRef, ...settings });

/** Others have set these before. */
const befores: [string, Values][] = [
  ["were not set before", { max_wal_senders: 7 }],
  ["had other values before", { max_wal_senders: 7, work_mem: "8MB", statement_timeout: "1s" }],
];
const found = { workMem: "16MB" };
const added = { workMem: "16MB", statementTimeout: "5s" };

describe.each(befores)("settings that %s", (_which, before) => {
  let foundThere: Values;
  beforeEach(() => {
    scenario.emulator.control.call("updatePostgresConfig", { ref: projectRef, body: before });
    scenario.clock.advance(10 * 60_000);
    foundThere = onService();
  });

  async function expectRestored(): Promise<void> {
    expect(messagesOf(await machine.destroy())).toEqual([]);
    expect(onService()).toEqual(foundThere);
  }

  it.each(["answer updatePostgresConfig", "return of create"])(
    "are restored after a create that died at the %s",
    async (point) => {
      await machine.upThatDies(program(added), { point });
      expect(onService()).toMatchObject({ work_mem: "16MB", statement_timeout: "5s" });
      expect(messagesOf(await machine.up(program(added)))).toEqual([]);
      await expectRestored();
    },
  );

  describe.each(["answer updatePostgresConfig", "return of create"])(
    "after a create that died at the %s, when the next run declares fewer,",
    (point) => {
      beforeEach(async () => {
        await machine.upThatDies(program(added), { point });
        expect(messagesOf(await machine.up(program(found)))).toEqual([]);
      });

      it("are restored by a destroy", expectRestored);

      it("have the one that is not declared restored at once", () => {
        expect(onService()).toEqual({ ...foundThere, work_mem: "16MB" });
      });
    },
  );

  it("are restored after a forced replacement that died, when a later run declares fewer", async () => {
    await machine.up(program(added));
    const replaced = program(added).map((declared) => ({ ...declared, isReplaced: true }));
    await machine.upThatDies(replaced, { point: "return of create" });
    expect(messagesOf(await machine.up(program(added)))).toEqual([]);
    expect(messagesOf(await machine.up(program(found)))).toEqual([]);
    expect(onService()).toEqual({ ...foundThere, work_mem: "16MB" });
    await expectRestored();
  });

  describe.each(["answer updatePostgresConfig", "return of update"])(
    "after an update that died at the %s",
    (point) => {
      beforeEach(async () => {
        await machine.up(program(found));
        await machine.upThatDies(program(added), { point });
        expect(onService()).toMatchObject({ work_mem: "16MB", statement_timeout: "5s" });
      });

      it("are restored when the next run declares the same", async () => {
        expect(messagesOf(await machine.up(program(added)))).toEqual([]);
        await expectRestored();
      });

      it("are restored when the program takes the new one back", async () => {
        expect(messagesOf(await machine.up(program(found)))).toEqual([]);
        expect(onService()).toEqual({ ...foundThere, work_mem: "16MB" });
        await expectRestored();
      });

      it("are restored when the program changes its value", async () => {
        const changed = { ...added, statementTimeout: "9s" };
        expect(messagesOf(await machine.up(program(changed)))).toEqual([]);
        expect(onService()).toMatchObject({ statement_timeout: "9s" });
        await expectRestored();
      });

      it("are restored after a refresh", async () => {
        expect(messagesOf(await machine.refresh())).toEqual([]);
        expect(messagesOf(await machine.up(program(added)))).toEqual([]);
        await expectRestored();
      });

      it("are restored by a destroy right away", expectRestored);
    },
  );
});
