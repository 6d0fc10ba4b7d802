import type { Values } from "../../../provider/define/values";
import { allowedCidr } from "../../../provider/resources/network/allowed-cidr/allowed-cidr";
import { createBranchRef } from "../../kit/branch-ref";
import { Machine, messagesOf } from "../../kit/machine";
import type { Declared } from "../../kit/model-engine";
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
    skip: 2,
  });
  await entries.create(declared());
  expect(scenario.calls("patchNetworkRestrictions")).toBe(2);
  expect(onService()?.v4).toEqual(["192.0.2.0/24", "203.0.113.0/24"]);
});

it.each([
  ["once", 1, undefined],
  ["in all answers", 10, "the service accepted its removal from the project"],
])(
  "is removed again, or stays in the state, where it is listed after its removal %s",
  async (_, times, says) => {
    const made = await entries.create(declared());
    const listed = {
      ...scenario.emulator.control.call("getNetworkRestrictions", { ref }),
      status: "applied",
    };
    scenario.emulator.control.addFault({
      operation: "getNetworkRestrictions",
      ...{ status: 200, body: listed, skip: 2, times },
    });
    scenario.nextRun();
    const deleted = entries.delete(made);
    await (says === undefined ? deleted : expect(deleted).rejects.toThrow(says));
    // One that added it, and two that removed it.
    expect(scenario.calls("patchNetworkRestrictions")).toBe(3);
    expect(onService()?.v4).toEqual(["0.0.0.0/0"]);
  },
);

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

