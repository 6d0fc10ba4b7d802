import type { Scenario } from "../../kit/scenario";
import { startMachine, type Machine, messagesOf } from "../../kit/machine";
import type { Values } from "../../../provider/define/values";
import { type Declared, ModelEngine } from "../../kit/model-engine";
import { resourceByType } from "../../../provider/catalog/catalog";
import { checkInputs } from "../../../provider/engine/check";
import { diffResource } from "../../../provider/engine/diff";

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

describe("access that is never widened silently", () => {
  const OPEN = { v4: ["0.0.0.0/0"], v6: ["::/0"] };

  const whole = (inputs: Values): Declared => declared("all", "NetworkRestrictions", inputs);
  const entry = (cidr: string): Declared => declared("office", "AllowedCidr", { cidr });
  const lists = () => scenario.emulator.world.state.projects.get(projectRef)?.network.restrictions.config;
  const setLists = (v4: string[], v6: string[]): void =>
    scenario.emulator.control.edit(({ projects }) => {
      const record = projects.get(projectRef)?.network.restrictions;
      if (record) record.config = { v4, v6 };
    });
  const told = (): string => machine.warnings.join("\n");

  it("leaves the lists of a project when the resource is taken out of the program, and says so", async () => {
    await machine.up([whole({ allowedCidrs: ["203.0.113.0/24"], allowedCidrsV6: [] })]);
    await machine.up([]);
    expect(lists()).toEqual({ v4: ["203.0.113.0/24"], v6: [] });
    expect(told()).toContain("`allowedCidrs`, `allowedCidrsV6` of the project");
  });

  it("leaves a list that is taken out of the program, which the plan says", async () => {
    const both = { allowedCidrs: ["203.0.113.0/24"], allowedCidrsV6: ["2001:db8::/48"] };
    await machine.up([whole(both)]);
    await machine.up([whole({ allowedCidrs: ["203.0.113.0/24"] })]);
    expect(lists()).toEqual({ v4: ["203.0.113.0/24"], v6: ["2001:db8::/48"] });

    const resource = resourceByType("NetworkRestrictions");
    const managed = scenario.manage(resource);
    setLists(OPEN.v4, OPEN.v6);
    const made = await managed.create({ projectRef, ...both });
    const left = managed.checked({ projectRef, allowedCidrs: both.allowedCidrs });
    scenario.infos.length = 0;
    diffResource(scenario.runtime, resource, made.id, made.state, left, () => false);
    expect(scenario.infos.join()).toContain('allowedCidrsV6: no longer managed, stays ["2001:db8::/48"].');
  });

  it("restores lists that let fewer in than the program did, without what others added", async () => {
    setLists(["203.0.113.7/32"], []);
    const wider = {
      allowedCidrs: ["203.0.113.0/24"],
      allowedCidrsV6: ["2001:db8::/48"],
      replaceOthers: true,
    };
    await machine.up([whole(wider)]);
    setLists(["203.0.113.0/24", "192.0.2.0/24"], ["2001:db8::/48"]);
    await machine.up([]);
    expect(lists()).toEqual({ v4: ["192.0.2.0/24", "203.0.113.7/32"], v6: [] });
    expect(told()).not.toContain("were not restored");
  });

  it("does not open the database over the restriction of another stack", async () => {
    const other = new ModelEngine("prod");
    const mine = whole({ allowedCidrs: ["203.0.113.0/24"], allowedCidrsV6: [] });
    await machine.up([mine]);
    machine.forget();
    const theirs = whole({ allowedCidrs: ["203.0.113.0/24", "192.0.2.0/24"], allowedCidrsV6: [] });
    await machine.run((process) => other.up([theirs], process));
    machine.forget();
    await machine.up([]);
    expect(lists()).toEqual({ v4: ["203.0.113.0/24", "192.0.2.0/24"], v6: [] });
  });

  it("asks before a create removes entries that it does not know", async () => {
    setLists(["0.0.0.0/0", "198.51.100.0/24"], ["::/0"]);
    const list = { allowedCidrs: ["203.0.113.0/24"], allowedCidrsV6: [] };
    const [message] = messagesOf(await machine.up([whole(list)]));
    expect(message).toMatch(/also allows `198\.51\.100\.0\/24`.*`replaceOthers: true`/s);
    expect(lists()).toEqual({ v4: ["0.0.0.0/0", "198.51.100.0/24"], v6: ["::/0"] });
    expect(messagesOf(await machine.up([whole({ ...list, replaceOthers: true })]))).toEqual([]);
    expect(lists()).toEqual({ v4: ["203.0.113.0/24"], v6: [] });
  });

  it("asks the same of an update whose plan did not show them", async () => {
    await machine.up([whole({ allowedCidrs: ["203.0.113.0/24"], allowedCidrsV6: [] })]);
    setLists(["203.0.113.0/24", "198.51.100.0/24"], []);
    const next = [whole({ allowedCidrs: ["203.0.113.0/25"], allowedCidrsV6: [] })];
    expect(messagesOf(await machine.up(next)).join()).toContain("`198.51.100.0/24`");
    expect(lists()?.v4).toEqual(["203.0.113.0/24", "198.51.100.0/24"]);
  });

  it("removes a new entry for everybody, and no declared entry of a list registered after it", async () => {
    setLists([], []);
    await machine.up([entry("198.51.100.0/24")]);
    const both = [whole({ allowedCidrs: ["203.0.113.0/24"], allowedCidrsV6: [] }), entry("198.51.100.0/24")];
    const messages = messagesOf(await machine.up(both)).join("\n");
    expect(messages).toContain("`198.51.100.0/24`");
    // As the message says, nothing was changed.
    expect(lists()).toEqual({ v4: ["198.51.100.0/24"], v6: [] });
  });

  it("takes out a single entry alone", async () => {
    setLists(["192.0.2.0/24"], []);
    await machine.up([entry("198.51.100.0/24")]);
    await machine.up([]);
    expect(lists()).toEqual({ v4: ["192.0.2.0/24"], v6: [] });
  });

  it.each([
    ["SslEnforcement", { database: true }],
    ["LegacyApiKeys", { enabled: false }],
    ["RealtimeConfig", { privateOnly: true }],
    ["AuthConfig", { disableSignup: true }],
    ["AuthConfig", { externalEmailEnabled: false }],
    ["AuthConfig", { security: { updatePasswordRequireReauthentication: true } }],
  ])("says that what the delete of a %s brings back is less restricted", async (type, inputs) => {
    await machine.up([declared("it", type, inputs)]);
    await machine.up([]);
    expect(told()).toContain(`of the ${type} ${projectRef} has its earlier value again`);
  });

  it("says so of a setting that is taken out of the program, and names it alone", async () => {
    await machine.up([declared("it", "AuthConfig", { disableSignup: true, jwtExp: 1800 })]);
    await machine.up([declared("it", "AuthConfig", { jwtExp: 1800 })]);
    expect(told()).toContain(`\`disableSignup\` of the AuthConfig ${projectRef} has its earlier value again`);
  });

  it.each([
    ["LegacyApiKeys", { enabled: true }],
    ["RealtimeConfig", { privateOnly: false, maxConcurrentUsers: 10 }],
    ["AuthConfig", { externalAnonymousUsersEnabled: true, mailer: { autoconfirm: true }, jwtExp: 1800 }],
  ])("says nothing of a %s that goes back to the stricter state", async (type, inputs) => {
    await machine.up([declared("it", type, inputs)]);
    await machine.up([]);
    expect(told()).toBe("");
  });

  it("warns in the preview that a role loses the limits which are taken out of it", () => {
    const roles = (limits: Values): Values => ({
      projectRef,
      userId: "7f0c9a2e-3b1d-4c5e-8f6a-0b1c2d3e4f50",
      roles: [{ role: "postgres", ...limits }],
    });
    const limited = roles({ expiresAt: "2030-01-31T18:00:00Z", allowedCidrs: ["192.0.2.0/24"] });
    const resource = resourceByType("JitUser");
    expect(checkInputs(resource, roles({}), limited).warnings).toEqual([
      expect.stringContaining("postgres can now be assumed from every network"),
      expect.stringContaining("postgres no longer expires"),
    ]);
    expect(checkInputs(resource, limited, limited).warnings).toEqual([]);
    expect(checkInputs(resource, roles({})).warnings).toEqual([]);
  });
});

describe("a program with the whole list and single entries", () => {
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
    expect(message).toContain(
      "Declare everything in the NetworkRestrictions, or remove it from the program.",
    );
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
});
