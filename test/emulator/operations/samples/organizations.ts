import type { Samples } from "../sample";

export const organizationSamples = {
  listOrganizations: () => ({}),
  createOrganization: () => ({ body: { name: "Globex" } }),
  getOrganization: () => ({ slug: "acme" }),
  listMembers: () => ({ slug: "acme" }),
  listOrganizationProjects: () => ({ slug: "acme", search: "shop", limit: 10, sort: "created_desc" }),
} satisfies Partial<Samples>;
