import { z } from "zod";
import type { Api } from "../../define/context";
import { defineFunction } from "../../define/function";
import { poolerConfig } from "../../resources/database/pooler-config/pooler-config";
import { createNotFoundError, ofProject } from "../../lookup/missing-errors";
import { problems as poolerProblems } from "../../resources/database/pooler-config/problems";
import { projectRef } from "../../define/shared-arguments";
import { toFoundShape, pickPresentFields, readInProject } from "../answers";

const inputs = z.strictObject({ projectRef });

const { defaultPoolSize, poolMode } = poolerConfig.inputs.shape;
const pooler = { defaultPoolSize, poolMode, ...toFoundShape(poolerConfig.outputs.shape) };

const ofReplica = z
  .object({
    identifier: z.string().describe("Identifier of the read replica.").optional(),
    ...pooler,
  })
  .describe("The connection pooler of a read replica.");

const outputs = z.object({
  ...pooler,
  readReplicas: z.array(ofReplica).describe("The connection poolers of all read replicas."),
});

type WirePooler = Awaited<ReturnType<Api["listPoolerConfigs"]>>[number];

function fromWire(record: WirePooler): z.output<z.ZodObject<typeof pooler>> {
  return pickPresentFields({
    defaultPoolSize: record.default_pool_size,
    // An open enum: a mode that this version does not know is returned as it is.
    poolMode: record.pool_mode as z.output<typeof poolMode>,
    // Both spellings are documented.
    connectionString: record.connectionString ?? record.connection_string,
    dbHost: record.db_host,
    dbPort: record.db_port,
    dbUser: record.db_user,
    dbName: record.db_name,
    maxClientConn: record.max_client_conn,
    isUsingScramAuth: record.is_using_scram_auth,
  });
}

/** How the connection pooler of a project is configured and reached. */
export const getPoolerConfig = defineFunction({
  name: "getPoolerConfig",
  description:
    "Reads the configuration of a project's connection pooler and the connection strings of project and read replicas. The connection strings have a placeholder for the password.",
  inputs,
  outputs,
  problems: { ...ofProject, ...poolerProblems },
  async run(ctx, { projectRef: ref }) {
    const found = await readInProject(ctx, ref, "poolers", () => ctx.api.listPoolerConfigs({ ref }));
    const primary = found.find(({ database_type: type }) => type === "PRIMARY");
    if (primary === undefined)
      throw createNotFoundError("listPoolerConfigs", poolerProblems.notThere.message({ ref }));
    const replicas = found.filter(({ database_type: type }) => type === "READ_REPLICA");
    return {
      ...fromWire(primary),
      readReplicas: replicas.map((each) => ({
        ...pickPresentFields({ identifier: each.identifier }),
        ...fromWire(each),
      })),
    };
  },
});
