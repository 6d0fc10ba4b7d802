import type { Samples, Scene } from "../sample";

/** What another organization claims the project with. */
function claimToken({ control, ref }: Scene): string {
  return control.call("createClaimToken", { ref }).token;
}

const toHobby = {
  data: { type: "project_transfer_input" as const, attributes: { target_organization_slug: "hobby" } },
};

export const organizationSamples = {
  listOrganizations: () => ({}),
  createOrganization: () => ({ body: { name: "Globex" } }),
  getOrganization: () => ({ slug: "acme" }),
  listMembers: () => ({ slug: "acme" }),
  listOrganizationProjects: () => ({ slug: "acme", search: "shop", limit: 10, sort: "created_desc" }),
  getEntitlements: () => ({ slug: "acme" }),
  getProfile: () => ({}),
  getClaimToken: (scene) => {
    claimToken(scene);
    return { ref: scene.ref };
  },
  createClaimToken: ({ ref }) => ({ ref }),
  deleteClaimToken: (scene) => {
    claimToken(scene);
    return { ref: scene.ref };
  },
  getProjectClaim: (scene) => ({ slug: "hobby", token: claimToken(scene) }),
  claimProject: (scene) => ({ slug: "hobby", token: claimToken(scene) }),
  checkProjectTransfer: ({ ref }) => ({ ref, body: toHobby }),
  transferProject: ({ ref }) => ({ ref, body: toHobby }),
} satisfies Partial<Samples>;
