import type { Example } from "../../../define/example";

export const example: Example = {
  config: { dbPass: "secret" },
  declares: {
    platform: { resource: "Organization", properties: { name: "Platform" } },
    shop: {
      resource: "Project",
      properties: {
        name: "shop",
        organizationSlug: "${platform.slug}",
        dbPass: "${dbPass}",
        region: "eu-central-1",
      },
    },
  },
  outputs: { plan: "${platform.plan}" },
};
