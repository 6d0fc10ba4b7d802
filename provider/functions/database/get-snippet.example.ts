import type { Example } from "../../define/example";

export const example: Example = {
  declares: {
    found: { function: "getSnippet", arguments: { snippetId: "0f8fad5b-d9cb-469f-a165-70867728950e" } },
  },
  outputs: { sql: "${found.sql}" },
};
