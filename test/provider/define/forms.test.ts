import type { z } from "zod";
import { shapeOf } from "../../../spec/shape-of";
import { allFunctions, allResources } from "../../../provider/catalog/catalog";
import { providerConfig } from "../../../provider/process/config";
import { listMarkedFields, traitsOf } from "../../../provider/define/markers";
import { describeIssues } from "../../../provider/engine/schema/describe-issue";

/** A text that a program gives. */
interface Place {
  readonly path: string;
  readonly schema: z.ZodType;
  /** What is given where it is this text, and nothing beside it. */
  readonly given: (text: string) => unknown;
}

/** All texts within, keys of maps included. */
function textsIn(schema: z.ZodType): Place[] {
  const shape = shapeOf(schema);
  const below = (path: string, inner: z.ZodType, around: (value: unknown) => unknown): Place[] =>
    textsIn(inner).map((place) => ({
      ...place,
      path: path + place.path,
      given: (text) => around(place.given(text)),
    }));
  switch (shape.kind) {
    case "string":
      return [{ path: "", schema, given: (text) => text }];
    case "object":
      return listMarkedFields(shape.inner).flatMap(([name, field, { computed }]) =>
        computed === true ? [] : below(`.${name}`, field, (value) => ({ [name]: value })),
      );
    case "array":
      return below("[]", shape.element, (value) => [value]);
    case "record":
      return [
        ...below(".<key>", shape.keys, (key) => ({ [String(key)]: "value" })),
        ...below(".*", shape.values, (value) => ({ key: value })),
      ];
    case "union":
      return shape.options.flatMap((option) => below("|", option, (value) => value));
    default:
      return [];
  }
}

/** Whether a check of the text is a regular expression, which zod itself shows when it fails. */
function isRegular(schema: z.ZodType): boolean {
  const shape = shapeOf(schema);
  const checks = shape.kind === "string" ? (shape.inner._zod.def.checks ?? []) : [];
  return checks.some(({ _zod: { def } }) => "format" in def && def.format === "regex");
}

const roots: readonly (readonly [name: string, schema: z.ZodObject])[] = [
  ...allResources().map(({ type, inputs }) => [type, inputs] as const),
  ...allFunctions().map(({ name, inputs }) => [name, inputs] as const),
  ["the configuration", providerConfig],
];
const texts = roots.flatMap(([name, root]) =>
  textsIn(root).map((place) => [name + place.path, { ...place, root }] as const),
);
const regular = texts.filter(([, { schema }]) => isRegular(schema));

it("finds the texts of the catalog", () => {
  const paths = regular.map(([path]) => path);
  expect(paths).toEqual(expect.arrayContaining(["Branch.secrets.<key>", "AuthConfig.sms.testOtp"]));
  expect(paths).toEqual(expect.arrayContaining(["getBranchDiff.includedSchemas[]"]));
});

it.each(regular)("%s says what it must look like, with an example that fits", (_, { schema }) => {
  const { form, example } = traitsOf(schema);
  expect(form).toMatch(/^expected .+, as `.+`$/);
  expect(schema.safeParse(example).error).toBeUndefined();
});

const WRONG = ["", " ", "\n", "%,% §", "-".repeat(3), "SVC_X", "x".repeat(30_000)];

it("no text is refused with a regular expression, whatever it is", () => {
  const shown = texts.flatMap(([path, { root, given }]) =>
    WRONG.flatMap((wrong) => {
      const inputs = given(wrong);
      const { error } = root.safeParse(inputs);
      return describeIssues(error?.issues ?? [], root, inputs).map(({ reason }) => `${path}: ${reason}`);
    }),
  );
  expect(shown.length).toBeGreaterThan(texts.length);
  expect(shown.filter((message) => /pattern|regex|\/\^/.test(message))).toEqual([]);
});