describe("where changes are reviewed", () => {
  const restrictionsOf = () => {
    const record = scenario.emulator.world.state.projects.get(ref)?.network.restrictions;
    if (record === undefined) throw new Error(`The project ${ref} is gone.`);
    return record;
  };
  const pending = () => restrictionsOf().pending?.config.v4;
  const approve = (): void =>
    scenario.emulator.control.edit(() => {
      const record = restrictionsOf();
      Object.assign(record, { config: record.pending?.config ?? record.config, pending: null });
    });
  beforeEach(() => {
    setLists(["192.0.2.0/24"], []);
    scenario.emulator.control.edit(() => {
      restrictionsOf().reviewed = true;
    });
  });

  it("asks for an entry once, and keeps it in the state until it is approved", async () => {
    const made = await entries.create(declared());
    expect(pending()).toEqual(["192.0.2.0/24", "203.0.113.0/24"]);
    expect(scenario.warnings.join("\n")).toMatch(
      /network restrictions of the project \w+ waits for approval/,
    );
    scenario.nextRun();
    expect(await entries.read(made)).toBeDefined();
    await entries.create(declared());
    expect(scenario.calls("patchNetworkRestrictions")).toBe(1);
    approve();
    scenario.nextRun();
    expect(await entries.read(made)).toBeDefined();
    expect(scenario.warnings.filter((text) => text.includes("removed it both times"))).toEqual([]);
  });

  it("keeps what waits already part of the next request", async () => {
    const first = await entries.create(declared());
    const second = await entries.create(declared("198.51.100.0/24"));
    expect(pending()).toEqual(["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"]);
    approve();
    scenario.nextRun();
    await expect(entries.delete(first)).rejects.toThrow("203.0.113.0/24 is still allowed");
    await expect(entries.delete(second)).rejects.toThrow("198.51.100.0/24 is still allowed");
    expect(pending()).toEqual(["192.0.2.0/24"]);
    approve();
    scenario.nextRun();
    await entries.delete(first);
    await entries.delete(second);
    expect(onService()?.v4).toEqual(["192.0.2.0/24"]);
  });

  const OURS = "203.0.113.0/24";
  const THEIRS = "0.0.0.0/0";
  const ask = (change: "add" | "remove", cidr: string): void =>
    void scenario.emulator.control.call("patchNetworkRestrictions", {
      ref,
      body: { [change]: { dbAllowedCidrs: [cidr] } },
    });
  const reject = (): void => scenario.emulator.control.edit(() => void (restrictionsOf().pending = null));
  const endReviews = (): void =>
    scenario.emulator.control.edit(() => void (restrictionsOf().reviewed = false));
  /** Before the request that the run sends, and after the listing with which it began. */
  const afterFirstListing = (happens: () => void): void => {
    const listing = scenario.client.getNetworkRestrictions.bind(scenario.client);
    jest.spyOn(scenario.client, "getNetworkRestrictions").mockImplementationOnce(async (...args) => {
      const answer = await listing(...args);
      happens();
      return answer;
    });
  };

  it.each([
    ["nothing", (): void => undefined, [{ add: { dbAllowedCidrs: [OURS] } }]],
    ["an addition of others", () => ask("add", THEIRS), []],
    ["a removal of others", () => ask("remove", "192.0.2.0/24"), []],
    ["the same addition", () => ask("add", OURS), []],
    [
      "an addition of others, as reviews have ended",
      () => {
        ask("add", THEIRS);
        endReviews();
      },
      [],
    ],
    [
      "nothing, as it was rejected meanwhile",
      () => {
        ask("add", THEIRS);
        afterFirstListing(reject);
      },
      [{ add: { dbAllowedCidrs: [OURS] } }],
    ],
    ["what others asked for since the run began", () => afterFirstListing(() => ask("add", THEIRS)), []],
  ] as const)("a create sends nothing that others asked for: what waits is %s", async (_, prepare, sent) => {
    prepare();
    const patched = jest.spyOn(scenario.client, "patchNetworkRestrictions");
    const before = pending();
    const made = await entries.create(declared(OURS)).then(
      () => undefined,
      (error: unknown) => String(error),
    );
    expect(patched.mock.calls.map(([{ body }]) => body)).toEqual(sent);
    expect([...(onService()?.v4 ?? []), ...(sent.length > 0 ? (pending() ?? []) : [])]).not.toContain(THEIRS);
    if (sent.length > 0 || before?.includes(OURS) === true) expect(made).toBeUndefined();
    else expect(made).toMatch(/waits for approval since .* It (adds|removes) `\S+`\..*Nothing was changed/s);
  });

  it.each([
    ["nothing", (): void => undefined, [{ remove: { dbAllowedCidrs: [OURS] } }], "is still allowed"],
    ["an addition of others", () => ask("add", THEIRS), [], "It adds `0.0.0.0/0`."],
    ["another removal of others", () => ask("remove", "192.0.2.0/24"), [], "It removes `192.0.2.0/24`."],
    ["the same removal", () => ask("remove", OURS), [], "is still allowed"],
    [
      "an addition of others, as reviews have ended",
      () => {
        ask("add", THEIRS);
        endReviews();
      },
      [],
      "It adds `0.0.0.0/0`.",
    ],
    [
      "nothing, as it was rejected meanwhile",
      () => {
        ask("add", THEIRS);
        afterFirstListing(reject);
      },
      [{ remove: { dbAllowedCidrs: [OURS] } }],
      "is still allowed",
    ],
  ] as const)(
    "a delete sends nothing that others asked for: what waits is %s",
    async (_, prepare, sent, says) => {
      setLists(["192.0.2.0/24", OURS], []);
      prepare();
      const patched = jest.spyOn(scenario.client, "patchNetworkRestrictions");
      await expect(entries.delete({ id: OURS, state: declared(OURS) })).rejects.toThrow(says);
      expect(patched.mock.calls.map(([{ body }]) => body)).toEqual(sent);
      expect([onService()?.v4, sent.length > 0 && pending()]).toEqual([
        ["192.0.2.0/24", OURS],
        sent.length > 0 && ["192.0.2.0/24"],
      ]);
    },
  );

  it("keeps what another resource of the program asked for in an earlier run part of the request", async () => {
    const machine = new Machine(scenario);
    const entry = (name: string, cidr: string): Declared => ({
      name,
      type: "AllowedCidr",
      inputs: () => declared(cidr),
    });
    await machine.up([entry("first", OURS)]);
    const patched = jest.spyOn(scenario.client, "patchNetworkRestrictions");
    const both = [entry("first", OURS), entry("second", "198.51.100.0/24")];
    expect(messagesOf(await machine.up(both))).toEqual([]);
    expect(pending()).toEqual(["192.0.2.0/24", "198.51.100.0/24", OURS]);
    patched.mockRestore();
    await machine.leave();
  });

  it("says of an entry that goes before it was approved that the request is still there", async () => {
    const made = await entries.create(declared());
    scenario.nextRun();
    await entries.delete(made);
    expect(scenario.warnings.join("\n")).toMatch(/still waits for approval.*rejected/);
  });
});
