import { userIdOf } from "../../../../../emulator/service/access/caller";
import { issueToken } from "../../../../../emulator/service/access/tokens";
import type { OrganizationPlan } from "../../../../../emulator/service/world/state";
import { createRulesWorld, found, type RulesWorld } from "../rules-world";

describe("an organization", () => {
  let service: RulesWorld;
  beforeEach(() => {
    service = createRulesWorld();
  });
  interface Query {
    readonly search?: string;
    readonly sort?: "name_asc" | "name_desc" | "created_asc" | "created_desc";
    readonly statuses?: string;
  }
  function listing(query: Query): string[] {
    return service
      .call("listOrganizationProjects", { slug: "acme", ...query })
      .projects.map(({ name }) => name);
  }

  it("is listed and looked at by its slug", () => {
    expect(service.call("listOrganizations", {})).toEqual([
      { id: "acme", slug: "acme", name: "Acme" },
      { id: "hobby", slug: "hobby", name: "Hobby" },
    ]);
    expect(service.call("getOrganization", { slug: "acme" })).toMatchObject({ name: "Acme", plan: "pro" });
    expect(service.call("getOrganization", { slug: "hobby" })).toMatchObject({ plan: "free" });
  });

  it("has its slug for its id, wherever it is shown (service, Organizations)", () => {
    const made = service.call("createOrganization", { body: { name: "Globex" } });
    expect(made).toEqual({ id: "globex", slug: "globex", name: "Globex" });
    for (const slug of ["acme", "hobby", "globex"]) {
      expect(service.call("getOrganization", { slug }).id).toBe(slug);
    }
    for (const { id, slug } of service.call("listOrganizations", {})) expect(id).toBe(slug);
    const ref = service.newProject("shop");
    const { organization_id, organization_slug } = service.call("getProject", { ref });
    expect([organization_id, organization_slug]).toEqual(["acme", "acme"]);
    for (const project of service.call("listProjects", {})) {
      expect(project.organization_id).toBe(project.organization_slug);
    }
  });

  it("is unknown by another slug", () => {
    expect(service.refusal("getOrganization", { slug: "nobody" })).toBe("404 Organization not found");
    expect(service.refusal("listOrganizationProjects", { slug: "nobody" })).toBe(
      "404 Organization not found",
    );
  });

  it("lists its projects in pages, with the count of all", () => {
    for (const name of ["b", "a", "c"]) service.newProject(name);
    const page = service.call("listOrganizationProjects", { slug: "acme", offset: 1, limit: 1 });
    expect(page.pagination).toEqual({ count: 3, limit: 1, offset: 1 });
    expect(page.projects.map(({ name }) => name)).toEqual(["b"]);
    expect(service.call("listOrganizationProjects", { slug: "acme" }).pagination.limit).toBe(100);
  });

  it("sorts, searches and filters them", () => {
    for (const name of ["Beta", "Alpha", "alphabet"]) service.newProject(name);
    const queries: readonly [Query, string[]][] = [
      [{ sort: "name_asc" }, ["Alpha", "Beta", "alphabet"]],
      [{ sort: "name_desc" }, ["alphabet", "Beta", "Alpha"]],
      [{ sort: "created_asc" }, ["Beta", "Alpha", "alphabet"]],
      [{ sort: "created_desc" }, ["alphabet", "Alpha", "Beta"]],
      [{ search: "ALPHA" }, ["Alpha", "alphabet"]],
    ];
    for (const [query, names] of queries) expect(listing(query)).toEqual(names);
    service.advance(60);
    service.projectRecord(service.healthyProject("paused")).forcedStatus = "INACTIVE";
    expect(listing({ statuses: "INACTIVE" })).toEqual(["paused"]);
    expect(listing({ statuses: "ACTIVE_HEALTHY, INACTIVE" })).toHaveLength(4);
    expect(listing({ statuses: "ACTIVE_HEALTHY" })).toHaveLength(3);
  });

  it("shows each project's databases and tells branches apart", () => {
    const ref = service.healthyProject();
    service.call("createBranch", { ref, body: { branch_name: "preview", desired_instance_size: "small" } });
    expect(service.call("listOrganizationProjects", { slug: "acme" }).projects).toHaveLength(1);
    service.world.state.service = "2026-06";
    const { projects } = service.call("listOrganizationProjects", { slug: "acme", sort: "created_asc" });
    expect(projects.map(({ is_branch, databases }) => [is_branch, databases[0]?.infra_compute_size])).toEqual(
      [
        [false, "micro"],
        [true, "small"],
      ],
    );
    expect(projects[0]?.databases).toEqual([
      expect.objectContaining({
        type: "PRIMARY",
        identifier: ref,
        status: "ACTIVE_HEALTHY",
        region: "us-east-1",
      }),
    ]);
    expect(service.call("listProjects", {})).toHaveLength(1);
  });

  it("is founded by its owner on the free plan, with a slug from its name that is free", () => {
    service.caller.identity = "user:ann";
    const names = ["Été & Fils", "ete fils", "東京", "-"];
    const made = names.map((name) => service.call("createOrganization", { body: { name } }));
    const slugs = made.map(({ slug }) => slug);
    expect(made.map(({ id }) => id)).toEqual(slugs);
    expect(slugs.slice(0, 2)).toEqual(["ete-fils", "ete-fils-2"]);
    for (const slug of slugs.slice(2)) expect(slug).toMatch(/^[a-z]{20}$/);
    expect(service.call("getOrganization", { slug: "ete-fils" })).toMatchObject({
      name: "Été & Fils",
      plan: "free",
    });
    expect(service.call("listMembers", { slug: "ete-fils" })).toMatchObject([
      { user_name: "ann", role_name: "Owner", mfa_enabled: false },
    ]);
    expect(service.call("listOrganizations", {})).toHaveLength(6);
  });

  it("needs a name", () => {
    expect(service.refusal("createOrganization", { body: { name: " " } })).toContain("400");
    expect(() => service.call("createOrganization", { body: { name: "x".repeat(257) } })).toThrow("name: ");
    expect(service.world.state.organizations.size).toBe(2);
  });

  it("lists its members: the owner, and every user of a token", () => {
    issueToken(service.world.state, { user: "ci" });
    issueToken(service.world.state, { user: "owner" });
    const members = service.call("listMembers", { slug: "acme" });
    expect(members.map(({ user_name, role_name }) => [user_name, role_name])).toEqual([
      ["owner", "Owner"],
      ["ci", "Administrator"],
    ]);
    expect(members[0]).toMatchObject({ user_id: userIdOf("owner"), email: "owner@example.com" });
    const record = found(service.world.state.organizations.get("acme")?.members.get("ci"));
    Object.assign(record, { mfaEnabled: true, email: null, role: "Read-only" });
    expect(service.call("listMembers", { slug: "acme" })[1]).toEqual({
      user_id: userIdOf("ci"),
      user_name: "ci",
      role_name: "Read-only",
      mfa_enabled: true,
    });
    expect(service.refusal("listMembers", { slug: "nobody" })).toBe("404 Organization not found");
  });
});

