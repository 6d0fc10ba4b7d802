import type { Declared } from "../crash/model-engine";
import type { Values } from "../../provider/lifecycle/state";
import type { Scenario } from "../lifecycle/scenario";
import { messagesOf, startMachine, type Machine } from "./machine";

let scenario: Scenario;
let machine: Machine;
let projectRef: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef } = await startMachine());
});
afterEach(() => machine.close());

const config = (name: string, settings: Values): Declared[] => [
  { name, type: "PostgresConfig", inputs: () => ({ projectRef, ...settings }) },
];
const onService = (): Values => scenario.emulator.control.call("getPostgresConfig", { ref: projectRef });

it("keeps what the new resource declares, and restores what only the old one did", async () => {
  await machine.up(config("tuning", { workMem: "16MB", statementTimeout: "5s" }));
  expect(messagesOf(await machine.up(config("renamed", { workMem: "16MB" })))).toEqual([]);
  expect(onService()["work_mem"]).toBe("16MB");
  expect(onService()["statement_timeout"]).toBeUndefined();
  expect((await machine.up(config("renamed", { workMem: "16MB" }))).steps).toEqual([]);
});

it("restores at last what was there before the old one", async () => {
  scenario.emulator.control.call("updatePostgresConfig", { ref: projectRef, body: { work_mem: "4MB" } });
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
