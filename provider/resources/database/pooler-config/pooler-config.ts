import { z } from "zod";
import { poolerConfigResponse, updatePoolerConfigBody } from "../../../../spec/operations/pooler";
import { pickUnknown } from "../../../settings/keep-unknown";
import { NotReadyError } from "../../../waiting/project-health";
import { defineSettings } from "../../../settings/settings";
import { startingCalls } from "../../../waiting/starting-calls";
import type { Api } from "../../../define/context";
import { composed, secret } from "../../../define/markers";
import { problems } from "./problems";

type Poolers = Awaited<ReturnType<Api["listPoolerConfigs"]>>;

/** One entry for each database: the project's own has the settings, and its replicas follow. */
function fromWire(poolers: Poolers, ref: string): object {
  const primary = poolers.find(({ database_type: type }) => type === "PRIMARY");
  if (primary === undefined) throw new NotReadyError(problems.notThere.message({ ref }));
  return {
    ...pickUnknown(poolerConfigResponse, primary),
    default_pool_size: primary.default_pool_size,
    pool_mode: primary.pool_mode,
    // Both spellings are documented.
    connectionString: primary.connectionString ?? primary.connection_string,
    dbHost: primary.db_host,
    dbPort: primary.db_port,
    dbUser: primary.db_user,
    dbName: primary.db_name,
    maxClientConn: primary.max_client_conn,
    isUsingScramAuth: primary.is_using_scram_auth,
  };
}

/** How the connection pooler of a project shares the connections to its database. */
export const poolerConfig = defineSettings({
  type: "PoolerConfig",
  description:
    "Configuration of the connection pooler of a project. Only declared settings are managed; all others stay as they are. Deleting the resource restores the previous values.",
  settings: {
    defaultPoolSize: z
      .int()
      .min(0)
      .max(3000)
      .describe(
        "Number of connections to the database per user and database, from 0 to 3000 and at most as many as the database takes. The service chooses it by the compute size where it is not set.",
      )
      .optional(),
    poolMode: z
      .enum(["transaction", "session"])
      .meta({ id: "PoolerConfigPoolMode", description: "For how long a client keeps its connection." })
      .describe(
        "For how long a client keeps its connection to the database: `transaction` or `session`. The port may depend on it.",
      )
      .optional(),
  },
  options: {},
  outputs: {
    connectionString: composed(secret(z.string())).describe(
      "Connection string through the pooler, with a placeholder for the password.",
    ),
    dbHost: z.string().describe("Host of the pooler."),
    dbPort: z.int().describe("Port of the pooler."),
    dbUser: z.string().describe("User to connect as."),
    dbName: z.string().describe("Database to connect to."),
    maxClientConn: z
      .int()
      .describe("Maximum number of client connections, where the service returns it.")
      .optional(),
    isUsingScramAuth: z.boolean().describe("Whether clients authenticate by SCRAM."),
  },
  wireNames: {},
  body: updatePoolerConfigBody,
  timeouts: { create: 600, update: 600, delete: 600 },
  problems,
  conditionalCalls: startingCalls("create", "update", "delete"),
  mode: "merge",
  services: ["pooler"],
  get: async (ctx, ref) => fromWire(await ctx.api.listPoolerConfigs({ ref }), ref),
  put: async (ctx, ref, body) => {
    // Port and connection string follow the mode, and the answer lacks them: the next read has them.
    await ctx.api.updatePoolerConfig({ ref, body });
    return undefined;
  },
});
