import type { Values } from "../../../provider/define/values";
import { networkRestrictions } from "../../../provider/resources/network/network-restrictions/network-restrictions";
import { createBranchRef } from "../../kit/branch-ref";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let restrictions: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  restrictions = scenario.manage(networkRestrictions);
});
afterEach(() => scenario.close());

const OPEN = { v4: ["0.0.0.0/0"], v6: ["::/0"] };
const declared = (more: Values = {}): Values => ({
  projectRef: ref,
  allowedCidrs: ["203.0.113.0/24", "198.51.100.7/32"],
  allowedCidrsV6: ["2001:db8:42::/48"],
  ...more,
});
const onService = (of = ref) => scenario.emulator.world.state.projects.get(of)?.network.restrictions.config;
const editOutside = (config: { v4: string[]; v6: string[] }): void =>
  scenario.emulator.control.edit(({ projects }) => {
    const record = projects.get(ref)?.network.restrictions;
    if (record) record.config = config;
  });
const setPlan = (plan: "free" | "pro"): void =>
  scenario.emulator.control.set("organizations.acme.plan", plan);

it("shows what others allowed, and a delete leaves the lists with a warning", async () => {
  const made = await restrictions.create(declared());
  expect(onService()).toEqual({ v4: ["203.0.113.0/24", "198.51.100.7/32"], v6: ["2001:db8:42::/48"] });
  expect(made.state).toMatchObject({ entitlement: "allowed", status: "applied" });

  const other = declared({ allowedCidrs: ["192.0.2.0/24"] });
  expect([...restrictions.diff(made.state, other).changed]).toEqual(["allowedCidrs"]);
  const updated = await restrictions.update(made, other);
  expect(onService()).toEqual({ v4: ["192.0.2.0/24"], v6: ["2001:db8:42::/48"] });

  editOutside({ v4: ["192.0.2.0/24", "0.0.0.0/0"], v6: ["2001:db8:42::/48"] });
  scenario.nextRun();
  const drifted = await restrictions.read(updated);
  expect(drifted?.inputs["allowedCidrs"]).toEqual(["192.0.2.0/24", "0.0.0.0/0"]);
  const repaired = await restrictions.update({ id: ref, state: drifted?.state ?? {} }, other);
  expect(onService()?.v4).toEqual(["192.0.2.0/24"]);

  // What was found would let everybody in.
  await restrictions.delete(repaired);
  expect(onService()).toEqual({ v4: ["192.0.2.0/24"], v6: ["2001:db8:42::/48"] });
  expect(scenario.warnings.join("\n")).toMatch(
    /`allowedCidrs`, `allowedCidrsV6` of the project \w{20} were not restored/,
  );
});

