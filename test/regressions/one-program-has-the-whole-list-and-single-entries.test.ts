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

const declared = (name: string, type: string, inputs: Values): Declared => ({
  name,
  type,
  inputs: () => ({ projectRef, ...inputs }),
});
const whole = (more: Values = {}): Declared =>
  declared("all", "NetworkRestrictions", {
    allowedCidrs: ["203.0.113.0/24"],
    allowedCidrsV6: [],
    ...more,
  });
const entry = (cidr = "198.51.100.0/24", name = "office"): Declared =>
  declared(name, "AllowedCidr", { cidr });
const onService = () =>
  scenario.emulator.control.call("getNetworkRestrictions", { ref: projectRef }).config.dbAllowedCidrs;

it.each([
  [
    "the list before",
    () => [whole(), entry()],
    "::all (NetworkRestrictions) manages the network restrictions",
  ],
  ["the list after", () => [entry(), whole()], "::office (AllowedCidr) manages the network restrictions"],
])("is refused by the check, %s the entry", async (_, program, rival) => {
  const [message] = messagesOf(await machine.up(program()));
  expect(message).toContain(rival);
  expect(message).toContain("Declare everything in the NetworkRestrictions, or remove it from the program.");
  expect(machine.engine.names).toHaveLength(1);
});

it("lets entries stand beside one another, and the list of another project beside them", async () => {
  const other = scenario.healthyProject("other");
  const program = [entry(), entry("192.0.2.0/24", "home"), whole({ projectRef: other })];
  expect(messagesOf(await machine.up(program))).toEqual([]);
  expect(onService()).toEqual(["0.0.0.0/0", "198.51.100.0/24", "192.0.2.0/24"]);
});

it("keeps what the new resource declares when a program goes over from entries to the list", async () => {
  await machine.up([entry("203.0.113.0/24")]);
  await machine.up([entry("203.0.113.0/24")]);
  expect(messagesOf(await machine.up([whole()]))).toEqual([]);
  expect(onService()).toEqual(["203.0.113.0/24"]);
  expect(machine.warnings.join("\n")).toContain("::all (NetworkRestrictions) manages them now");
  expect((await machine.up([whole()])).steps).toEqual([]);
});

it("keeps what the new resource declares when a program goes over from the list to entries", async () => {
  await machine.up([whole()]);
  await machine.up([whole()]);
  expect(messagesOf(await machine.up([entry()]))).toEqual([]);
  expect(onService()).toEqual(["203.0.113.0/24", "198.51.100.0/24"]);
  await machine.destroy();
  expect(onService()).toEqual(["203.0.113.0/24"]);
});

it("refuses two spellings of one entry", async () => {
  const [message] = messagesOf(
    await machine.up([entry("198.51.100.0/24"), entry("198.51.100.9/24", "other")]),
  );
  expect(message).toContain("declares the same AllowedCidr");
});
