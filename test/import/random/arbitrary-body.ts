import fc from "fast-check";
import { z } from "zod";

/** Texts that a program must quote, escape or keep apart from its own syntax. */
export const HOSTILE_TEXTS = [
  "plain",
  "with spaces",
  "",
  " in front and behind ",
  'it\'s "quoted" and `ticked`',
  "${shop.ref} and ${name}",
  "$$ {a} $${b} $$$${c} $",
  "${",
  "# no comment",
  "- a list\n- of two\n",
  "first\r\nsecond\rthird",
  "\n\n  indented\n\ttabbed\n",
  "a: b",
  "{{ .Token }} %s %(name)s {name}",
  String.raw`\n \\ \u0041 \x41`,
  "Ünïcödé 🚀 漢字",
  "\u2028 and \u2029 and \u0085 and \u00a0",
  "\u0007 bell",
  "*/ // <!-- --> ''' \"\"\"",
  "true",
  "null",
  "~",
  "0123",
  "1e3",
  "2026-01-01",
  "=yes",
  "<p>Hello,\n\n  <b>{{ .Email }}</b></p>\n",
] as const;

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  fc.string({ unit: "binary", maxLength: 12 }),
);

/** Values that a schema of the operation table takes, the odd ones first. `known` gives those of texts by their place. */
export function arbitraryOf(
  schema: z.core.$ZodType,
  known: (path: string) => fc.Arbitrary<unknown> | undefined = () => undefined,
  path = "",
): fc.Arbitrary<unknown> {
  const given = known(path);
  if (given !== undefined) return given;
  const of = (inner: z.core.$ZodType, at = path): fc.Arbitrary<unknown> => arbitraryOf(inner, known, at);
  if (schema instanceof z.ZodOptional) return of(schema.unwrap());
  if (schema instanceof z.ZodNullable)
    return fc.oneof({ weight: 6, arbitrary: of(schema.unwrap()) }, fc.constant(null));
  if (schema instanceof z.ZodObject)
    return arbitraryObject(schema, (inner, name) => of(inner, path === "" ? name : `${path}.${name}`));
  if (schema instanceof z.ZodRecord)
    return fc.dictionary(
      fc.constantFrom("role", "user name", "a.b", "${c}", "$$d", "1st", 'quote"d', "__e"),
      of(schema.valueType),
      { maxKeys: 3 },
    );
  if (schema instanceof z.ZodArray) return fc.array(of(schema.element), { maxLength: 3 });
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.options.map((each) => of(each)));
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNumber) return arbitraryNumber(schema);
  if (schema instanceof z.ZodString) return text.filter((each) => schema.safeParse(each).success);
  if (schema instanceof z.ZodUnknown)
    return fc.oneof(
      text,
      fc.boolean(),
      fc.integer(),
      fc.dictionary(text, text, { maxKeys: 2 }),
      fc.array(text, { maxLength: 2 }),
    );
  throw new Error(`No values are known for ${schema._zod.def.type} at ${path}`);
}

/** All that is required, and some of the rest: of a large object a few. */
function arbitraryObject(
  schema: z.ZodObject,
  of: (inner: z.core.$ZodType, name: string) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  const isOptional = (name: string): boolean => shape[name] instanceof z.ZodOptional;
  const names = Object.keys(shape);
  const required = names.filter((name) => !isOptional(name));
  const optional = names.filter(isOptional);
  return fc
    .subarray(optional, { maxLength: Math.min(optional.length, 6) })
    .chain((some) =>
      fc.record(
        Object.fromEntries(
          [...required, ...some].map((name) => [name, of(shape[name] ?? z.unknown(), name)]),
        ),
      ),
    );
}

function arbitraryNumber(schema: z.ZodNumber): fc.Arbitrary<number> {
  const [least, most] = [schema.minValue ?? 0, schema.maxValue ?? 1_000].map((limit) =>
    Number.isFinite(limit) ? limit : 1_000,
  );
  const [min, max] = [Math.max(least ?? 0, -1_000), Math.min(most ?? 1_000, 2_147_483_647)];
  const whole = fc.oneof(
    fc.integer({ min: Math.ceil(min), max: Math.floor(max) }),
    fc.constantFrom(min, max),
  );
  return schema.format === null ? fc.oneof(whole, fc.constant(Math.min(max, min + 0.5))) : whole;
}
