import { existsSync } from "node:fs";
import fc from "fast-check";
import { z } from "zod";
import { allResources } from "../../../provider/catalog/catalog";
import type { AnyResource } from "../../../provider/define/resource";
import { checkInputs } from "../../../provider/engine/check";
import { listDifferingPaths, listDifferences } from "../../../provider/define/compare";
import { comparedBy, grouped, asSet } from "../../../provider/define/markers";
import { formatPath } from "../../../provider/define/property-path";
import { diffInputs } from "../../../provider/engine/diff";
import { wrapSecrets } from "../../../provider/engine/schema/secrets";
import type { Values } from "../../../provider/define/values";
import { composeState } from "../../../provider/engine/step/state";
import { isObject } from "../../../spec/is-object";
import { UNKNOWN } from "../../../provider/define/unknown";
import { samples } from "../../kit/samples";
import { toy, toyInputs } from "../engine/toy-resource";

const text = fc.string({ maxLength: 8 });
const toyValues: fc.Arbitrary<Values> = fc.record(
  {
    name: text,
    region: fc.constantFrom("north", "south"),
    password: text,
    tags: fc.uniqueArray(text, { maxLength: 5 }),
    size: text,
    limits: fc.record({ cpu: fc.integer(), memory: fc.integer() }, { requiredKeys: [] }),
    labels: fc.dictionary(text, text, { maxKeys: 4 }),
    first: text,
    keep: fc.boolean(),
    timeouts: fc.record({ create: fc.integer(), delete: fc.integer() }, { requiredKeys: [] }),
  },
  { requiredKeys: ["name"] },
);

type Path = readonly (string | number)[];

/** The path of every text, number and boolean within a value. */
function leaves(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((inner, index) => leaves(inner, [...path, index]));
  if (isObject(value)) return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
  return [path];
}

/** The same value but for the leaf at `path`. */
function withOtherLeaf(value: unknown, path: Path): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return other(value);
  if (Array.isArray(value))
    return value.map((inner: unknown, index) => (index === head ? withOtherLeaf(inner, rest) : inner));
  if (!isObject(value)) throw new Error(`Nothing lies at ${formatPath(path)}`);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === head ? withOtherLeaf(inner, rest) : inner]),
  );
}

function other(leaf: unknown): unknown {
  if (typeof leaf === "number") return leaf + 1;
  if (typeof leaf === "boolean") return !leaf;
  return `${String(leaf)}x`;
}

describe("a comparison", () => {
  it("finds no difference between a value and itself", () => {
    fc.assert(
      fc.property(toyValues, (value) => expect(listDifferingPaths(toyInputs, value, value)).toEqual([])),
    );
  });

  it("finds none between any JSON and itself, fitting or not", () => {
    const names = [...Object.keys(toyInputs.shape), "stranger", "constructor"];
    const inherited = fc.dictionary(fc.constantFrom("constructor", "hasOwnProperty"), fc.jsonValue(), {
      noNullPrototype: true,
    });
    const json = fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.jsonValue(), inherited));
    fc.assert(
      fc.property(json, (value) => {
        const again: unknown = JSON.parse(JSON.stringify(value));
        expect(listDifferingPaths(toyInputs, again, value)).toEqual([]);
      }),
    );
  });

  it("does not see the order of a set, nor how often an element is named", () => {
    const both = fc
      .array(text)
      .chain((tags) =>
        fc.tuple(
          fc.constant(tags),
          fc.shuffledSubarray([...tags, ...tags], { minLength: tags.length * 2, maxLength: tags.length * 2 }),
        ),
      );
    fc.assert(
      fc.property(both, ([tags, shuffled]) => {
        expect(listDifferingPaths(toyInputs, { name: "a", tags }, { name: "a", tags: shuffled })).toEqual([]);
      }),
    );
  });

  it("sees any single leaf that changed, and names where it is", () => {
    const changed = toyValues.chain((value) =>
      fc.tuple(fc.constant(value), fc.constantFrom(...leaves(value))),
    );
    fc.assert(
      fc.property(changed, ([value, path]) => {
        const now = withOtherLeaf(value, path);
        const top = String(path[0]);
        const found = listDifferingPaths(toyInputs, value, now);
        expect(found).not.toEqual([]);
        for (const each of found) expect(each.startsWith(top)).toBe(true);
        // The elements of a set have no places.
        if (top !== "tags") expect(found).toEqual([formatPath(path)]);
      }),
      { numRuns: 500 },
    );
  });

  it("takes what is unknown for different from whatever is remembered", () => {
    const unknown = toyValues.chain((value) =>
      fc.tuple(fc.constant(value), fc.constantFrom(...Object.keys(value))),
    );
    fc.assert(
      fc.property(unknown, ([value, name]) => {
        expect(listDifferingPaths(toyInputs, value, { ...value, [name]: UNKNOWN })).toEqual([name]);
      }),
    );
  });

  it("finds no change in what was just remembered", () => {
    fc.assert(
      fc.property(toyValues, (value) => {
        const state = composeState(toy, value, { outputs: { url: "u", token: "t" } });
        expect(diffInputs(toy, state, value)).toMatchObject({ changes: false });
      }),
    );
  });
});