// service, Entitlements.
it("has the entitlements that were measured", () => {
  const service = createRulesWorld();
  const organization = service.world.state.organizations.get("acme");
  const of = (plan: OrganizationPlan): Record<string, unknown> => {
    if (organization) organization.plan = plan;
    const { entitlements } = service.call("getEntitlements", { slug: "acme" });
    return Object.fromEntries(
      entitlements.map(({ feature, hasAccess, config }) => [
        feature.key,
        "value" in config ? config.value : "set" in config ? config.set : hasAccess,
      ]),
    );
  };
  const variants = ["pitr_7", "pitr_14", "pitr_28"];
  const measured: Readonly<Record<string, Partial<Record<OrganizationPlan, unknown>>>> = {
    "log.retention_days": { free: 1, pro: 7, team: 28 },
    "security.audit_logs_days": { free: 0, pro: 0, team: 62, platform: 366 },
    "backup.retention_days": { free: 0, pro: 7, team: 14 },
    "backup.schedule": { free: false, pro: false, team: false },
    "function.max_count": { free: 100, pro: 1_000, team: 2_000 },
    log_drains: { free: false, pro: true, team: true },
    audit_log_drains: { free: false, pro: false, team: true },
    "security.private_link": { free: false, pro: false, team: true },
    "pitr.available_variants": { pro: variants, team: variants },
    "instances.high_availability": { free: false, pro: false, team: false },
  };
  for (const plan of ["free", "pro", "team", "platform"] as const) {
    const shown = of(plan);
    for (const [key, byPlan] of Object.entries(measured)) {
      if (plan in byPlan)
        expect({ plan, key, value: shown[key] }).toEqual({ plan, key, value: byPlan[plan] });
    }
  }
});
