import type { Example } from "../../../define/example";

export const example: Example = {
  config: { dbPass: "secret" },
  declares: {
    shop: {
      resource: "Project",
      properties: {
        name: "shop",
        organizationSlug: "acme",
        dbPass: "${dbPass}",
        regionSelection: { type: "smartGroup", code: "emea" },
        instanceSize: "small",
        waitForServices: ["db", "auth", "rest"],
      },
    },
  },
  outputs: {
    projectRef: "${shop.ref}",
    region: "${shop.region}",
    connectionString: "${shop.connectionString}",
  },
};
