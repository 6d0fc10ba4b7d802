import { createRulesWorld, type RulesWorld } from "../rules-world";

describe("a vanity subdomain", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const body = (name: string) => ({ vanity_subdomain: name });
  const isAvailable = (name: string, project = ref): boolean =>
    service.call("checkVanitySubdomain", { ref: project, body: body(name) }).available;
  const activate = (name: string, project = ref): string =>
    service.call("activateVanitySubdomain", { ref: project, body: body(name) }).custom_domain;
  const seen = () => service.call("getVanitySubdomain", { ref });

  it("is not used, then active, then not used again", () => {
    expect(seen()).toEqual({ status: "not-used" });
    expect(activate("shop")).toBe("shop.service.example");
    expect(seen()).toEqual({ status: "active", custom_domain: "shop.service.example" });
    expect(activate("store")).toBe("store.service.example");
    service.call("deleteVanitySubdomain", { ref });
    service.call("deleteVanitySubdomain", { ref });
    expect(seen()).toEqual({ status: "not-used" });
    expect(service.projectRecord(ref).vanitySubdomain).toBeNull();
  });

  it("belongs to one project at a time", () => {
    const other = service.healthyProject();
    activate("shop", other);
    expect(isAvailable("shop")).toBe(false);
    expect(isAvailable("shop", other)).toBe(true);
    expect(service.refusal("activateVanitySubdomain", { ref, body: body("shop") })).toBe(
      "400 The vanity subdomain shop is taken",
    );
    expect(seen().status).toBe("not-used");
    service.call("deleteProject", { ref: other });
    expect(isAvailable("shop")).toBe(false);
    service.advance(15);
    expect(isAvailable("shop")).toBe(true);
  });

  it.each(["ab", "-shop", "shop-", "Shop", "my.shop", "", "www", "api", "abcdefghijklmnopqrst"])(
    "cannot be %p",
    (name) => {
      expect(isAvailable(name)).toBe(false);
      expect(service.refusal("activateVanitySubdomain", { ref, body: body(name) })).toMatch(
        /^400 The vanity subdomain .* is (invalid|reserved)/,
      );
    },
  );

  it("may have digits and hyphens inside, up to 63 characters", () => {
    expect([isAvailable("my-shop-2"), isAvailable("a".repeat(63))]).toEqual([true, true]);
    expect(service.refusal("checkVanitySubdomain", { ref, body: body("a".repeat(64)) })).toMatch(/^400/);
  });

  it("needs a plan above free", () => {
    activate("shop");
    const organization = service.world.state.organizations.get("acme");
    if (organization) organization.plan = "free";
    expect(service.refusal("checkVanitySubdomain", { ref, body: body("store") })).toMatch(/^400 .*plan/);
    expect(service.refusal("activateVanitySubdomain", { ref, body: body("store") })).toMatch(/^400 .*plan/);
    expect(seen().status).toBe("active");
  });

  it("gives way to a custom hostname in use", () => {
    activate("shop");
    service.projectRecord(ref).customHostname = {
      id: "hostname",
      hostname: "db.example.com",
      ownershipValue: "o",
      validationValue: "v",
      initializedAt: null,
      ownershipVerifiedAt: 0,
      verifiedAt: 0,
      activatedAt: null,
    };
    expect(seen().status).toBe("active");
    const hostname = service.projectRecord(ref).customHostname;
    if (hostname) hostname.activatedAt = service.world.clock.now();
    expect(seen()).toEqual({ status: "custom-domain-used", custom_domain: "db.example.com" });
    expect(service.refusal("activateVanitySubdomain", { ref, body: body("store") })).toBe(
      "400 A custom hostname is in use for this project",
    );
  });
});