describe("where an answer lacks a list", () => {
  const hide = (hidden: "dbAllowedCidrs" | "dbAllowedCidrsV6"): void => {
    const body = scenario.emulator.control.call("getNetworkRestrictions", { ref });
    const { [hidden]: _hidden, ...config } = body.config;
    scenario.emulator.control.addFault({
      operation: "getNetworkRestrictions",
      ...{ status: 200, body: { ...body, config }, times: 100 },
    });
  };
  const OTHERS = { v4: ["192.0.2.0/24"], v6: ["2001:db8:7::/48"] };
  const both = declared();
  const onlyV4 = (): Values => ({ projectRef: ref, allowedCidrs: ["203.0.113.0/24", "192.0.2.0/24"] });

  it.each([
    ["dbAllowedCidrsV6", "of both", (): Values => ({ ...both, projectRef: ref, allowedCidrs: OTHERS.v4 })],
    ["dbAllowedCidrsV6", "of the other one", onlyV4],
    ["dbAllowedCidrs", "of itself", onlyV4],
  ] as const)("%s, no write %s takes the entries of others away", async (hidden, _, inputs) => {
    editOutside(OTHERS);
    hide(hidden);
    await expect(restrictions.create(inputs())).rejects.toThrow(/does not show `allowedCidrs(V6)?`/);
    expect(onService()).toEqual(OTHERS);
    scenario.emulator.control.clearFaults();
    scenario.nextRun();
    await restrictions.create({ ...inputs(), replaceOthers: true });
    expect(onService()?.v4).toEqual(inputs()["allowedCidrs"]);
  });

  it("or has null in its place, the entries of others stay too", async () => {
    editOutside(OTHERS);
    const config = { dbAllowedCidrs: null, dbAllowedCidrsV6: OTHERS.v6 };
    const body = { entitlement: "allowed", status: "applied", config };
    scenario.emulator.control.addFault({
      operation: "getNetworkRestrictions",
      status: 200,
      body,
      times: 100,
    });
    await expect(restrictions.create(onlyV4())).rejects.toThrow("does not show `allowedCidrs` of");
    expect(onService()).toEqual(OTHERS);
  });

  it("its entries stay when the resource goes, with a warning", async () => {
    editOutside({ v4: ["203.0.113.0/24"], v6: [] });
    const made = await restrictions.create({
      projectRef: ref,
      allowedCidrs: ["203.0.113.7/32"],
      replaceOthers: true,
    });
    editOutside({ v4: ["203.0.113.0/24"], v6: OTHERS.v6 });
    hide("dbAllowedCidrsV6");
    scenario.nextRun();
    await restrictions.delete(made);
    expect(onService()?.v6).toEqual(OTHERS.v6);
    expect(scenario.warnings.join("\n")).toMatch(/`allowedCidrs` of the project \w{20} were not restored/);
  });
});

it("waits until the service has applied the lists", async () => {
  scenario.emulator.control.set("changesApplyLater", true);
  const made = await restrictions.create(declared());
  expect(made.state["status"]).toBe("applied");
  expect(scenario.progress.join("\n")).toContain("has not applied it yet");
});

it("leaves the list that is not declared as it is", async () => {
  editOutside({ v4: ["192.0.2.1/32"], v6: ["2001:db8::1/128"] });
  const wider = { projectRef: ref, allowedCidrs: ["192.0.2.0/24"] };
  const made = await restrictions.create({ ...wider, replaceOthers: true });
  expect(onService()).toEqual({ v4: ["192.0.2.0/24"], v6: ["2001:db8::1/128"] });
  editOutside({ v4: ["192.0.2.0/24"], v6: ["2001:db8::2/128"] });
  await restrictions.delete(made);
  expect(onService()).toEqual({ v4: ["192.0.2.1/32"], v6: ["2001:db8::2/128"] });
});

it("sends ranges in their canonical spelling, and takes no other spelling of them for a change", async () => {
  const spelled = declared({
    allowedCidrs: ["203.0.113.77/24", "203.0.113.0/24"],
    allowedCidrsV6: ["2001:0DB8:0042:0::1/48"],
  });
  const sent = jest.spyOn(scenario.client, "applyNetworkRestrictions");
  const made = await restrictions.create(spelled);
  expect(sent.mock.lastCall?.[0].body).toEqual({
    dbAllowedCidrs: ["203.0.113.0/24"],
    dbAllowedCidrsV6: ["2001:db8:42::/48"],
  });
  expect(made.state["allowedCidrs"]).toEqual(["203.0.113.77/24", "203.0.113.0/24"]);
  scenario.nextRun();
  const read = await restrictions.read(made);
  expect(restrictions.diff(read?.state ?? {}, spelled).changes).toBe(false);
  const canonical = declared({ allowedCidrs: ["203.0.113.0/24"], allowedCidrsV6: ["2001:db8:42::/48"] });
  expect(restrictions.diff(made.state, canonical).changes).toBe(false);
});

it("writes nothing where the lists are there in another order", async () => {
  editOutside({ v4: ["198.51.100.7/32", "203.0.113.0/24"], v6: ["2001:db8:42::/48"] });
  await restrictions.create(declared());
  expect(scenario.calls("applyNetworkRestrictions")).toBe(0);
});

