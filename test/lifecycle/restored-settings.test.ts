import type { Scenario } from "../kit/scenario";
import { startMachine, Machine, messagesOf, declaring } from "../kit/machine";
import type { Declared } from "../kit/model-engine";
import type { Values } from "../../provider/define/values";
import { sampleOf } from "../kit/samples";
import { placedIn, secretPlaces } from "./secret-places";

let scenario: Scenario;
let machine: Machine;
let projectRef: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef } = await startMachine());
});
afterEach(() => machine.close());

const onService = (): Values => scenario.emulator.control.call("getPostgresConfig", { ref: projectRef });

describe("a configuration that is renamed or replaced", () => {
  const config = (name: string, settings: Values): Declared[] => [
    { name, type: "PostgresConfig", inputs: () => ({ projectRef, ...settings }) },
  ];

  it("keeps what the new resource declares, and restores what only the old one did", async () => {
    await machine.up(config("tuning", { workMem: "16MB", statementTimeout: "5s" }));
    expect(messagesOf(await machine.up(config("renamed", { workMem: "16MB" })))).toEqual([]);
    expect(onService()["work_mem"]).toBe("16MB");
    expect(onService()["statement_timeout"]).toBeUndefined();
    expect((await machine.up(config("renamed", { workMem: "16MB" }))).steps).toEqual([]);
  });

  it("restores at last what was there before the old one", async () => {
    scenario.emulator.control.call("patchPostgresConfig", { ref: projectRef, body: { work_mem: "4MB" } });
    await machine.up(config("tuning", { workMem: "16MB", maxConnections: 100 }));
    await machine.up(config("renamed", { workMem: "16MB", maxConnections: 100 }));
    await machine.destroy();
    expect([onService()["work_mem"], onService()["max_connections"]]).toEqual(["4MB", undefined]);
  });

  it("stays as declared when it is replaced by force", async () => {
    const [declared] = config("tuning", { workMem: "16MB" });
    if (declared === undefined) throw new Error("nothing is declared");
    await machine.up([declared]);
    await machine.up([declared]);
    expect(messagesOf(await machine.up([{ ...declared, isReplaced: true }]))).toEqual([]);
    expect(onService()["work_mem"]).toBe("16MB");
    await machine.destroy();
    expect(onService()["work_mem"]).toBeUndefined();
  });
});

describe("settings that a killed run found", () => {
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
      scenario.emulator.control.call("patchPostgresConfig", { ref: projectRef, body: before });
      scenario.clock.advance(10 * 60_000);
      foundThere = onService();
    });

    async function expectRestored(): Promise<void> {
      expect(messagesOf(await machine.destroy())).toEqual([]);
      expect(onService()).toEqual(foundThere);
    }

    it.each(["answer patchPostgresConfig", "return of create"])(
      "are restored after a create that died at the %s",
      async (point) => {
        await machine.upThatDies(program(added), { point });
        expect(onService()).toMatchObject({ work_mem: "16MB", statement_timeout: "5s" });
        expect(messagesOf(await machine.up(program(added)))).toEqual([]);
        await expectRestored();
      },
    );

    describe.each(["answer patchPostgresConfig", "return of create"])(
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

    describe.each(["answer patchPostgresConfig", "return of update"])(
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
});

