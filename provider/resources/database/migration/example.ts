import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    orders: {
      resource: "Migration",
      properties: {
        projectRef: "${projectRef}",
        version: "20260101120000",
        name: "create_orders",
        query: "create table orders (id bigint primary key);",
        rollback: "drop table orders;",
      },
    },
    index: {
      comment: "Without `dependsOn`, both would be applied at once.",
      resource: "Migration",
      properties: {
        projectRef: "${projectRef}",
        version: "20260102120000",
        name: "index_orders",
        query: "create index orders_id on orders (id);",
      },
      dependsOn: ["orders"],
    },
  },
};
