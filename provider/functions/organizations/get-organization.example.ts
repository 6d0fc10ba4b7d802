import type { Example } from "../../define/example";

export const example: Example = {
  declares: { acme: { function: "getOrganization", arguments: { slug: "acme" } } },
  outputs: { plan: "${acme.plan}" },
};
