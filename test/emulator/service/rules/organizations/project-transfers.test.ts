import { createRulesWorld, found, type RulesWorld } from "../rules-world";

let service: RulesWorld;
let ref: string;
beforeEach(() => {
  service = createRulesWorld();
  ref = service.healthyProject("shop");
});

const toOrganization = (slug: string) => ({
  ref,
  body: {
    data: { type: "project_transfer_input" as const, attributes: { target_organization_slug: slug } },
  },
});
const previewOf = (slug: string) =>
  service.call("checkProjectTransfer", toOrganization(slug)).data.attributes;

describe("a transfer of a project", () => {
  it("is shown before it happens, and changes nothing by that", () => {
    expect(previewOf("hobby")).toEqual({
      valid: true,
      warnings: [{ key: "plan_changes", message: "The plan changes from pro to free" }],
      errors: [],
      info: [{ key: "members_change", message: "Its members will be those of hobby" }],
    });
    expect(service.call("getProject", { ref }).organization_slug).toBe("acme");
  });

  it("moves the project with its branches, and what is in them", () => {
    const branch = service.call("createBranch", { ref, body: { branch_name: "preview" } });
    service.call("createSecrets", { ref, body: [{ name: "TOKEN", value: "value" }] });
    service.call("transferProject", toOrganization("hobby"));
    expect(service.call("getProject", { ref })).toMatchObject({
      organization_slug: "hobby",
      organization_id: "hobby",
    });
    const { projects } = service.world.state;
    expect(found(projects.get(branch.project_ref)).organizationSlug).toBe("hobby");
    expect(service.call("listSecrets", { ref })).toMatchObject([{ name: "TOKEN" }]);
    expect(service.call("listOrganizationProjects", { slug: "acme" }).projects).toEqual([]);
  });

  it("is not valid to where the project is, or to where there is no room, and is then refused", () => {
    expect(previewOf("acme")).toMatchObject({ valid: false, errors: [{ key: "same_organization" }] });
    service.world.state.activeProjectQuotas.free = 0;
    expect(previewOf("hobby")).toMatchObject({ valid: false, errors: [{ key: "project_limit" }] });
    expect(service.refusal("transferProject", toOrganization("hobby"))).toBe(
      "400 The organization hobby has no room for another project",
    );
    expect(service.call("getProject", { ref }).organization_slug).toBe("acme");
  });

  it("needs an organization and a project that exist, and is refused for a branch", () => {
    expect(service.refusal("checkProjectTransfer", toOrganization("nobody"))).toBe(
      "404 Organization not found",
    );
    const branch = service.call("createBranch", { ref, body: { branch_name: "preview" } });
    for (const other of ["a".repeat(20), branch.project_ref])
      expect(service.refusal("transferProject", { ...toOrganization("hobby"), ref: other })).toBe(
        "404 Project not found",
      );
  });

  it("can be disabled", () => {
    found(service.world.state.projects.get(ref)).newer.isTransferable = false;
    for (const name of ["checkProjectTransfer", "transferProject"] as const)
      expect(service.refusal(name, toOrganization("hobby"))).toBe(
        "403 Forbidden: Project transfers are disabled",
      );
  });
});
