import { z } from "zod";
import { poolerConfigResponse, updatePoolerConfigBody } from "../../../../spec/operations/pooler";
import { pickUnknown } from "../../../settings/mapping/keep-unknown";
import { NotReadyError } from "../../../waiting/project-health";
import { defineSettings } from "../../../settings/settings";
import { openEnum, openRange } from "../../../define/open-values";
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
    "The configuration of a project's connection pooler. Only the settings you declare are managed; the others are left alone. Deleting the resource restores the earlier values.",
  settings: {
    defaultPoolSize: openRange({ least: 0, most: 3000 })
      .describe(
        "Maximum number of connections to the database per user and database, from 0 to 3000, and not more than the database allows. Default: depends on the compute size.",
      )
      .optional(),
    poolMode: openEnum(
      z
        .enum(["transaction", "session"])
        .meta({ id: "PoolerConfigPoolMode", description: "How long a client keeps its connection." }),
    )
      .describe(
        "How long a client keeps its connection to the database: `transaction` or `session`. The port may depend on it.",
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
      .describe("Maximum number of client connections, if the service returns it.")
      .optional(),
    isUsingScramAuth: z.boolean().describe("Whether clients authenticate with SCRAM."),
  },
  wireNames: {},
  body: updatePoolerConfigBody,
  timeouts: { create: 600, update: 600, delete: 600 },
  problems,
  mode: "merge",
  services: ["pooler"],
  get: async (ctx, ref) => fromWire(await ctx.api.listPoolerConfigs({ ref }), ref),
  put: async (ctx, ref, body) => {
    // Port and connection string follow the mode, and the answer lacks them: the next read has them.
    await ctx.api.updatePoolerConfig({ ref, body });
    return undefined;
  },
});
