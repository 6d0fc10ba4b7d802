import { z } from "zod";
import { defineFunction } from "../../define/function";
import { ofProject } from "../../lookup/missing-errors";
import { projectRef } from "../../define/shared-arguments";
import { readInProject } from "../share-in-flight";
import { columnProblems, columnType, typedRows } from "../typed-columns";

const inputs = z.strictObject({
  projectRef,
  query: z
    .string()
    .min(1)
    .describe(
      "SQL that only reads, with every name qualified by its schema, as in `select id from public.users`.",
    ),
  parameters: z
    .array(z.unknown())
    .describe("Values of the parameters `$1`, `$2` and so on, in this order.")
    .optional(),
  columns: z
    .record(z.string().min(1), columnType)
    .describe(
      "Types of columns by their names. Their values are converted, as the text of a `bigint` or a `numeric` to a number, and a value that does not fit is an error; null fits every type. Other columns stay as they are.",
    )
    .optional(),
});

const outputs = z.object({
  rows: z
    .array(z.record(z.string(), z.unknown()).describe("Values by column."))
    .describe(
      "The rows of the result, values by column: numbers, booleans, nulls, arrays and objects keep their type, all else is text unless `columns` gives it another type.",
    ),
  rowCount: z.int().describe("Number of rows."),
});

/** What a query returns that only reads. */
export const getQueryResult = defineFunction({
  name: "getQueryResult",
  description:
    "Runs a query on a project's database as a role that only reads, in every preview and every update. The rows are stored in the state as plain text if a resource or an output uses them: make what is confidential a Pulumi secret.",
  inputs,
  outputs,
  problems: { ...ofProject, ...columnProblems },
  async run(ctx, { projectRef: ref, query, parameters, columns = {} }) {
    const body = { query, ...(parameters !== undefined && { parameters }) };
    const rows = await readInProject(ctx, ref, `query-result:${JSON.stringify(body)}`, () =>
      ctx.api.runReadOnlyQuery({ ref, body }),
    );
    return { rows: typedRows(rows, columns), rowCount: rows.length };
  },
});
