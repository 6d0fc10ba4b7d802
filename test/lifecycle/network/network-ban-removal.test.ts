import { networkBanRemoval } from "../../../provider/actions/network/network-ban-removal";
import { importResource } from "../../../provider/engine/import";
import type { Values } from "../../../provider/define/values";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let removals: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  removals = scenario.manage(networkBanRemoval);
  failLogins("203.0.113.7");
  failLogins("203.0.113.8");
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({
  projectRef: ref,
  ipv4Addresses: ["203.0.113.7"],
  ...more,
});
const failLogins = (address: string): unknown =>
  scenario.emulator.control.failLogins(ref, { address, times: 2 });
const banned = (): string[] =>
  scenario.emulator.control.call("listNetworkBans", { ref }).banned_ipv4_addresses;

it("ends the bans of its addresses once: a later ban stays, and is no drift", async () => {
  const made = await removals.create(declared());
  expect(banned()).toEqual(["203.0.113.8"]);
  expect(made.state["ranAt"]).toBe(new Date(scenario.clock.now()).toISOString());

  // What happens afterwards is no drift.
  failLogins("203.0.113.7");
  scenario.nextRun();
  const read = await removals.read(made);
  expect(read?.state).toEqual(made.state);
  expect(removals.diff(made.state, declared()).changes).toBe(false);

  expect(banned()).toEqual(["203.0.113.8", "203.0.113.7"]);
});

it.each([
  ["other addresses", { ipv4Addresses: ["203.0.113.8"] }, "ipv4Addresses"],
  ["another trigger", { triggers: ["ticket 2"] }, "triggers"],
  ["a map of triggers in place of a list", { triggers: { ticket: 1 } }, "triggers"],
])("runs again after a change: %s", async (_, change, input) => {
  const made = await removals.create(declared({ triggers: ["ticket 1"] }));
  expect(removals.diff(made.state, declared({ triggers: ["ticket 1"], ...change }))).toMatchObject({
    replaces: [input],
    deleteBeforeReplace: false,
  });
});

it("does not run again for the same addresses in another order, nor without the triggers", async () => {
  const both = { ipv4Addresses: ["203.0.113.7", "203.0.113.8"] };
  const made = await removals.create(declared({ ...both, triggers: ["ticket 1"] }));
  expect(banned()).toEqual([]);
  const turned = { ipv4Addresses: ["203.0.113.8", "203.0.113.7"] };
  expect(removals.diff(made.state, declared({ ...turned, triggers: ["ticket 1"] })).changes).toBe(false);
  expect(removals.diff(made.state, declared(turned)).replaces).toEqual([]);
});

it("ends the ban of the address that the provider calls from", async () => {
  failLogins("127.0.0.1");
  await removals.create({ projectRef: ref, requesterIp: true });
  expect(banned()).toEqual(["203.0.113.7", "203.0.113.8"]);
});

it("ends the bans at one database only", async () => {
  await removals.create(declared({ databaseIdentifier: ref }));
  expect(banned()).toEqual(["203.0.113.8"]);
  const elsewhere = removals.create(declared({ databaseIdentifier: "another" }));
  await expect(elsewhere).rejects.toThrow('no database "another"');
});

it("asks for somebody whose ban is to end, and for addresses", () => {
  for (const nobody of [{}, { ipv4Addresses: [] }, { requesterIp: false }]) {
    const [failure] = removals.failures({ projectRef: ref, ...nobody });
    expect(failure).toContain("ipv4Addresses: no address is declared");
  }
  expect(removals.failures(declared({ ipv4Addresses: ["2001:db8::1"] }))[0]).toContain(
    "expected an IPv4 address, as `192.0.2.7`",
  );
  expect(removals.failures(declared({ triggers: "ticket 1" }))[0]).toMatch(/^triggers: /);
});

it("is taken as done by its identifier, without a call that changes anything", async () => {
  const made = await removals.create(declared({ adoptId: "done-by-hand" }));
  expect(made.id).toBe("done-by-hand");
  expect(scenario.calls("removeNetworkBans")).toBe(0);
  expect(removals.diff(made.state, declared()).changes).toBe(false);
});

it("is gone with its project, and cannot be imported", async () => {
  const made = await removals.create(declared());
  const imported = importResource(scenario.runtime, networkBanRemoval, `${ref}/any`, true);
  await expect(imported).rejects.toThrow("cannot be imported: the service does not list past actions");
  scenario.healthyProject("another");
  scenario.emulator.control.call("deleteProject", { ref });
  scenario.clock.advance(3_600_000);
  scenario.nextRun();
  expect(await removals.read(made)).toBeUndefined();
});