describe("a secret setting, after a killed run and without", () => {
  /** The one secret setting that the service shows as it is. */
  const IN_CLEAR = "sms_test_otp";

  const secrets = secretPlaces(sampleOf("AuthConfig"));

  /** Every secret setting of the project's users, with a value that names its writer. */
  function all(writer: string): Declared[] {
    const values = secrets.reduce<Values>(
      (inputs, place) => {
        const value = place.at(-1) === "testOtp" ? `491511234567=${writer.length}` : `v1,whsec_${writer}`;
        return placedIn(inputs, place, value);
      },
      { projectRef },
    );
    return declaring("AuthConfig", values);
  }

  /** The settings as the service has them, in clear. */
  function onService(): Values {
    const { config } = scenario.emulator.world.state.projects.get(projectRef)?.auth ?? {};
    return Object.fromEntries(Object.entries(config ?? {}).filter(([, value]) => value !== null));
  }

  async function othersSetAll(): Promise<Values> {
    const others = new Machine(scenario);
    expect(messagesOf(await others.up(all("theirs")))).toEqual([]);
    return onService();
  }

  /** A first run that dies, where a point is given, and one that declares what the test ends with. */
  async function made(point: string | undefined, last: readonly Declared[]): Promise<Values> {
    if (point !== undefined) await machine.upThatDies(all("ours"), { point });
    expect(messagesOf(await machine.up(last))).toEqual([]);
    return onService();
  }

  const points = ["answer updateAuthConfig", "return of create"];

  it("takes in every secret setting", () => {
    expect(secrets.length).toBeGreaterThan(30);
  });

  it("restores what the service shows, and leaves what it shows as a hash, where no run was killed", async () => {
    const theirs = await othersSetAll();
    const ours = await made(undefined, all("ours"));
    expect(messagesOf(await machine.destroy())).toEqual([]);
    expect(onService()).toEqual({ ...ours, [IN_CLEAR]: theirs[IN_CLEAR] });
  });

  it("restores it after an update that was refused before it succeeded", async () => {
    await machine.up(declaring("AuthConfig", { projectRef, jwtExp: 1800 }));
    const theirs = await othersSetAll();
    scenario.emulator.control.addFault({ operation: "updateAuthConfig", status: 422 });
    expect(messagesOf(await machine.up(all("ours")))).toHaveLength(1);
    const ours = await made(undefined, all("ours"));
    expect(messagesOf(await machine.destroy())).toEqual([]);
    expect(onService()).toEqual({ ...ours, [IN_CLEAR]: theirs[IN_CLEAR] });
    expect(machine.warnings).toEqual([]);
  });

  it("leaves it as it is, and says so, after a rename in which it was taken over", async () => {
    await othersSetAll();
    await machine.up(all("ours"));
    const [it] = all("changed");
    if (it === undefined) throw new Error("a resource is declared");
    const renamed = {
      ...it,
      name: "renamed",
      inputs: () => ({ ...it.inputs(() => ({})), adoptId: projectRef }),
    };
    const declared = await made(undefined, [renamed]);
    machine.warnings.length = 0;
    expect(messagesOf(await machine.destroy())).toEqual([]);
    expect(onService()).toEqual(declared);
    expect(machine.warnings).toEqual([expect.stringContaining("`sms.testOtp`")]);
  });

  it.each(["answer updateAuthConfig", "return of update"])(
    "leaves what was set before as it is declared last, and says what is lost, after an update that died at the %s",
    async (point) => {
      const theirs = await othersSetAll();
      await machine.up(declaring("AuthConfig", { projectRef, jwtExp: 1800 }));
      const declared = await made(point, all("changed"));
      expect(messagesOf(await machine.destroy())).toEqual([]);
      // What was found before that is as it was.
      expect(onService()).toEqual({ ...declared, jwt_exp: theirs["jwt_exp"] ?? 3600 });
      expect(machine.warnings).toEqual([expect.stringContaining("`sms.testOtp`")]);
    },
  );

  describe.each(points)("after a create that died at the %s", (point) => {
    it.each(["ours", "changed"])(
      "unsets what was not set before, where the next run declares %s",
      async (last) => {
        const before = onService();
        await made(point, all(last));
        expect(messagesOf(await machine.destroy())).toEqual([]);
        expect(onService()).toEqual(before);
      },
    );

    it.each(["ours", "changed"])(
      "leaves what was set before as the next run declares it, %s, and says what is lost",
      async (last) => {
        await othersSetAll();
        const declared = await made(point, all(last));
        expect(messagesOf(await machine.destroy())).toEqual([]);
        expect(onService()).toEqual(declared);
        expect(machine.warnings).toEqual([expect.stringContaining("`sms.testOtp`")]);
      },
    );

    it("leaves what was set before and is declared no longer as the dead run wrote it, and says what is lost", async () => {
      await othersSetAll();
      const fewer = declaring("AuthConfig", { projectRef, jwtExp: 1800 });
      await machine.upThatDies(all("ours"), { point });
      const { jwt_exp: before, ...written } = onService();
      expect(messagesOf(await machine.up(fewer))).toEqual([]);
      expect(onService()).toEqual({ ...written, jwt_exp: 1800 });
      expect(machine.warnings).toEqual([expect.stringContaining("`sms.testOtp`")]);
      expect(messagesOf(await machine.destroy())).toEqual([]);
      expect(onService()).toEqual({ ...written, jwt_exp: before ?? 3600 });
    });
  });
});