it.each([
  ["203.0.113.7", "no prefix"],
  ["203.0.113/24", "three parts"],
  ["203.0.113.0/33", "too long a prefix"],
  ["2001:db8::/32", "the other family"],
  ["office", "a word"],
])("refuses %s as a range of IPv4 addresses: %s", (text) => {
  const [failure, ...others] = restrictions.failures(declared({ allowedCidrs: ["192.0.2.0/24", text] }));
  expect(failure).toBe(
    `allowedCidrs[1]: got "${text}"; expected a range of IPv4 addresses in CIDR notation, as \`203.0.113.0/24\``,
  );
  expect(others).toEqual([]);
});

it.each(["203.0.113.0/24", "2001:db8::1", "fe80::1%eth0/64", "2001:db8::/129"])(
  "refuses %s as a range of IPv6 addresses",
  (text) => {
    expect(restrictions.failures(declared({ allowedCidrsV6: [text] }))).toEqual([
      expect.stringContaining("allowedCidrsV6[0]: got"),
    ]);
  },
);

it("allows nobody only where the program confirms it", async () => {
  const nobody = { projectRef: ref, allowedCidrs: [], allowedCidrsV6: [] };
  expect(restrictions.failures(nobody)).toEqual([
    expect.stringMatching(/^allowedCidrs: .*nobody could connect.*`denyAll: true`/),
  ]);
  expect(restrictions.failures({ projectRef: ref, allowedCidrsV6: [] })).toEqual([
    expect.stringMatching(/^allowedCidrsV6: .*nobody could connect/),
  ]);
  expect(restrictions.failures({ ...nobody, allowedCidrs: ["192.0.2.0/24"] })).toEqual([]);
  const made = await restrictions.create({ ...nobody, denyAll: true });
  expect(onService()).toEqual({ v4: [], v6: [] });
  await restrictions.delete(made);
  expect(onService()).toEqual({ v4: [], v6: [] });
});

it("restores lists that allowed nobody", async () => {
  editOutside({ v4: [], v6: [] });
  const made = await restrictions.create(declared());
  await restrictions.delete(made);
  expect(onService()).toEqual({ v4: [], v6: [] });
});

it("says that the plan does not include network restrictions, and sends nothing", async () => {
  setPlan("free");
  await expect(restrictions.create(declared())).rejects.toThrow(
    /plan of the project \w{20} does not include network restrictions/,
  );
  expect(scenario.calls("applyNetworkRestrictions")).toBe(0);
  expect(onService()).toEqual(OPEN);
});

it("is refreshed and deleted with a warning where the plan includes network restrictions no longer", async () => {
  const made = await restrictions.create(declared());
  setPlan("free");
  scenario.nextRun();
  const read = await restrictions.read(made);
  expect(read?.state).toMatchObject({ entitlement: "disallowed" });
  expect(restrictions.diff(read?.state ?? {}, declared()).changes).toBe(false);
  await expect(restrictions.update(made, declared({ allowedCidrs: [] }))).rejects.toThrow("entitlement");
  await restrictions.delete(made);
  expect(scenario.warnings.join("\n")).toContain("does not include network restrictions");
});

it("keeps what it does not know of the lists", async () => {
  const config = { dbAllowedCidrs: ["192.0.2.1/32"], dbAllowedCidrsV6: [], dbAllowedNames: ["office"] };
  const body = { entitlement: "allowed", status: "applied", config };
  scenario.emulator.control.addFault({ operation: "getNetworkRestrictions", status: 200, body });
  const sent = jest.spyOn(scenario.client, "applyNetworkRestrictions");
  await restrictions.create(declared({ replaceOthers: true }));
  expect(sent.mock.lastCall?.[0].body).toMatchObject({ dbAllowedNames: ["office"] });
});

it("writes nothing where the service does not show the lists at all", async () => {
  const body = { entitlement: "allowed", status: "applied" };
  scenario.emulator.control.addFault({ operation: "getNetworkRestrictions", status: 200, body, times: 100 });
  await expect(restrictions.create(declared())).rejects.toThrow("the answer has no `config`");
  expect(scenario.calls("applyNetworkRestrictions")).toBe(0);
});

