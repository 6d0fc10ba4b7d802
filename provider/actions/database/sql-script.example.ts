import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    seed: {
      resource: "SqlScript",
      properties: {
        projectRef: "${projectRef}",
        name: "seed",
        query:
          "create schema shop; create table shop.products (name text primary key); insert into shop.products values ('tea') returning name;",
        onDelete: "drop schema shop cascade;",
        triggers: ["2026-01"],
      },
    },
  },
  outputs: { seeded: "${seed.result}" },
};
