import type { Values } from "../../../provider/define/values";
import { allowedCidr } from "../../../provider/resources/network/allowed-cidr/allowed-cidr";
import { createBranchRef } from "../../kit/branch-ref";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let entries: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  entries = scenario.manage(allowedCidr);
});
afterEach(() => scenario.close());

const declared = (cidr = "203.0.113.0/24", more: Values = {}): Values => ({ projectRef: ref, cidr, ...more });
const onService = (of = ref) => scenario.emulator.world.state.projects.get(of)?.network.restrictions.config;
const setLists = (v4: string[], v6: string[]): void =>
  scenario.emulator.control.edit(({ projects }) => {
    const record = projects.get(ref)?.network.restrictions;
    if (record) record.config = { v4, v6 };
  });
const status = (): string | undefined =>
  scenario.emulator.control.call("getNetworkRestrictions", { ref }).status;

it("leaves the entries of others, and makes as few calls as it can", async () => {
  setLists(["192.0.2.0/24"], []);
  const made = await entries.create(declared());
  expect(made.id).toBe("203.0.113.0/24");
  expect(onService()).toEqual({ v4: ["192.0.2.0/24", "203.0.113.0/24"], v6: [] });
  expect(status()).toBe("applied");

  expect(entries.diff(made.state, declared("198.51.100.0/24"))).toMatchObject({
    replaces: ["cidr"],
    deleteBeforeReplace: false,
  });

  setLists(["192.0.2.0/24"], []);
  scenario.nextRun();
  expect(await entries.read(made)).toBeUndefined();
  const again = await entries.create(declared());
  expect(onService()?.v4).toEqual(["192.0.2.0/24", "203.0.113.0/24"]);

  scenario.nextRun();
  await entries.delete(again);
  expect(onService()).toEqual({ v4: ["192.0.2.0/24"], v6: [] });
  expect(status()).toBe("applied");
  await entries.delete(again);
  expect(scenario.calls("patchNetworkRestrictions")).toBe(3);
  expect(scenario.warnings).toEqual([]);
});

it("adds and removes many at a time, in one call each", async () => {
  setLists([], []);
  const cidrs = Array.from({ length: 20 }, (_, index) =>
    index % 2 === 0 ? `198.51.100.${index}/32` : `2001:db8:${index}::/48`,
  );
  const made = await Promise.all(cidrs.map((cidr) => entries.create(declared(cidr))));
  expect(onService()?.v4).toHaveLength(10);
  expect(onService()?.v6).toHaveLength(10);
  expect(scenario.calls("patchNetworkRestrictions")).toBe(1);
  expect(scenario.calls("getNetworkRestrictions")).toBeLessThan(20);

  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await Promise.all(made.map((each) => entries.read(each)));
  expect(scenario.calls()).toBe(1);
  await Promise.all(made.map((each) => entries.delete(each)));
  expect(onService()).toEqual({ v4: [], v6: [] });
  expect(scenario.calls("patchNetworkRestrictions")).toBe(1);
  expect(scenario.calls("getNetworkRestrictions")).toBeLessThan(20);
});

it("is one entry in every spelling, and removed in that of the service", async () => {
  const made = await entries.create(declared("203.0.113.77/24"));
  expect(made).toMatchObject({ id: "203.0.113.0/24", state: { cidr: "203.0.113.77/24" } });
  scenario.nextRun();
  const read = await entries.read(made);
  expect(entries.diff(read?.state ?? {}, declared("203.0.113.77/24")).changes).toBe(false);
  expect(entries.diff(made.state, declared()).changes).toBe(false);

  const config = { dbAllowedCidrs: [], dbAllowedCidrsV6: ["2001:0db8:0042::/48", "2001:DB8:42:0::/48"] };
  const body = { entitlement: "allowed", status: "applied", config };
  scenario.nextRun();
  scenario.emulator.control.addFault({ operation: "getNetworkRestrictions", status: 200, body });
  const sent = jest.spyOn(scenario.client, "patchNetworkRestrictions");
  await entries.delete({ id: "2001:db8:42::/48", state: { projectRef: ref, cidr: "2001:db8:42::/48" } });
  expect(sent.mock.lastCall?.[0].body).toEqual({ remove: { dbAllowedCidrsV6: config.dbAllowedCidrsV6 } });
});

