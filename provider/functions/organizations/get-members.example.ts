import type { Example } from "../../define/example";

export const example: Example = {
  declares: { found: { function: "getMembers", arguments: { organizationSlug: "acme" } } },
  outputs: { members: "${found.members}" },
};
