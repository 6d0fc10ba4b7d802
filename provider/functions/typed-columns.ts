import { z } from "zod";
import { InvalidInputError } from "../client/errors/errors";
import { defineProblem } from "../client/errors/problem";

export const columnProblems = {
  noColumn: defineProblem({
    says: "Row {row} of the result has no column {column}. {remedy}.",
    means: "The result lacks a column that `columns` names.",
    remedy: "Give the column this name in the query, or take it out of `columns`",
  }),
  misfit: defineProblem({
    says: "The column {column} of row {row} is {kind}, which is no {type}. {remedy}.",
    means: "A value is not of the type that `columns` says; the message does not show the value.",
    remedy:
      "Change the type in `columns`, to `string` where numbers are large, or convert the value in the query",
  }),
};

export const columnType = z
  .enum(["boolean", "integer", "number", "string"])
  .meta({ id: "QueryColumnType", description: "The type that the values of a column get." });

type ColumnType = z.output<typeof columnType>;
type Row = Readonly<Record<string, unknown>>;

/** A number as Postgres writes it. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/** Text of a whole number, whose last digits a double could lose. */
const DIGITS = /^-?\d+$/;

/** Rows whose named columns have the types that the program wants; null fits each of them. */
export function typedRows(rows: readonly Row[], columns: Readonly<Record<string, ColumnType>>): Row[] {
  return rows.map((row, index) => {
    const typed = Object.entries(columns).map(([column, type]): [string, unknown] => {
      if (!Object.hasOwn(row, column)) {
        throw new InvalidInputError(
          `columns.${column}`,
          columnProblems.noColumn.message({ row: index + 1, column }),
        );
      }
      const value = converted(row[column], type);
      if (value !== undefined) return [column, value];
      const kind = kindOf(row[column]);
      throw new InvalidInputError(
        `columns.${column}`,
        columnProblems.misfit.message({ row: index + 1, column, kind, type }),
      );
    });
    return { ...row, ...Object.fromEntries(typed) };
  });
}

/** The value in this type; undefined where it does not fit. */
function converted(value: unknown, type: ColumnType): boolean | number | string | null | undefined {
  if (value === null) return null;
  if (typeof value !== "boolean" && typeof value !== "number" && typeof value !== "string") return undefined;
  if (type === "string") return String(value);
  if (type === "boolean") return typeof value === "boolean" ? value : undefined;
  const number = typeof value === "string" && NUMBER.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return undefined;
  const isWhole = type === "integer" || (typeof value === "string" && DIGITS.test(value));
  return isWhole && !Number.isSafeInteger(number) ? undefined : number;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
