import type { Samples } from "../sample";

export const sqlSamples = {
  runQuery: ({ ref }) => ({
    ref,
    body: { query: "select $1::text as name, 2 as count", parameters: ["first"] },
  }),
  runReadOnlyQuery: ({ ref }) => ({ ref, body: { query: "select id, name from storage.buckets" } }),
  getTypescriptTypes: ({ ref }) => ({ ref, included_schemas: "public,storage" }),
  getDatabaseContext: ({ ref }) => ({ ref }),
} satisfies Partial<Samples>;
