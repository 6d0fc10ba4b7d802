import type { Example } from "../../define/example";

export const example: Example = {
  declares: { found: { function: "getOrganizations", arguments: { name: "Acme" } } },
  outputs: { organizations: "${found.organizations}" },
};
