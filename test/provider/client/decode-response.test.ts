import fc from "fast-check";
import { z } from "zod";
import { identifier } from "../../../spec/identifier";
import { operations } from "../../../spec/table";
import { ResponseSchemaError } from "../../../provider/client/errors/errors";
import { decodeLenient } from "../../../provider/client/decode-response";

const schema = z.object({
  id: identifier(z.string()),
  status: z.enum(["ON", "OFF"]),
  size: z.int().optional(),
  note: z.string().nullable().optional(),
  inner: z.object({ key: z.string(), flag: z.boolean() }).optional(),
  tags: z.array(z.string()),
  items: z.array(z.object({ name: identifier(z.string()), age: z.number() })),
  extra: z.unknown(),
  bag: z.record(z.string(), z.number()),
  choice: z.union([
    z.object({ type: z.literal("a"), dependents: z.array(z.string()) }),
    z.object({ type: z.literal("b"), name: z.string() }),
  ]),
});
const read = (value: unknown): unknown => decodeLenient(schema, value, "getThing");

// service, Newer fields: what is unknown is kept, never dropped by a read-then-write.
it("keeps unknown keys at every depth, and unknown enum values", () => {
  const more = { unheard: [{ of: null }] };
  const value = {
    ...more,
    id: "1",
    status: "PAUSED",
    inner: { ...more, key: "k" },
    items: [{ ...more, name: "a" }],
    choice: { ...more, type: "b", name: "x" },
  };
  expect(read(value)).toEqual(value);
});

it("takes an unknown key for a key, whatever it is called", () => {
  const value: unknown = JSON.parse('{"id":"1","__proto__":{"polluted":1},"constructor":2}');
  const given = read(value) as object;
  expect(JSON.stringify(given)).toContain('"__proto__":{"polluted":1}');
  expect(Reflect.get(given, "polluted")).toBeUndefined();
});

it("keeps null where it is, and drops what is of another kind, without touching its neighbours", () => {
  const value = { id: "1", status: null, size: "12", note: null, inner: { key: 5, flag: true }, tags: "x" };
  expect(read(value)).toEqual({ id: "1", status: null, note: null, inner: { flag: true } });
});

it("leaves out array elements of another kind", () => {
  expect(read({ id: "1", tags: ["a", null, 3, "b"] })).toEqual({ id: "1", tags: ["a", "b"] });
});

it("keeps free-form values as they are", () => {
  const value = { id: "1", extra: { any: [1, null] }, bag: { a: "text" } };
  expect(read(value)).toEqual(value);
});

it("reads a union by the alternative that fits, and keeps what fits none", () => {
  expect(read({ id: "1", choice: { type: "a", dependents: ["x", 1] } })).toEqual({
    id: "1",
    choice: { type: "a", dependents: ["x"] },
  });
  expect(read({ id: "1", choice: { type: "c", what: 1 } })).toEqual({
    id: "1",
    choice: { type: "c", what: 1 },
  });
});

it.each([
  ["id", {}],
  ["id", { id: null }],
  ["id", { id: 5 }],
  ["items[1].name", { id: "1", items: [{ name: "a" }, { age: 3 }] }],
  ["items[0]", { id: "1", items: ["a"] }],
])("names the operation and %s where an identifier is missing", (path, value) => {
  const attempt = (): unknown => read(value);
  expect(attempt).toThrow(ResponseSchemaError);
  expect(attempt).toThrow(`getThing: "${path}"`);
});

it("needs no identifier of what the request named, and reads the rest as always", () => {
  const named = (value: unknown): unknown => decodeLenient(schema, value, "getThing", "named");
  expect(named({})).toEqual({});
  const value = { id: null, note: "n", items: [{ age: 3 }, "a"] };
  expect(named(value)).toEqual({ id: null, note: "n", items: [{ age: 3 }] });
  expect(() => named("text")).toThrow(ResponseSchemaError);
});

it.each([[null], ["text"], [[]], [undefined]])("refuses %j where an object is needed", (value) => {
  expect(() => read(value)).toThrow(ResponseSchemaError);
});

it("never puts a value into its error", () => {
  expect(() => read({ id: { api_key: "swordfish" } })).not.toThrow("swordfish");
});

it("returns an answer that keeps to the schema as it is, with unknown keys", () => {
  const thing = fc.record(
    {
      id: fc.string(),
      status: fc.string(),
      size: fc.integer(),
      note: fc.option(fc.string()),
      inner: fc.record({ key: fc.string(), flag: fc.boolean() }),
      tags: fc.array(fc.string()),
      items: fc.array(fc.record({ name: fc.string(), age: fc.integer() })),
      bag: fc.dictionary(fc.string(), fc.integer()),
    },
    { requiredKeys: ["id"] },
  );
  const unheard = fc.dictionary(fc.stringMatching(/^u_[a-z]{1,5}$/), fc.jsonValue({ maxDepth: 2 }));
  fc.assert(
    fc.property(thing, unheard, (value, more) => {
      expect(read({ ...value, ...more })).toEqual({ ...value, ...more });
    }),
  );
});

it("never lets one bad field hide another", () => {
  const fields = ["status", "size", "note", "inner", "tags", "bag"] as const;
  const good = {
    id: "1",
    status: "ON",
    size: 1,
    note: "n",
    inner: { key: "k", flag: true },
    tags: ["t"],
    bag: {},
  };
  const junk = fc.jsonValue();
  fc.assert(
    fc.property(fc.constantFrom(...fields), junk, (field, value) => {
      const others = Object.fromEntries(Object.entries(good).filter(([name]) => name !== field));
      expect(read({ ...good, [field]: value })).toMatchObject(others);
    }),
  );
});

it("reads whatever JSON comes, for every operation, or names what is missing", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.entries(operations)),
      fc.jsonValue(),
      ([name, { success }], value) => {
        try {
          decodeLenient(success.schema, value, name);
        } catch (error) {
          expect(error).toBeInstanceOf(ResponseSchemaError);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});
