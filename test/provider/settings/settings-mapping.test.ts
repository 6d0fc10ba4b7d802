import { z } from "zod";
import { mergeBody } from "../../../provider/settings/mapping/settings-mapping";

describe("a body that the API merges", () => {
  const schema = z.object({
    s3: z.object({ enabled: z.boolean() }).optional(),
    catalog: z.object({ enabled: z.boolean(), maxTables: z.int() }).optional(),
    limits: z.object({ size: z.int().optional(), count: z.int().optional() }).optional(),
    headers: z.record(z.string(), z.string()).optional(),
  });
  const there = {
    s3: { enabled: true },
    catalog: { enabled: false, maxTables: 10, newer: 1 },
    limits: { size: 1, count: 2 },
    headers: { a: "b", c: "d" },
    purge: { on: true },
  };
  const bodyOf = (place: string, value: unknown, now: unknown = there) =>
    mergeBody([[place.split("."), value]], schema, now);

  it("has nothing beside what changes where every field may be left out", () => {
    expect(bodyOf("s3.enabled", false)).toEqual({ s3: { enabled: false } });
    expect(bodyOf("limits.size", 5)).toEqual({ limits: { size: 5 } });
  });

  it("has the whole of an object of which a field is required, what is not known of it included", () => {
    expect(bodyOf("catalog.maxTables", 20)).toEqual({ catalog: { enabled: false, maxTables: 20, newer: 1 } });
    expect(there.catalog.maxTables).toBe(10);
  });

  it("has the whole of an object of which nothing is known", () => {
    expect(bodyOf("purge.size", 3)).toEqual({ purge: { on: true, size: 3 } });
  });

  it("has a value as it is wanted, without what the service has of it beside", () => {
    expect(bodyOf("headers", { a: "e" })).toEqual({ headers: { a: "e" } });
  });

  it("is what is wanted where the service has nothing", () => {
    expect(bodyOf("catalog.maxTables", 20, {})).toEqual({ catalog: { maxTables: 20 } });
  });

  it("has what the API requires of every body, as it is there unless it changes", () => {
    const whole = z.object({ state: z.string(), since: z.string().optional() });
    const now = { state: "enabled", since: "today", newer: 1 };
    expect(mergeBody([[["other"], 5]], whole, now)).toEqual({ state: "enabled", other: 5 });
    expect(mergeBody([[["state"], "disabled"]], whole, now)).toEqual({ state: "disabled" });
    expect(mergeBody([[["other"], 5]], whole, {})).toEqual({ other: 5 });
  });

  it("has the values of one object beside each other", () => {
    const values = [
      [["new", "b"], 1],
      [["new", "c", "d"], 2],
      [["e"], 3],
    ] as const;
    expect(mergeBody(values, schema, there)).toEqual({ new: { b: 1, c: { d: 2 } }, e: 3 });
  });
});
