import { createRulesWorld, type RulesWorld } from "../rules-world";

describe("billing add-ons", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld({ service: "2026-06" });
    service.world.state.activeProjectQuotas.free = null;
    ref = service.healthyProject();
  });
  const selected = (of = ref): string[] =>
    service.call("listAddons", { ref: of }).selected_addons.map(({ variant }) => variant.id);
  const size = (variant: "ci_small" | "ci_large"): void => {
    service.call("applyAddon", { ref, body: { addon_type: "compute_instance", addon_variant: variant } });
  };

  it("select nothing for the smallest size, and offer every option with its price", () => {
    expect(selected()).toEqual([]);
    const { available_addons } = service.call("listAddons", { ref });
    expect(available_addons.map(({ type }) => type)).toContain("compute_instance");
    expect(available_addons.flatMap(({ variants }) => variants.map(({ id }) => id))).toContain("ci_48xlarge");
  });

  const create = (
    plan: "free" | "pro" | "platform",
    desired_instance_size?: "pico" | "nano" | "micro" | "small",
  ): string => {
    for (const organization of service.world.state.organizations.values()) organization.plan = plan;
    const body = {
      ...{ name: "sized", organization_slug: "acme", db_pass: "p" },
      ...(desired_instance_size !== undefined && { desired_instance_size }),
    };
    return service.call("createProject", { body }).ref;
  };
  const listedSize = (of: string): string | undefined =>
    service.call("listOrganizationProjects", { slug: "acme" }).projects.find((project) => project.ref === of)
      ?.databases[0]?.infra_compute_size;

  // service, Compute size: on a paid plan micro is the absence of an add-on, on the free plan nano is.
  it("select nothing for micro on a paid plan, and nothing for nano on the free one", () => {
    const sized = [
      create("pro", "micro"),
      create("pro", "small"),
      create("free", "pico"),
      create("free", "nano"),
    ];
    expect(sized.map((of) => selected(of))).toEqual([[], ["ci_small"], [], []]);
    expect(sized.map(listedSize)).toEqual(["micro", "small", "pico", "nano"]);
  });

  it("begin with nano on the plan platform (service, Compute size)", () => {
    const plain = create("platform");
    expect([listedSize(plain), selected(plain)]).toEqual(["nano", []]);
    expect(listedSize(create("platform", "nano"))).toBe("nano");
  });

  it("refuse nano on a paid plan", () => {
    for (const size of ["pico", "nano"] as const) {
      expect(() => create("pro", size)).toThrow("Minimum instance size on paid plans is Micro");
    }
  });

  it("are removed by selecting ci_micro on a paid plan", () => {
    size("ci_small");
    service.advance(126);
    const body = { addon_type: "compute_instance", addon_variant: "ci_micro" } as const;
    service.call("applyAddon", { ref, body });
    expect(service.call("getProject", { ref }).status).toBe("RESIZING");
    service.advance(126);
    expect([selected(), listedSize(ref)]).toEqual([[], "micro"]);
    service.call("applyAddon", { ref, body });
    expect(service.call("getProject", { ref }).status).toBe("ACTIVE_HEALTHY");
  });

  it("show ci_micro as selected where it was recorded so", () => {
    for (const organization of service.world.state.organizations.values()) organization.microIsAddon = true;
    expect([selected(create("pro", "micro")), selected(create("pro", "nano"))]).toEqual([["ci_micro"], []]);
  });

  it("resize the project when the compute size changes", () => {
    size("ci_small");
    expect(service.call("getProject", { ref }).status).toBe("RESIZING");
    expect(selected()).toEqual(["ci_small"]);
    const body = { addon_type: "compute_instance", addon_variant: "ci_large" } as const;
    // service, Limits: a quota with calls left in the window.
    const tooEarly = "429 Cannot update addon: still processing addon changes";
    expect(service.refusal("applyAddon", { ref, body })).toBe(tooEarly);
    expect(service.refusal("removeAddon", { ref, addon_variant: "ci_small" })).toBe(tooEarly);
    service.advance(67);
    expect(service.call("getProject", { ref }).status).toBe("ACTIVE_HEALTHY");
    expect(service.refusal("applyAddon", { ref, body })).toBe(tooEarly);
    service.advance(58);
    size("ci_small");
    expect(service.call("getProject", { ref }).status).toBe("ACTIVE_HEALTHY");
  });

  it("roll compute back to the size before when it is removed", () => {
    size("ci_small");
    service.advance(126);
    size("ci_large");
    service.advance(126);
    service.call("removeAddon", { ref, addon_variant: "ci_large" });
    expect(selected()).toEqual(["ci_small"]);
    expect(service.call("getProject", { ref }).status).toBe("RESIZING");
    service.advance(126);
    expect(service.refusal("removeAddon", { ref, addon_variant: "ci_large" })).toMatch(/^404/);
    service.call("removeAddon", { ref, addon_variant: "ci_small" });
    expect(selected()).toEqual([]);
  });

  it("take other add-ons without a resize", () => {
    service.call("applyAddon", { ref, body: { addon_type: "custom_domain", addon_variant: "cd_default" } });
    expect(selected()).toEqual(["cd_default"]);
    expect(service.call("getProject", { ref }).status).toBe("ACTIVE_HEALTHY");
    service.advance(126);
    service.call("removeAddon", { ref, addon_variant: "cd_default" });
    expect(selected()).toEqual([]);
  });

  it("refuse a variant of another add-on", () => {
    const body = { addon_type: "pitr", addon_variant: "ci_small" } as const;
    expect(service.refusal("applyAddon", { ref, body })).toMatch(/^400 addon_variant: ci_small/);
  });

  it("tell what a compute size brings", () => {
    const compute = service
      .call("listAddons", { ref })
      .available_addons.find(({ type }) => type === "compute_instance");
    expect(compute?.variants.find(({ id }) => id === "ci_large")?.meta).toEqual({
      cpu_cores: 2,
      memory_gb: 8,
      connections_direct: 160,
      connections_pooler: 800,
    });
  });

  it("need a compute size for point-in-time recovery, and keep it", () => {
    const body = { addon_type: "pitr", addon_variant: "pitr_7" } as const;
    expect(service.refusal("applyAddon", { ref, body })).toMatch(/^400 .*micro .*point-in-time recovery/);
    size("ci_small");
    service.advance(126);
    service.call("applyAddon", { ref, body });
    expect(selected()).toEqual(["ci_small", "pitr_7"]);
    service.advance(126);
    service.call("applyAddon", { ref, body: { ...body, addon_variant: "pitr_28" } });
    expect(selected()).toEqual(["ci_small", "pitr_28"]);
    service.advance(126);
    expect(service.refusal("removeAddon", { ref, addon_variant: "ci_small" })).toMatch(
      /^400 .*point-in-time/,
    );
    expect(service.refusal("removeAddon", { ref, addon_variant: "pitr_7" })).toMatch(/^404/);
    service.call("removeAddon", { ref, addon_variant: "pitr_28" });
    service.advance(126);
    service.call("removeAddon", { ref, addon_variant: "ci_small" });
    expect(selected()).toEqual([]);
  });

  it("take the custom hostname with them", () => {
    service.call("applyAddon", { ref, body: { addon_type: "custom_domain", addon_variant: "cd_default" } });
    service.call("initializeCustomHostname", { ref, body: { custom_hostname: "db.example.com" } });
    service.advance(126);
    service.call("removeAddon", { ref, addon_variant: "cd_default" });
    expect(service.projectRecord(ref).customHostname).toBeNull();
  });

  it("show those that only an operator selects", () => {
    service.projectRecord(ref).addons.set("auth_mfa_phone", "auth_mfa_phone_default");
    expect(selected()).toEqual(["auth_mfa_phone_default"]);
    const body = { addon_type: "auth_mfa_phone", addon_variant: "cd_default" } as const;
    expect(service.refusal("applyAddon", { ref, body })).toMatch(/^400 addon_variant: cd_default/);
  });

  it("are not for the free plan", () => {
    for (const organization of service.world.state.organizations.values()) organization.plan = "free";
    const body = { addon_type: "ipv4", addon_variant: "ipv4_default" } as const;
    expect(service.refusal("applyAddon", { ref, body })).toMatch(/^400 .*plan free/);
    expect(selected()).toEqual([]);
  });
});

