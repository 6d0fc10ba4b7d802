import { z } from "zod";
import { getLogs as operation } from "../../../spec/operations/analytics";
import { defineProblem } from "../../client/errors/problem";
import { defineFunction } from "../../define/function";
import { formed } from "../../define/markers";
import { ofAnalytics, requireOpenRows } from "./analytics-result";
import { ofProject } from "../../lookup/missing-errors";
import { presentFields, readInProject } from "../answers";
import { projectRef } from "../../define/shared-arguments";

const LONGEST_RANGE_MS = 24 * 3_600_000;

const time = formed(
  operation.query.shape.iso_timestamp_start.unwrap(),
  "a time in ISO 8601 with `Z` or an offset",
  "2026-01-31T18:00:00Z",
);

const problems = {
  ...ofProject,
  ...ofAnalytics,
  oneEnd: defineProblem({
    says: "the range is incomplete: {remedy}",
    means: "Only one of `startTime` and `endTime` is declared.",
    remedy: "Declare both `startTime` and `endTime`, or neither for the last minute",
  }),
  reversed: defineProblem({
    says: "the range ends before it starts: {remedy}",
    means: "`endTime` is before `startTime`.",
    remedy: "Use a `startTime` before `endTime`",
  }),
  tooLong: defineProblem({
    says: "the range is longer than the 24 hours that the service allows: {remedy}",
    means: "`startTime` and `endTime` are more than 24 hours apart.",
    remedy: "Use a `startTime` at most 24 hours before `endTime`, or read a longer range in parts",
  }),
};

const inputs = z
  .strictObject({
    projectRef,
    sql: z
      .string()
      .min(1)
      .describe(
        "Query in the SQL of the service's analytics, such as `select timestamp, event_message from edge_logs`. Default: the latest rows of the edge logs.",
      )
      .optional(),
    startTime: time
      .describe(
        "Start of the range, ISO 8601, rounded to the minute. Requires `endTime`, at most 24 hours later. Default: the last minute.",
      )
      .optional(),
    endTime: time
      .describe(
        "End of the range, ISO 8601, rounded to the minute. Requires `startTime`. Default: the last minute.",
      )
      .optional(),
  })
  .superRefine(({ startTime, endTime }, check) => {
    const fault = (path: string, message: string): void =>
      check.addIssue({ code: "custom", path: [path], message });
    if (startTime === undefined && endTime === undefined) return;
    if (startTime === undefined || endTime === undefined) {
      fault(startTime === undefined ? "startTime" : "endTime", problems.oneEnd.message());
      return;
    }
    const rangeMs = Date.parse(endTime) - Date.parse(startTime);
    if (rangeMs < 0) fault("endTime", problems.reversed.message());
    if (rangeMs > LONGEST_RANGE_MS) fault("startTime", problems.tooLong.message());
  });

const outputs = z.object({
  rows: z
    .array(z.record(z.string(), z.unknown()).describe("Values by column."))
    .describe("Rows of the result, with values by column."),
  rowCount: z.int().describe("Number of rows."),
});

/** What a project's logs hold. */
export const getLogs = defineFunction({
  name: "getLogs",
  description:
    "Runs a query on the logs of a project, over the last minute or a range of at most 24 hours. The service allows 30 such calls per minute and project.",
  inputs,
  outputs,
  problems,
  async run(ctx, { projectRef: ref, sql, startTime, endTime }) {
    const query = presentFields({ sql, iso_timestamp_start: startTime, iso_timestamp_end: endTime });
    const found = await readInProject(ctx, ref, `logs:${JSON.stringify(query)}`, () =>
      ctx.api.ofEveryProject(ref, () => ctx.api.getLogs({ ref, ...query })),
    );
    const rows = requireOpenRows("getLogs", found);
    return { rows, rowCount: rows.length };
  },
});
