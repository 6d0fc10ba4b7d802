import type { Declared } from "../crash/model-engine";
import type { Scenario } from "../lifecycle/scenario";
import { messagesOf, startMachine, type Machine } from "./machine";

let scenario: Scenario;
let machine: Machine;
let projectRef: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef } = await startMachine());
});
afterEach(() => machine.close());

const secretCalled = (name: string): Declared[] => secretWith(name, "first-value");
const namesOnService = (): string[] => [
  ...(scenario.emulator.world.state.projects.get(projectRef)?.secrets.keys() ?? []),
];

const secretWith = (name: string, value: string): Declared[] => [
  { name, type: "Secret", inputs: () => ({ projectRef, name: "PAYMENT_TOKEN", value }) },
];

it("goes over to the new name where its value is the declared one", async () => {
  await machine.up(secretCalled("token"));
  expect(messagesOf(await machine.up(secretCalled("payment")))).toEqual([]);
  expect(namesOnService()).toEqual(["PAYMENT_TOKEN"]);
  expect(machine.engine.names).toEqual(["payment"]);
});

it("is never without a secret of its name where its value is another one", async () => {
  await machine.up(secretCalled("token"));
  await machine.up(secretWith("payment", "second-value"));
  expect(namesOnService()).toEqual(["PAYMENT_TOKEN"]);
});

it("names the place of the old name where nothing tells it", async () => {
  scenario.emulator.control.call("createSecrets", {
    ref: projectRef,
    body: [{ name: "PAYMENT_TOKEN", value: "first-value" }],
  });
  const [message] = messagesOf(await machine.up(secretCalled("payment")));
  expect(message).toContain('`aliases: [{ name: "<its old name>" }]`');
});
