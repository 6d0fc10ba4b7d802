import { z } from "zod";
import type { FaultRule } from "../../emulator";
import { IDENTIFIER } from "../../spec/identifier";
import type { Operation } from "../../spec/operation";

/** How much the client of a disturbed life reads of an answer: more than any real one has here. */
export const LARGEST_ANSWER_BYTES = 256 * 1024;

/** A fault that can be put on any call of an operation. */
export type Fault = Omit<FaultRule, "operation" | "skip" | "times">;

const PAGE = "<html><head><title>502</title></head><body><h1>Bad Gateway</h1></body></html>";
const HALF_AN_ANSWER = '{"id": "0f1e2d3c-';
const NESTED = "[".repeat(40_000) + "]".repeat(40_000);
const LONG = JSON.stringify("x".repeat(LARGEST_ANSWER_BYTES));
const AS_JSON = { "content-type": "application/json; charset=utf-8" };
const NO_WINDOW = { "x-ratelimit-limit": null, "x-ratelimit-remaining": null, "x-ratelimit-reset": null };

/** The kinds of faults; each gives its forms for an operation, none where it cannot happen there. */
export const faultKinds: Readonly<Record<string, (operation: Operation) => readonly Fault[]>> = {
  "429 with a window": () => [{ status: 429 }],
  "429 without one": () => [{ status: 429, headers: NO_WINDOW }],
  "500 before the work": () => [{ status: 500 }],
  "500 after the work": () => [{ status: 500, after: true }],
  "502 page before the work": () => [{ status: 502, body: PAGE }],
  "502 page after the work": () => [{ status: 502, body: PAGE, after: true }],
  "503 before the work": () => [{ status: 503 }],
  timeout: () => [{ hold: "before" }, { hold: "after" }],
  "reset before the work": () => [{ drop: "before" }],
  "reset after the work": () => [{ drop: "after" }],
  "answer cut off": () => [{ drop: "midway" }],
  "garbage with 200": () =>
    [PAGE, HALF_AN_ANSWER].flatMap((body) =>
      [false, true].map((after) => ({ status: 200, body, headers: AS_JSON, after })),
    ),
  "nested too deeply": () =>
    [200, 500].map((status) => ({ status, body: NESTED, headers: AS_JSON, after: true })),
  "longer than the bound": () =>
    [200, 500].map((status) => ({ status, body: LONG, headers: AS_JSON, after: true })),
  endless: ({ method }) => (method === "HEAD" ? [] : [{ hold: "endless" }, { hold: "endless", status: 500 }]),
  "content type that lies": () => [
    { delayMs: 0, headers: { "content-type": "text/html; charset=utf-8" } },
    { status: 500, body: PAGE, headers: AS_JSON, after: true },
  ],
  "nothing told": ({ success }) => (success.isOfNamed === true ? [answering({})] : []),
  "list missing": (operation) => (listsIn(operation) === undefined ? [] : [answering({})]),
  "list misshapen": misshapen,
};

/** What stands in the answer in place of its lists; the work is done. */
function misshapen(operation: Operation): Fault[] {
  const names = listsIn(operation);
  if (names === undefined) return [];
  return ["none", null, [{}]].map((value) =>
    answering(names.length === 0 ? value : Object.fromEntries(names.map((name) => [name, value]))),
  );
}

function answering(body: unknown): Fault {
  return { status: 200, after: true, body };
}

/** The fields of a listing that are lists, none where it is a list itself; undefined for every other answer. */
function listsIn({ path, success: { schema } }: Operation): readonly string[] | undefined {
  // What a path names is an object with lists as well.
  if (path.endsWith("}")) return undefined;
  if (schema instanceof z.ZodArray) return [];
  if (!isObject(schema)) return undefined;
  const fields = Object.entries(schema.shape);
  // What has an identifier is an object with lists, not a list of objects.
  if (fields.some(([, field]) => z.globalRegistry.get(field)?.[IDENTIFIER] === true)) return undefined;
  const names = fields.filter(([, field]) => isList(field)).map(([name]) => name);
  return names.length === 0 ? undefined : names;
}

function isObject(schema: z.ZodType): schema is z.ZodObject<z.core.$ZodShape> {
  return schema instanceof z.ZodObject;
}

function isList(field: z.core.$ZodType): boolean {
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable) return isList(field.unwrap());
  return field instanceof z.ZodArray;
}
