import { z } from "zod";
import { defineFunction } from "../../define/function";
import { composed, secret } from "../../define/markers";
import { ofProject } from "../../lookup/missing-errors";
import { projectRef } from "../../define/shared-arguments";
import { pickPresentFields, readInProject } from "../answers";

const inputs = z.strictObject({ projectRef });

const seconds = (what: string) => z.int().describe(`${what}, in seconds.`).optional();

const outputs = z.object({
  poolMode: z
    .string()
    .describe("How long a client keeps its connection: `transaction`, `session` or `statement`.")
    .optional(),
  defaultPoolSize: z
    .int()
    .describe("Maximum number of connections to the database per user and database.")
    .optional(),
  reservePoolSize: z.int().describe("Number of additional connections under high load.").optional(),
  maxClientConn: z.int().describe("Maximum number of client connections.").optional(),
  serverIdleTimeout: seconds("Time after which an idle connection to the database is closed"),
  serverLifetime: seconds("Time after which a connection to the database is closed"),
  queryWaitTimeout: seconds("Time that a query may wait for a connection"),
  ignoreStartupParameters: z
    .string()
    .describe("Startup parameters of clients to ignore, separated by commas.")
    .optional(),
  connectionString: composed(secret(z.string()))
    .describe("Connection string through the pooler, with a placeholder for the password.")
    .optional(),
});

/** The configuration of the pooler that the service had before its present one. */
export const getLegacyPoolerConfig = defineFunction({
  name: "getLegacyPoolerConfig",
  description:
    "Reads the configuration of a project's legacy connection pooler. For the current pooler, use `getPoolerConfig`.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref }) {
    const found = await readInProject(ctx, ref, "legacy-pooler", () =>
      ctx.api.ofEveryProject(ref, () => ctx.api.getLegacyPoolerConfig({ ref })),
    );
    return pickPresentFields({
      poolMode: found.pool_mode,
      defaultPoolSize: found.default_pool_size,
      reservePoolSize: found.reserve_pool_size,
      maxClientConn: found.max_client_conn,
      serverIdleTimeout: found.server_idle_timeout,
      serverLifetime: found.server_lifetime,
      queryWaitTimeout: found.query_wait_timeout,
      ignoreStartupParameters: found.ignore_startup_parameters,
      connectionString: found.connection_string,
    });
  },
});
