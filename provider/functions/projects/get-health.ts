import { z } from "zod";
import { healthService } from "../../../spec/shared-fields";
import { defineFunction } from "../../define/function";
import { readHealthError, usualServices } from "../../waiting/project-health";
import { ofProject } from "../../lookup/missing-errors";
import { projectRef } from "../../define/shared-arguments";
import { pickPresentFields, readInProject } from "../answers";

const inputs = z.strictObject({
  projectRef,
  services: z
    .array(healthService)
    .min(1)
    .describe("Services to check. Default: `auth`, `db`, `pooler`, `realtime`, `rest` and `storage`.")
    .optional(),
  timeoutMs: z
    .int()
    .min(0)
    .max(10_000)
    .describe("Timeout for the check of each service, in milliseconds from 0 to 10000.")
    .optional(),
});

const info = z.object({
  name: z.string().describe("Name that the service reports.").optional(),
  version: z.string().describe("Version of the service.").optional(),
  description: z.string().describe("Description that the service reports.").optional(),
  healthy: z.boolean().describe("Whether `realtime` is healthy.").optional(),
  dbConnected: z.boolean().describe("Whether `realtime` is connected to the database.").optional(),
  replicationConnected: z.boolean().describe("Whether `realtime` is connected to replication.").optional(),
  connectedCluster: z.int().describe("Nodes that `realtime` is connected to.").optional(),
  dbSchema: z
    .string()
    .describe("Schema that `rest` serves. If it is empty, `rest` never becomes healthy.")
    .optional(),
});

const outputs = z.object({
  services: z
    .array(
      z
        .object({
          name: z.string().describe("Name of the service, such as `auth`.").optional(),
          healthy: z.boolean().describe("Whether the service is healthy.").optional(),
          status: z.string().describe("`COMING_UP`, `ACTIVE_HEALTHY` or `UNHEALTHY`.").optional(),
          info: info.describe("Details that the service reports; they differ between services.").optional(),
          error: z.string().describe("Error that the service reports.").optional(),
        })
        .describe("The health of a service."),
    )
    .describe("The requested services."),
});

/** The health of a project's services. */
export const getHealth = defineFunction({
  name: "getHealth",
  description: "Reads the current health of the services of a project or branch, without waiting.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref, services = usualServices, timeoutMs }) {
    const query = { ref, services: [...services], ...pickPresentFields({ timeout_ms: timeoutMs }) };
    const entries = await readInProject(ctx, ref, `health:${JSON.stringify(query)}`, () =>
      ctx.api.getHealth(query),
    );
    return {
      services: entries.map(({ name, healthy, status, info: details, error }) =>
        pickPresentFields({
          name,
          healthy,
          status,
          info: details == null ? undefined : toInfo(details),
          error: error == null ? undefined : readHealthError(error),
        }),
      ),
    };
  },
});

/** Each service answers details of another shape; what is of another kind than its field is absent. */
function toInfo(details: object): z.output<typeof info> {
  const given: Readonly<Record<string, unknown>> = { ...details };
  const text = (name: string): string | undefined => z.string().safeParse(given[name]).data;
  const flag = (name: string): boolean | undefined => z.boolean().safeParse(given[name]).data;
  return pickPresentFields({
    name: text("name"),
    version: text("version"),
    description: text("description"),
    healthy: flag("healthy"),
    dbConnected: flag("db_connected"),
    replicationConnected: flag("replication_connected"),
    connectedCluster: z.int().safeParse(given["connected_cluster"]).data,
    dbSchema: text("db_schema"),
  });
}