it("warns on a delete where the service had shown no list", async () => {
  const body = { entitlement: "allowed", status: "applied", config: {} };
  scenario.emulator.control.addFault({ operation: "getNetworkRestrictions", status: 200, body });
  const made = await restrictions.create(declared({ replaceOthers: true }));
  await restrictions.delete(made);
  expect(onService()?.v4).toEqual(["203.0.113.0/24", "198.51.100.7/32"]);
  expect(scenario.warnings.join("\n")).toContain("were not restored");
});

it("restricts a branch by the branch's own reference", async () => {
  const branchRef = createBranchRef(scenario, ref);
  await restrictions.create(declared({ projectRef: branchRef }));
  expect(onService(branchRef)?.v6).toEqual(["2001:db8:42::/48"]);
  expect(onService()).toEqual(OPEN);
});

it("is gone with its project", async () => {
  const made = await restrictions.create(declared());
  scenario.healthyProject("another");
  scenario.emulator.control.call("deleteProject", { ref });
  scenario.clock.advance(10 * 60_000);
  scenario.nextRun();
  expect(await restrictions.read(made)).toBeUndefined();
  await restrictions.delete(made);
});

// service, Network restrictions: the write answers without times.
it("shows the times of a change as soon as it is made, and the same in a refresh", async () => {
  const made = await restrictions.create(declared());
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string;
  expect(made.state).toMatchObject({ updatedAt: time, appliedAt: time });
  scenario.nextRun();
  expect((await restrictions.read(made))?.state).toEqual(made.state);
});

describe("where changes are reviewed", () => {
  const recordOf = () => {
    const record = scenario.emulator.world.state.projects.get(ref)?.network.restrictions;
    if (record === undefined) throw new Error(`The project ${ref} is gone.`);
    return record;
  };
  const approve = (): void =>
    scenario.emulator.control.edit(() => {
      const record = recordOf();
      Object.assign(record, { config: record.pending?.config ?? record.config, pending: null });
    });
  beforeEach(() =>
    scenario.emulator.control.edit(() => {
      recordOf().reviewed = true;
    }),
  );
  const warned = (pattern: RegExp): string[] => scenario.warnings.filter((text) => pattern.test(text));

  it("compares what is enforced, and asks for a change once", async () => {
    const made = await restrictions.create(declared());
    expect(onService()).toEqual(OPEN);
    expect(recordOf().pending?.config.v4).toEqual(["203.0.113.0/24", "198.51.100.7/32"]);
    expect(warned(/waits for approval since/)).toHaveLength(1);
    expect(warned(/another program|did not|ignored/i)).toEqual([]);

    scenario.nextRun();
    const seen = await restrictions.read(made);
    expect(seen?.inputs["allowedCidrs"]).toEqual(["0.0.0.0/0"]);
    const current = { id: ref, state: seen?.state ?? {} };
    await restrictions.update(current, declared());
    expect(scenario.calls("applyNetworkRestrictions")).toBe(1);

    approve();
    scenario.nextRun();
    const approved = await restrictions.read(current);
    expect(approved?.inputs["allowedCidrs"]).toEqual(["203.0.113.0/24", "198.51.100.7/32"]);
    expect([...restrictions.diff(approved?.state ?? {}, declared()).changed]).toEqual([]);
  });

  it("takes back no request of others without consent, and says on a delete that one waits", async () => {
    recordOf().pending = { config: { v4: ["192.0.2.1/32"], v6: [] }, requestedAt: scenario.clock.now() };
    await expect(restrictions.create(declared())).rejects.toThrow(/another change .* waits for approval/);
    expect(recordOf().pending?.config.v4).toEqual(["192.0.2.1/32"]);
    const made = await restrictions.create(declared({ replaceOthers: true }));
    expect(recordOf().pending?.config.v4).toEqual(["203.0.113.0/24", "198.51.100.7/32"]);
    await restrictions.delete(made);
    expect(onService()).toEqual(OPEN);
    expect(warned(/still waits for approval/)).toHaveLength(1);
  });
});
