import { createRulesWorld, found, type RulesWorld } from "../rules-world";

describe("network restrictions", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const get = () => service.call("getNetworkRestrictions", { ref });
  const apply = (dbAllowedCidrs?: string[], dbAllowedCidrsV6?: string[]) =>
    service.call("applyNetworkRestrictions", {
      ref,
      body: {
        ...(dbAllowedCidrs === undefined ? {} : { dbAllowedCidrs }),
        ...(dbAllowedCidrsV6 === undefined ? {} : { dbAllowedCidrsV6 }),
      },
    });
  const everyone = { dbAllowedCidrs: ["0.0.0.0/0"], dbAllowedCidrsV6: ["::/0"] };

  it("let everyone in at first", () => {
    expect(get()).toEqual({ entitlement: "allowed", config: everyone, status: undefined });
    service.world.state.service = "2026-06";
    expect(get()).toEqual({ entitlement: "allowed", config: everyone, status: "applied" });
  });

  it("are applied at once when they are replaced (service, Network restrictions)", () => {
    const answer = apply(["203.0.113.0/24"], ["2001:db8::/32"]);
    const config = { dbAllowedCidrs: ["203.0.113.0/24"], dbAllowedCidrsV6: ["2001:db8::/32"] };
    expect(answer).toMatchObject({ status: "applied", config });
    expect(answer).not.toHaveProperty("old_config");
    expect([answer.updated_at, answer.applied_at]).toEqual([undefined, undefined]);
    expect(get()).toMatchObject({ status: "applied", config });
  });

  it("can be made to be stored first and applied later, by themselves", () => {
    service.world.state.changesApplyLater = true;
    const answer = apply(["203.0.113.0/24"], ["2001:db8::/32"]);
    const config = { dbAllowedCidrs: ["203.0.113.0/24"], dbAllowedCidrsV6: ["2001:db8::/32"] };
    expect(answer).toMatchObject({ status: "stored", config, old_config: everyone });
    expect(answer.applied_at).toBeUndefined();
    service.advance(15);
    const applied = get();
    expect(applied).toMatchObject({ status: "applied", config });
    expect(Date.parse(applied.applied_at ?? "") - Date.parse(applied.updated_at ?? "")).toBe(15_000);
    expect(applied).not.toHaveProperty("old_config");
  });

  it("stay as they are, and applied, when they are asked for once more", () => {
    service.world.state.changesApplyLater = true;
    apply(["203.0.113.0/24"]);
    service.advance(15);
    const applied = get();
    service.advance(60);
    apply(["203.0.113.7/24"]);
    expect(get()).toEqual(applied);
    expect(service.projectRecord(ref).network.restrictions.before.v4).toEqual(["0.0.0.0/0"]);
  });

  it("keep in `old_config` what is in force while one change follows another", () => {
    apply(["203.0.113.0/24"]);
    const allow = (cidr: string) =>
      service.call("patchNetworkRestrictions", { ref, body: { add: { dbAllowedCidrs: [cidr] } } });
    allow("198.51.100.0/24");
    expect(allow("192.0.2.0/24").old_config?.dbAllowedCidrs).toEqual([
      { address: "203.0.113.0/24", type: "v4" },
    ]);
    expect(service.projectRecord(ref).network.restrictions.before.v4).toEqual(["203.0.113.0/24"]);
  });

  it("are replaced as a whole: a list that is left out lets nobody in", () => {
    apply(["203.0.113.0/24"]);
    expect(get().config).toEqual({ dbAllowedCidrs: ["203.0.113.0/24"], dbAllowedCidrsV6: [] });
    apply(undefined, ["2001:db8::/32"]);
    expect(get().config).toEqual({ dbAllowedCidrs: [], dbAllowedCidrsV6: ["2001:db8::/32"] });
  });

  it("are merged by a patch, which is stored first and whose answer has one list with types", () => {
    apply(["203.0.113.0/24", "198.51.100.7/32"], ["2001:db8::/32"]);
    const body = {
      add: { dbAllowedCidrs: ["192.0.2.0/24", "203.0.113.0/24"], dbAllowedCidrsV6: ["2001:db8:1::/48"] },
      remove: { dbAllowedCidrs: ["198.51.100.7/32", "10.0.0.0/8"] },
    };
    expect(service.call("patchNetworkRestrictions", { ref, body })).toMatchObject({
      status: "stored",
      config: {
        dbAllowedCidrs: [
          { address: "203.0.113.0/24", type: "v4" },
          { address: "192.0.2.0/24", type: "v4" },
          { address: "2001:db8::/32", type: "v6" },
          { address: "2001:db8:1::/48", type: "v6" },
        ],
      },
      old_config: {
        dbAllowedCidrs: [
          { address: "203.0.113.0/24", type: "v4" },
          { address: "198.51.100.7/32", type: "v4" },
          { address: "2001:db8::/32", type: "v6" },
        ],
      },
    });
    expect(get().config).toEqual({
      dbAllowedCidrs: ["203.0.113.0/24", "192.0.2.0/24"],
      dbAllowedCidrsV6: ["2001:db8::/32", "2001:db8:1::/48"],
    });
    expect(get().status).toBe("stored");
    service.advance(15);
    expect(get().status).toBe("applied");
  });

  it("come back in canonical spelling, each once", () => {
    apply(["203.0.113.9/24", "203.0.113.0/24", "10.1.2.3/8"], ["2001:DB8:0:0::1/32"]);
    expect(get().config).toEqual({
      dbAllowedCidrs: ["203.0.113.0/24", "10.0.0.0/8"],
      dbAllowedCidrsV6: ["2001:db8::/32"],
    });
  });

  it("refuse what is no CIDR of the list's kind, naming every one, and change nothing", () => {
    service.world.state.service = "2026-06";
    const body = {
      dbAllowedCidrs: ["203.0.113.0/24", "203.0.113.1", "10/8", "2001:db8::/32"],
      dbAllowedCidrsV6: ["203.0.113.0/24", "fe80::1%eth0/64"],
    };
    const refusal = service.refusal("applyNetworkRestrictions", { ref, body });
    for (const place of [
      'dbAllowedCidrs.1: "203.0.113.1"',
      'dbAllowedCidrs.2: "10/8"',
      'dbAllowedCidrs.3: "2001:db8::/32"',
      'dbAllowedCidrsV6.0: "203.0.113.0/24"',
      'dbAllowedCidrsV6.1: "fe80::1%eth0/64"',
    ]) {
      expect(refusal).toContain(place);
    }
    expect(refusal).toMatch(/^400 /);
    const patch = { add: { dbAllowedCidrs: ["300.0.0.0/8"] } };
    expect(service.refusal("patchNetworkRestrictions", { ref, body: patch })).toContain(
      "400 add.dbAllowedCidrs.0: ",
    );
    expect(get()).toEqual({ entitlement: "allowed", config: everyone, status: "applied" });
  });

  it("are no part of the free plan", () => {
    found(service.world.state.organizations.get("acme")).plan = "free";
    expect(get().entitlement).toBe("disallowed");
    expect(service.refusal("applyNetworkRestrictions", { ref, body: {} })).toMatch(/^400 .*plan free/);
    expect(service.refusal("patchNetworkRestrictions", { ref, body: {} })).toMatch(/^400 .*plan free/);
  });

  it("wait for a project whose database is up", () => {
    const fresh = service.newProject("fresh");
    expect(service.refusal("applyNetworkRestrictions", { ref: fresh, body: {} })).toMatch(/^400 .*UNKNOWN/);
    service.advance(32);
    expect(service.refusal("applyNetworkRestrictions", { ref: fresh, body: {} })).toMatch(/^400 .*db/);
    service.advance(1);
    expect(service.call("applyNetworkRestrictions", { ref: fresh, body: {} }).status).toBe("applied");
  });
});
