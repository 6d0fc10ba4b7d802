import { z } from "zod";
import { isObject } from "../../../spec/is-object";
import { getLogs as operation } from "../../../spec/operations/analytics";
import { ApiError, isUnrouted } from "../../client/errors/errors";
import { defineProblem } from "../../client/errors/problem";
import { replaceMessage } from "../../client/errors/with-message";
import type { Context } from "../../define/context";
import { defineFunction } from "../../define/function";
import { formed } from "../../define/markers";
import { ofAnalytics, requireOpenRows } from "./analytics-result";
import { poll } from "../../waiting/poll";
import { ofProject } from "../../lookup/missing-errors";
import { pickPresentFields, readInProject } from "../answers";
import { projectRef } from "../../define/shared-arguments";

const HOUR_MS = 3_600_000;
const LONGEST_RANGE_MS = 24 * HOUR_MS;

/** The newest rows of the edge, in the dialect of each endpoint (service, Analytics). */
const NEWEST_ROWS =
  "select timestamp, event_message, source from logs where source = 'edge_logs' order by timestamp desc limit 100";
const NEWEST_ROWS_OF_OLD = "select timestamp, event_message from edge_logs order by timestamp desc limit 100";

/** What the service answers for a fault of its own, and for much that is wrong with a query (service, Analytics). */
const BACKEND_ERROR = /^Backend error\b/;
const TRIES = 3;

const time = formed(
  operation.query.shape.iso_timestamp_start.unwrap(),
  "a time in ISO 8601 with `Z` or an offset",
  "2026-01-31T18:00:00Z",
);

const problems = {
  ...ofProject,
  ...ofAnalytics,
  refusedBySource: defineProblem({
    says: "{message} The query was sent to {endpoint}. {remedy}.",
    means:
      "The service could not run the query. The message names the endpoint to which it was sent, as each has a dialect of its own.",
    remedy: "Write the query in the dialect of that endpoint",
  }),
  oneEnd: defineProblem({
    says: "the range is incomplete: {remedy}",
    means: "Only one of `startTime` and `endTime` is declared.",
    remedy: "Declare both `startTime` and `endTime`, or neither for the last hour",
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
        "Query in the SQL of the service's analytics, such as `select timestamp, event_message from logs where source = 'edge_logs'`. All logs are in the table `logs`, which has the columns `source`, `timestamp`, `event_message` and the map `log_attributes`, as in `log_attributes['response.status_code']`; `select *` is refused. An installation without that endpoint runs the query at its older one, which has a table for each source, such as `edge_logs`. Default: the latest 100 rows of the edge logs.",
      )
      .optional(),
    startTime: time
      .describe(
        "Start of the range, ISO 8601, rounded to the minute. Requires `endTime`, at most 24 hours later. Default: an hour ago.",
      )
      .optional(),
    endTime: time
      .describe("End of the range, ISO 8601, rounded to the minute. Requires `startTime`. Default: now.")
      .optional(),
  })
  .superRefine(({ startTime, endTime }, check) => {
    const readFault = (path: string, message: string): void =>
      check.addIssue({ code: "custom", path: [path], message });
    if (startTime === undefined && endTime === undefined) return;
    if (startTime === undefined || endTime === undefined) {
      readFault(startTime === undefined ? "startTime" : "endTime", problems.oneEnd.message());
      return;
    }
    const rangeMs = Date.parse(endTime) - Date.parse(startTime);
    if (rangeMs < 0) readFault("endTime", problems.reversed.message());
    if (rangeMs > LONGEST_RANGE_MS) readFault("startTime", problems.tooLong.message());
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
    "Runs a query on the logs of a project, over the last hour or a range of at most 24 hours. An event is in the logs some seconds to minutes after it happened. The service allows 10 such calls per minute and project.",
  inputs,
  outputs,
  problems,
  async run(ctx, { projectRef: ref, sql, startTime, endTime }) {
    const asked = pickPresentFields({ sql, startTime, endTime });
    const rows = await readInProject(ctx, ref, `logs:${JSON.stringify(asked)}`, () =>
      ctx.api.ofEveryProject(ref, () => readLogs(ctx, ref, { sql, startTime, endTime })),
    );
    return { rows, rowCount: rows.length };
  },
});

interface LogsInputs {
  readonly sql: string | undefined;
  readonly startTime: string | undefined;
  readonly endTime: string | undefined;
}

type LogRows = Readonly<Record<string, unknown>>[];

/** The older endpoint is asked only where the service does not have the newer one; both always get both times. */
async function readLogs(
  ctx: Context,
  ref: string,
  { sql, startTime, endTime }: LogsInputs,
): Promise<LogRows> {
  const now = ctx.clock.now();
  const range = {
    iso_timestamp_start: startTime ?? new Date(now - HOUR_MS).toISOString(),
    iso_timestamp_end: endTime ?? new Date(now).toISOString(),
  };
  const answer = await queryUntilRun(ctx, ref, { sql: sql ?? NEWEST_ROWS, ...range });
  if (answer !== undefined)
    return nameEndpointInError("queryLogs", () => requireOpenRows("queryLogs", answer));
  const former = await ctx.api.getLogs({ ref, sql: sql ?? NEWEST_ROWS_OF_OLD, ...range });
  return nameEndpointInError("getLogs", () => requireOpenRows("getLogs", former));
}

type LogsAnswer = Awaited<ReturnType<Context["api"]["queryLogs"]>>;
type LogsQuery = Omit<Parameters<Context["api"]["queryLogs"]>[0], "ref">;

/** The answer, or undefined where there is no such endpoint. The service's own fault may pass: it is asked again, but not for long. */
async function queryUntilRun(ctx: Context, ref: string, query: LogsQuery): Promise<LogsAnswer | undefined> {
  let tries = 0;
  return poll<LogsAnswer | undefined, LogsAnswer | undefined>(ctx, {
    what: `the logs of ${ref}`,
    look: async () => {
      tries += 1;
      try {
        return await ctx.api.queryLogs({ ref, ...query });
      } catch (error) {
        if (isUnrouted(error)) return undefined;
        throw error;
      }
    },
    judge: (answer) =>
      isBackendError(answer) && tries < TRIES
        ? { kind: "waiting", reason: "the service answered an error of its own" }
        : { kind: "done", value: answer },
  });
}

function isBackendError(answer: LogsAnswer | undefined): boolean {
  const error: unknown = answer?.error;
  const says: unknown = isObject(error) ? error["message"] : error;
  return typeof says === "string" && BACKEND_ERROR.test(says);
}

/** Says to which endpoint a refused query was sent: a query of the other dialect is refused for a reason that hides this one. */
function nameEndpointInError(operation: keyof typeof endpoints, rows: () => LogRows): LogRows {
  try {
    return rows();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { message } = error;
    throw replaceMessage(
      error,
      problems.refusedBySource.message({ message, endpoint: endpoints[operation] }),
    );
  }
}

const endpoints = {
  queryLogs:
    "the endpoint `logs`, whose one table is `logs`; many a fault of a query is answered with `Backend error`",
  getLogs:
    "the older endpoint `logs.all`, as this installation does not have the endpoint `logs`; it has a table for each source, such as `edge_logs`",
} as const;