it("does not take over an entry that is there already, unless it is adopted", async () => {
  setLists(["203.0.113.0/24"], []);
  await expect(entries.create(declared("203.0.113.1/24"))).rejects.toThrow(
    /AllowedCidr already exists: 203\.0\.113\.0\/24.*adoptId: "203\.0\.113\.0\/24"/s,
  );
  scenario.nextRun();
  const adopted = await entries.create(declared("203.0.113.1/24", { adopt: true }));
  expect(adopted.id).toBe("203.0.113.0/24");
  expect(scenario.calls("patchNetworkRestrictions")).toBe(0);
});

it("warns where the project lets everybody in all the same, and where nobody is left", async () => {
  const made = await entries.create(declared("2001:db8::/32"));
  expect(scenario.warnings.join("\n")).toMatch(/also allows ::\/0, so 2001:db8::\/32 has no effect/);
  setLists([], ["2001:db8::/32"]);
  scenario.nextRun();
  await entries.delete(made);
  expect(scenario.warnings.join("\n")).toContain("2001:db8::/32 was the last entry");
});

it("says that the plan does not include network restrictions, and does not keep a stack from being destroyed", async () => {
  const made = await entries.create(declared());
  scenario.emulator.control.set("organizations.acme.plan", "free");
  scenario.nextRun();
  await entries.read(made);
  await expect(entries.create(declared("198.51.100.0/24"))).rejects.toThrow("`entitlement` is `disallowed`");
  await entries.delete(made);
  expect(scenario.warnings.join("\n")).toContain("does not include network restrictions");
  expect(scenario.calls("patchNetworkRestrictions")).toBe(1);
});

it("adds what was removed while it waited", async () => {
  setLists(["192.0.2.0/24"], []);
  const stored = { ...scenario.emulator.control.call("getNetworkRestrictions", { ref }), status: "applied" };
  scenario.emulator.control.addFault({
    operation: "getNetworkRestrictions",
    status: 200,
    body: stored,
    skip: 1,
  });
  await entries.create(declared());
  expect(scenario.calls("patchNetworkRestrictions")).toBe(2);
  expect(onService()?.v4).toEqual(["192.0.2.0/24", "203.0.113.0/24"]);
});

it("is removed where the answer got lost", async () => {
  const made = await entries.create(declared());
  scenario.emulator.control.addFault({ operation: "patchNetworkRestrictions", drop: "after" });
  scenario.nextRun();
  await entries.delete(made);
  expect(onService()?.v4).toEqual(["0.0.0.0/0"]);
});

it("is imported by any spelling of its range", () => {
  expect(allowedCidr.importId.parse(`${ref}/203.0.113.9/24`)).toEqual({
    id: "203.0.113.0/24",
    inputs: { projectRef: ref },
  });
  expect(allowedCidr.importId.parse(ref)).toBeUndefined();
});

it("belongs to a branch by the branch's own reference", async () => {
  const branchRef = createBranchRef(scenario, ref);
  await entries.create(declared("203.0.113.0/24", { projectRef: branchRef }));
  expect(onService(branchRef)?.v4).toContain("203.0.113.0/24");
  expect(onService()?.v4).toEqual(["0.0.0.0/0"]);
});

it("is gone with its project", async () => {
  const made = await entries.create(declared());
  scenario.healthyProject("another");
  scenario.emulator.control.call("deleteProject", { ref });
  scenario.clock.advance(10 * 60_000);
  scenario.nextRun();
  expect(await entries.read(made)).toBeUndefined();
  await entries.delete(made);
});

it.each(["203.0.113.7", "office", "203.0.113.0/33", "fe80::1%eth0/64"])("refuses %s as a range", (text) => {
  expect(entries.failures(declared(text))).toEqual([
    `cidr: got "${text}"; expected a range of IPv4 or IPv6 addresses in CIDR notation, as \`203.0.113.0/24\``,
  ]);
});
