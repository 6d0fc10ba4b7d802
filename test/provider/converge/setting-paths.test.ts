import { z } from "zod";
import { completed, nested } from "../../../provider/converge/setting-paths";

describe("a part of a body that the API merges", () => {
  const body = z.object({
    s3: z.object({ enabled: z.boolean() }).optional(),
    catalog: z.object({ enabled: z.boolean(), maxTables: z.int() }).optional(),
    limits: z.object({ size: z.int().optional(), count: z.int().optional() }).optional(),
  });
  const there = {
    s3: { enabled: true },
    catalog: { enabled: false, maxTables: 10, newer: 1 },
    limits: { size: 1, count: 2 },
    purge: { on: true },
  };

  it("has nothing beside what changes where every field may be left out", () => {
    expect(completed(body, { s3: { enabled: false } }, there)).toEqual({ s3: { enabled: false } });
    expect(completed(body, { limits: { size: 5 } }, there)).toEqual({ limits: { size: 5 } });
  });

  it("has the whole of an object of which a field is required, what is not known of it included", () => {
    expect(completed(body, { catalog: { maxTables: 20 } }, there)).toEqual({
      catalog: { enabled: false, maxTables: 20, newer: 1 },
    });
  });

  it("has the whole of an object of which nothing is known", () => {
    expect(completed(body, { purge: { size: 3 } }, there)).toEqual({ purge: { on: true, size: 3 } });
    expect(completed(undefined, { a: { b: 1 } }, { a: { c: 2 }, d: 3 })).toEqual({ a: { b: 1, c: 2 }, d: 3 });
  });

  it("is what is wanted where the service has nothing", () => {
    expect(completed(body, { catalog: { maxTables: 20 } }, undefined)).toEqual({
      catalog: { maxTables: 20 },
    });
  });
});

it("puts values at their paths", () => {
  const entries = [
    [["a", "b"], 1],
    [["a", "c", "d"], 2],
    [["e"], 3],
  ] as const;
  expect(nested(entries)).toEqual({ a: { b: 1, c: { d: 2 } }, e: 3 });
});
