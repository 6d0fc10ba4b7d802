import { z } from "zod";
import { InvalidInputError } from "../../client/errors/errors";
import { defineProblem } from "../../client/errors/problem";
import { defineFunction } from "../../define/function";
import { projectRef } from "../../define/shared-arguments";
import { ofProject } from "../../lookup/missing-errors";
import { readInProject } from "../answers";

const columnType = z
  .enum(["boolean", "integer", "number", "string"])
  .meta({ id: "QueryColumnType", description: "The type that the values of a column get." });

const inputs = z.strictObject({
  projectRef,
  query: z
    .string()
    .min(1)
    .describe(
      "Read-only SQL. All names must be qualified with their schema, as in `select id from public.users`.",
    ),
  parameters: z
    .array(z.unknown())
    .describe("Values of the parameters `$1`, `$2` and so on, in this order.")
    .optional(),
  columns: z
    .record(z.string().min(1), columnType)
    .describe(
      "Types of columns by name. Values of these columns are converted, for example the text of a `bigint` to a number. A value of another type is an error; null is always allowed. Other columns are not converted.",
    )
    .optional(),
});

const outputs = z.object({
  rows: z
    .array(z.record(z.string(), z.unknown()).describe("Values by column."))
    .describe(
      "Rows of the result, with values by column. Numbers, booleans, nulls, arrays and objects keep their type. Everything else is text, unless `columns` sets another type.",
    ),
  rowCount: z.int().describe("Number of rows."),
});

const columnProblems = {
  noColumn: defineProblem({
    says: "Row {row} of the result has no column {column}. {remedy}.",
    means: "The result lacks a column of `columns`.",
    remedy: "Name the column so in the query, or remove it from `columns`",
  }),
  misfit: defineProblem({
    says: "The column {column} of row {row} is {kind} instead of {type}. {remedy}.",
    means: "A value does not have the type of `columns`. The message does not show the value.",
    remedy:
      "Change the type in `columns` (for large numbers, to `string`), or convert the value in the query",
  }),
};

/** What a query returns that only reads. */
export const getQueryResult = defineFunction({
  name: "getQueryResult",
  description:
    "Runs a query on a project's database as a read-only role, in every preview and every update. If a resource or an output uses the rows, the state stores them in plain text. Make confidential values Pulumi secrets.",
  inputs,
  outputs,
  problems: { ...ofProject, ...columnProblems },
  async run(ctx, { projectRef: ref, query, parameters, columns = {} }) {
    const body = { query, ...(parameters !== undefined && { parameters }) };
    const rows = await readInProject(ctx, ref, `query-result:${JSON.stringify(body)}`, () =>
      ctx.api.runReadOnlyQuery({ ref, body }),
    );
    return { rows: convertRows(rows, columns), rowCount: rows.length };
  },
});

type ColumnType = z.output<typeof columnType>;
type QueryRow = Readonly<Record<string, unknown>>;

/** Rows whose named columns have the types that the program wants; null fits each of them. */
function convertRows(rows: readonly QueryRow[], columns: Readonly<Record<string, ColumnType>>): QueryRow[] {
  return rows.map((row, index) => {
    const typed = Object.entries(columns).map(([column, type]): [string, unknown] => {
      if (!Object.hasOwn(row, column)) {
        throw new InvalidInputError(
          `columns.${column}`,
          columnProblems.noColumn.message({ row: index + 1, column }),
        );
      }
      const value = convertValue(row[column], type);
      if (value !== undefined) return [column, value];
      const kind = describeKind(row[column]);
      throw new InvalidInputError(
        `columns.${column}`,
        columnProblems.misfit.message({ row: index + 1, column, kind, type }),
      );
    });
    return { ...row, ...Object.fromEntries(typed) };
  });
}

/** A number as Postgres writes it. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/** Text of a whole number, whose last digits a double could lose. */
const DIGITS = /^-?\d+$/;

/** The value in this type; undefined where it does not fit. */
function convertValue(value: unknown, type: ColumnType): boolean | number | string | null | undefined {
  if (value === null) return null;
  if (typeof value !== "boolean" && typeof value !== "number" && typeof value !== "string") return undefined;
  if (type === "string") return String(value);
  if (type === "boolean") return typeof value === "boolean" ? value : undefined;
  const number = typeof value === "string" && NUMBER.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return undefined;
  const isWhole = type === "integer" || (typeof value === "string" && DIGITS.test(value));
  return isWhole && !Number.isSafeInteger(number) ? undefined : number;
}

function describeKind(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
