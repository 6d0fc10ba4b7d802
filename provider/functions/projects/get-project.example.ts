import type { Example } from "../../define/example";

export const example: Example = {
  declares: {
    shop: { function: "getProject", arguments: { organizationSlug: "acme", name: "shop" } },
    backend: {
      resource: "ApiKey",
      properties: { projectRef: "${shop.ref}", type: "publishable", name: "web_shop" },
    },
  },
  outputs: { status: "${shop.status}" },
};