/** The secret inputs, named once more by hand. */
const SECRET_INPUTS: Readonly<Record<string, string>> = {
  Project: "dbPass",
  Branch: "secrets",
  SigningKey: "privateJwk",
  Secret: "value",
};
const HUSH = "hush-hush";
const REF = "abcdefghijklmnopqrst";

/** JSON whose only texts, at any depth, are the secret. */
const { hushed } = fc.letrec<{ hushed: unknown }>((tie) => ({
  hushed: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(HUSH, HUSH.repeat(20), HUSH.repeat(5_000), UNKNOWN, null, 7, true),
    fc.array(tie("hushed"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("kty", "d", "k", "use", "key_ops", "SVC_A", "A"), tie("hushed"), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
}));

describe.each(allResources().map((resource) => [resource.type, resource] as const))(
  "%s",
  (type, resource) => {
    const sample = samples.find((each) => each.type === type)?.inputs(REF) ?? {};
    const anything = inputsOf(resource, sample);

    it("is checked without a throw, whatever is given", () => {
      fc.assert(
        fc.property(anything, (inputs) => {
          const { failures } = checkInputs(resource, inputs);
          wrapSecrets(resource, inputs, (value) => value);
          expect(failures.filter(({ path, reason }) => path === "" || reason === "")).toEqual([]);
        }),
        { numRuns: 300 },
      );
    });

    it("is compared without a throw, whatever state holds and whatever is declared", () => {
      fc.assert(
        fc.property(anything, anything, (state, inputs) => {
          const found = diffInputs(resource, state, inputs);
          expect([...found.replaces].filter((name) => !found.changed.has(name))).toEqual([]);
        }),
        { numRuns: 300 },
      );
    });

    it("never repeats a secret in a failure", () => {
      const name = SECRET_INPUTS[type];
      if (name === undefined) return;
      fc.assert(
        fc.property(hushed, (value) => {
          const { failures } = checkInputs(resource, { ...sample, [name]: value });
          expect(JSON.stringify(failures)).not.toContain(HUSH);
        }),
        { numRuns: 500 },
      );
    });
  },
);

/** Some known inputs, of which some hold any JSON, beside inputs that nobody knows. */
function inputsOf(resource: AnyResource, sample: Values): fc.Arbitrary<Values> {
  const any = fc.oneof(fc.jsonValue(), fc.constant(UNKNOWN), fc.array(fc.constant(UNKNOWN)));
  const known = Object.keys(resource.inputs.shape);
  const inherited = ["constructor", "valueOf", "toString", "__proto__"];
  const nested = fc.dictionary(fc.constantFrom(...inherited, "create", "keys", "type", "d"), any, {
    noNullPrototype: true,
  });
  const own = ["__declared", "__pending", "__owner", "__provider"];
  return fc
    .tuple(
      fc.subarray(Object.entries(sample)),
      fc.dictionary(
        fc.constantFrom(...known, ...Object.keys(resource.outputs.shape), ...own, ...inherited),
        fc.oneof(any, nested),
      ),
      fc.dictionary(fc.string({ minLength: 1 }), any, { maxKeys: 2 }),
    )
    .map(([some, odd, strange]) => ({ ...strange, ...Object.fromEntries(some), ...odd }))
    .filter((inputs) => !namesFolder(inputs["sourceDir"]));
}

/** A folder that is there would be read, whatever it holds. */
function namesFolder(sourceDir: unknown): boolean {
  return typeof sourceDir === "string" && (sourceDir.trim() === "" || existsSync(sourceDir));
}

it("finds what a group has no longer, and nothing in what is compared as a whole", () => {
  const schema = z.object({
    group: grouped(
      z.object({
        a: z.int().optional(),
        b: grouped(z.object({ c: z.int().optional() })).optional(),
        spelt: comparedBy(z.object({ a: z.int().optional() }), String).optional(),
      }),
    ).optional(),
    plain: z.object({ a: z.int().optional() }).optional(),
  });
  const remembered = { group: { a: 1, b: { c: 2 }, spelt: { a: 1 }, other: null }, plain: { a: 1 } };
  const removed = (declared: Values): string[] =>
    listDifferences(schema, remembered, declared).map(({ path, kind }) => `${kind} ${formatPath(path)}`);
  expect(removed(remembered)).toEqual([]);
  expect(removed({ group: { b: {}, spelt: {} }, plain: {} })).toEqual(["delete group.b.c", "delete group.a"]);
  expect(removed({ group: { a: 1, b: UNKNOWN, spelt: { a: 1 } } })).toEqual(["update group.b"]);
});

describe("an element of a set that stands where another one stood", () => {
  const set = asSet(z.array(z.string()));

  it("is told as a change of that place, so that the plan shows what goes as well", () => {
    expect(listDifferences(set, ["a", "b"], ["c", "b", "d"], ["domains"])).toEqual([
      { path: ["domains", 0], kind: "update" },
      { path: ["domains", 2], kind: "add" },
    ]);
    expect(listDifferences(set, ["a", "b"], ["b"], ["domains"])).toEqual([
      { path: ["domains", 0], kind: "delete" },
    ]);
  });
});
