import { MovableClock, startEmulator, type Emulator } from "../../../../../emulator";
import { failLogins } from "../../../../../emulator/service/rules/network/network-bans";
import { createRulesWorld, found, type RulesWorld } from "../rules-world";

const address = "203.0.113.9";

describe("network bans", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const fail = (times: number, from = address, databaseIdentifier = ref): string =>
    failLogins(service.world, ref, { address: from, times, databaseIdentifier }).outcome;
  const banned = (): string[] => service.call("listNetworkBans", { ref }).banned_ipv4_addresses;
  const enriched = () => service.call("listNetworkBansEnriched", { ref }).banned_ipv4_addresses;

  it("come of failed logins in a short time, and end by themselves", () => {
    expect(fail(1)).toBe("failed");
    expect(banned()).toEqual([]);
    expect(fail(1)).toBe("failed");
    expect(banned()).toEqual([address]);
    expect(fail(1)).toBe("banned");
    service.advance(29 * 60);
    expect(banned()).toEqual([address]);
    service.advance(60);
    expect(banned()).toEqual([]);
    expect(fail(1)).toBe("failed");
  });

  it("do not come of failures that lie apart, or of different addresses", () => {
    fail(1);
    service.advance(10 * 60);
    fail(1);
    fail(1, "203.0.113.10");
    expect(banned()).toEqual([]);
    expect(service.projectRecord(ref).network.failedLogins).toHaveLength(2);
  });

  it("tell which database they affect", () => {
    service.call("applyAddon", {
      ref,
      body: { addon_type: "compute_instance", addon_variant: "ci_small" },
    });
    service.advance(420);
    service.call("setUpReadReplica", { ref, body: { read_replica_region: "eu-west-1" } });
    const replica = found([...service.projectRecord(ref).readReplicas.keys()][0]);
    fail(2);
    fail(2, address, replica);
    expect(banned()).toEqual([address]);
    expect(enriched()).toEqual([
      { banned_address: address, identifier: ref, type: "PRIMARY" },
      { banned_address: address, identifier: replica, type: "READ_REPLICA" },
    ]);
    service.call("removeNetworkBans", { ref, body: { ipv4_addresses: [address], identifier: replica } });
    expect(enriched().map(({ identifier }) => identifier)).toEqual([ref]);
    fail(2, address, replica);
    service.call("removeReadReplica", { ref, body: { database_identifier: replica } });
    service.advance(15);
    expect(enriched().map(({ identifier }) => identifier)).toEqual([ref]);
  });

  it("never list an IPv6 address, and take an IPv4 one out of its wrapping", () => {
    expect(fail(5, "2001:db8::1")).toBe("failed");
    fail(2, `::ffff:${address}`);
    expect(banned()).toEqual([address]);
  });

  it("are lifted for the addresses given, failures forgotten as well", () => {
    fail(2);
    fail(2, "203.0.113.10");
    service.call("removeNetworkBans", { ref, body: { ipv4_addresses: [address, "198.51.100.1"] } });
    expect(banned()).toEqual(["203.0.113.10"]);
    fail(1);
    expect(banned()).toEqual(["203.0.113.10"]);
  });

  it("are lifted for whoever asks, by the address of the call", () => {
    fail(2);
    fail(2, "203.0.113.10");
    service.caller.address = `::ffff:${address}`;
    service.call("removeNetworkBans", { ref, body: { ipv4_addresses: [], requester_ip: false } });
    expect(banned()).toHaveLength(2);
    service.call("removeNetworkBans", { ref, body: { ipv4_addresses: [], requester_ip: true } });
    expect(banned()).toEqual(["203.0.113.10"]);
  });

  it("are not lifted for what is no IPv4 address or no database of the project", () => {
    fail(2);
    const ipv4_addresses = [address, "2001:db8::1"];
    expect(service.refusal("removeNetworkBans", { ref, body: { ipv4_addresses } })).toBe(
      '400 ipv4_addresses.1: "2001:db8::1" is no IPv4 address',
    );
    const elsewhere = { ipv4_addresses: [address], identifier: "elsewhere" };
    expect(service.refusal("removeNetworkBans", { ref, body: elsewhere })).toMatch(/^404 .*elsewhere/);
    expect(banned()).toEqual([address]);
  });

  it("do not come to who is not let in at all", () => {
    const body = { dbAllowedCidrs: ["198.51.100.0/24"] };
    service.world.state.changesApplyLater = true;
    service.call("applyNetworkRestrictions", { ref, body });
    expect(fail(1)).toBe("failed");
    service.advance(15);
    expect(fail(5)).toBe("not-allowed");
    expect(fail(1, "198.51.100.7")).toBe("failed");
    expect(fail(1, "2001:db8::1")).toBe("not-allowed");
    expect(banned()).toEqual([]);
  });

  it("come only of addresses that try a database which is there and up", () => {
    expect(() => fail(1, "somewhere")).toThrow("No IP address");
    expect(() => fail(1, address, "elsewhere")).toThrow("no database");
    service.projectRecord(ref).forcedStatus = "PAUSING";
    expect(() => fail(1)).toThrow("PAUSING");
  });
});

describe("network bans over HTTP", () => {
  const clock = new MovableClock();
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({ clock });
  });
  afterAll(() => emulator.close());

  it("come of logins that control lets fail, and are lifted for the address of a call", async () => {
    const { url, accessToken, control } = emulator;
    const post = async (path: string, body: object, method = "POST"): Promise<unknown> => {
      const headers = { authorization: `Bearer ${accessToken}`, "content-type": "application/json" };
      const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
      const text = await response.text();
      return text === "" ? undefined : JSON.parse(text);
    };
    const { ref } = control.call("createProject", {
      body: { name: "shop", organization_slug: "acme", db_pass: "a-password" },
    });
    clock.advance(120_000);

    const logins = { ref, address: "127.0.0.1", times: 2 };
    expect(await post("/_control/failed-logins", logins)).toEqual({ outcome: "failed" });
    expect(control.failLogins(ref, { address: "127.0.0.1" })).toEqual({ outcome: "banned" });
    expect(await post("/_control/failed-logins", { ...logins, ref: "nobody" })).toMatchObject({
      message: "Project not found",
    });
    const bans = `/v1/projects/${ref}/network-bans`;
    expect(await post(`${bans}/retrieve`, {})).toEqual({ banned_ipv4_addresses: ["127.0.0.1"] });
    expect(await post(bans, { ipv4_addresses: [], requester_ip: true }, "DELETE")).toBeUndefined();
    expect(await post(`${bans}/retrieve`, {})).toEqual({ banned_ipv4_addresses: [] });
    expect(control.internalErrors).toEqual([]);
  });
});
