import { IDENTIFIER } from "../../spec/identifier";
import { isObject } from "../../spec/is-object";
import { shapeOf } from "../../spec/shape-of";
import { operations, type OperationName } from "../../spec/table";
import type { z } from "zod";
import type { Answer } from "./answer-proxy";

/** A text in an answer, by its operation and its place in the schema, as `listSecrets [].name`. */
export type Place = string;

/** What stands for a text that a test puts into the files of a function. */
export const MARK = "TEXT-OF-OTHERS";

interface Rewriting {
  readonly text: string;
  /** Whether the text at a place is replaced. */
  readonly isHostile: (place: Place) => boolean;
  /** Takes down every place that there was. */
  readonly seen: Set<Place>;
  /** Whether what a listing tells its objects apart by is meant, and not the other texts. */
  readonly ofIdentifiers?: boolean;
}

/** The fields by which objects are told apart, and those that say where a text of the service leads the caller next. */
const TELLING = /(?:^|_)(?:id|ref|slug|kid|status|state|version|region|type|algorithm|identifier)$/;

/** The rows of a query. */
const QUERIED = /^run\w*Query \[\]$/;

/** The answer with another text at every place where the operation's schema has one. */
export function hostileAnswer(
  answer: Answer,
  operation: OperationName,
  rewriting: Rewriting,
): Partial<Answer> {
  const { text, isHostile, seen, ofIdentifiers = false } = rewriting;
  // What HTTP lets a header hold.
  const headers = { ...answer.headers, "x-request-id": text.replaceAll(/[^\x20-\x7e]/g, "?") };
  const type = answer.headers["content-type"] ?? "";
  if (!type.startsWith("application/json")) {
    if (ofIdentifiers) return { headers };
    const place = `${operation} (body)`;
    seen.add(place);
    const body = answer.body.toString("latin1");
    const bytes = Buffer.from(text, "utf8").toString("latin1");
    return {
      headers,
      ...(isHostile(place) && { body: Buffer.from(body.replaceAll(MARK, bytes), "latin1") }),
    };
  }
  const value: unknown = JSON.parse(answer.body.toString("utf8"));
  const isSuccess = answer.status < 400;
  const rewritten = isSuccess
    ? rewrite(value, operations[operation].success.schema, `${operation} `, rewriting)
    : rewriteUnknown(value, `${operation} ${answer.status} `, rewriting);
  return { headers, body: Buffer.from(JSON.stringify(rewritten)) };
}

function rewrite(value: unknown, schema: z.core.$ZodType, place: Place, rewriting: Rewriting): unknown {
  const shape = shapeOf(schema);
  if (value === null || value === undefined) return value;
  switch (shape.kind) {
    case "object": {
      if (!isObject(value)) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, each]) => {
          const field = shape.fields[key];
          const at = `${place}.${key}`;
          return [
            key,
            field === undefined ? rewriteUnknown(each, at, rewriting) : rewrite(each, field, at, rewriting),
          ];
        }),
      );
    }
    case "record":
    case "map": {
      if (!isObject(value)) return value;
      const entries = Object.entries(value).map(([key, each]) => {
        // What a query selects has no schema: its rows are told apart as other objects are.
        const isIdentifier = QUERIED.test(place) && TELLING.test(key) && typeof each === "string";
        if (!isIdentifier) return [key, rewrite(each, shape.values, `${place}.*`, rewriting)];
        return [key, rewriting.ofIdentifiers === true ? textAt(each, `${place}.${key}`, rewriting) : each];
      });
      return Object.fromEntries(entries);
    }
    case "array":
      return Array.isArray(value)
        ? value.map((each) => rewrite(each, shape.element, `${place}[]`, rewriting))
        : value;
    case "union": {
      const option = shape.options.find((each) => each.safeParse(value).success);
      return option === undefined ? value : rewrite(value, option, place, rewriting);
    }
    case "string":
      return typeof value === "string" && isMeant(shape.inner, place, rewriting)
        ? textAt(value, place, rewriting)
        : value;
    case "unknown":
    case "any":
      return rewriteUnknown(value, place, rewriting);
    default:
      return value;
  }
}

/** Whether a place takes any text at all, and is of the kind that is asked for. */
function isMeant(schema: z.ZodType, place: Place, { ofIdentifiers = false }: Rewriting): boolean {
  const { [IDENTIFIER]: isMarked } = schema.meta() ?? {};
  const key = /\.(\w+)(?:\[\])*$/.exec(place)?.[1] ?? "";
  const isIdentifier = (isMarked === true && key !== "name") || TELLING.test(key);
  if (ofIdentifiers) return isIdentifier && place.includes("[]");
  return !isIdentifier && schema.safeParse("any\ntext").success;
}

/** What no schema describes: each text, and one more key. */
function rewriteUnknown(value: unknown, place: Place, rewriting: Rewriting): unknown {
  if (rewriting.ofIdentifiers === true) return value;
  if (typeof value === "string") return value === "" ? value : textAt(value, place, rewriting);
  if (Array.isArray(value)) return value.map((each) => rewriteUnknown(each, `${place}[]`, rewriting));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, rewriteUnknown(each, `${place}.*`, rewriting)]),
  );
}

function textAt(value: string, place: Place, { text, isHostile, seen }: Rewriting): string {
  seen.add(place);
  return isHostile(place) ? text : value;
}