// service, Billing add-ons.
describe("billing add-ons as measured", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const ipv4 = { addon_type: "ipv4", addon_variant: "ipv4_default" } as const;
  const domain = { addon_type: "custom_domain", addon_variant: "cd_default" } as const;

  it("are changed one at a time, for up to 185 seconds, whichever they are", () => {
    service.call("applyAddon", { ref, body: ipv4 });
    expect(service.refusal("applyAddon", { ref, body: domain })).toBe(
      "429 We are still processing addon changes, please try again in 4 minute(s)",
    );
    service.advance(184);
    expect(service.refusal("removeAddon", { ref, addon_variant: "ipv4_default" })).toBe(
      "429 We are still processing addon changes, please try again in 1 minute(s)",
    );
    service.advance(1);
    service.call("applyAddon", { ref, body: domain });
  });

  it("offer no size on the free plan, and no point-in-time recovery", () => {
    const free = service.healthyProject("hobby", "hobby");
    const offered = (of: string) =>
      service.call("listAddons", { ref: of }).available_addons.find(({ type }) => type === "compute_instance")
        ?.variants.length;
    expect(offered(free)).toBe(0);
    expect(offered(ref)).toBeGreaterThan(10);
    expect(
      service.refusal("applyAddon", { ref: free, body: { addon_type: "pitr", addon_variant: "pitr_7" } }),
    ).toBe("400 Organization is not entitled to the selected PITR duration");
  });

  it("have the shape that was recorded last", () => {
    const variants = service
      .call("listAddons", { ref })
      .available_addons.flatMap(({ variants: listed }) => listed);
    const variant = (wanted: string) => variants.find(({ id }) => id === wanted);
    expect(variant("ci_micro")).toMatchObject({ name: "Micro" });
    expect(Object.keys(variant("ci_micro")?.meta ?? {}).toSorted()).toEqual([
      "baseline_disk_io_mbs",
      "connections_direct",
      "connections_pooler",
      "cpu_cores",
      "cpu_dedicated",
      "max_disk_io_mbs",
      "memory_gb",
      "supported_cloud_providers",
      "supported_regions",
    ]);
    expect(variant("pitr_7")).toMatchObject({
      price: { description: "$100/month" },
      meta: { backup_duration_days: 7 },
    });
  });
});
