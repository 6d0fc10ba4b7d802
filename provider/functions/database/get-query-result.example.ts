import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    found: {
      function: "getQueryResult",
      arguments: {
        projectRef: "${projectRef}",
        query: "select id, email from public.users where id > $1 order by id",
        parameters: [100],
        columns: { id: "integer" },
      },
    },
  },
  outputs: { users: "${found.rows}" },
};
