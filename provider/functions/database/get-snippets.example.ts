import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: { found: { function: "getSnippets", arguments: { projectRef: "${projectRef}" } } },
  outputs: { snippets: "${found.snippets}" },
};
