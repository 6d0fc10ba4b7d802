import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import { projectAt, settledProjectAt } from "../shared/project-at";
import { limitsOf } from "../shared/compute-limits";
import { sizeOf } from "../shared/compute-sizes";
import { pooledReplicasOf } from "./read-replicas";
import type { ProjectRecord } from "../../world/records/project";
import type { World } from "../../world/world";
import { Refusal } from "../../answers/refusal";
import { databaseAddress, SERVICE_DOMAIN } from "../shared/hosting";

type PoolerConfig = OperationAnswer<Operations["listPoolerConfigs"]>[number];

/** A port for each mode, so that a client chooses by it. */
const ports: Readonly<Record<PoolerConfig["pool_mode"], number>> = { transaction: 6_543, session: 5_432 };
const LEGACY_PORT = 6_543;

/** Stands where a client puts the password, which the service never returns. */
const PASSWORD_PLACE = "[YOUR-PASSWORD]";
const DATABASE = "postgres";

/** One entry for each database: the primary, then its read replicas. */
const listPoolerConfigs: Handler<Operations["listPoolerConfigs"]> = ({ params, world }) => {
  const project = projectAt(world, params.ref);
  return [
    viewPooler(world, project, "PRIMARY", project.ref, project.region),
    ...pooledReplicasOf(world, project).map(({ identifier, region }) =>
      viewPooler(world, project, "READ_REPLICA", identifier, region),
    ),
  ];
};

/** Merges; null for `default_pool_size` gives the decision back to the compute size. */
const updatePoolerConfig: Handler<Operations["updatePoolerConfig"]> = ({ params, body, world }) => {
  const project = settledProjectAt(world, params.ref, "pooler");
  const { default_pool_size: poolSize, pool_mode: poolMode } = body;
  if (typeof poolSize === "number") requireRoom(project, poolSize);
  if (poolSize !== undefined) project.pooler.defaultPoolSize = poolSize;
  if (poolMode !== undefined) project.pooler.poolMode = poolMode;
  const { pooler } = project;
  return { default_pool_size: pooler.defaultPoolSize, pool_mode: pooler.poolMode };
};

const getLegacyPoolerConfig: Handler<Operations["getLegacyPoolerConfig"]> = ({ params, world }) => {
  const project = projectAt(world, params.ref);
  return { ...legacyPoolerOf(project), connection_string: legacyConnectionString(world, project) };
};

/** What the legacy pooler is set to, or what the compute size decides. */
export function legacyPoolerOf(project: ProjectRecord) {
  const { defaultPoolSize, poolerClients } = limitsOf(sizeOf(project));
  const { legacy } = project.pooler;
  return {
    ...legacy,
    default_pool_size: legacy.default_pool_size ?? defaultPoolSize,
    max_client_conn: legacy.max_client_conn ?? poolerClients,
  };
}

function legacyConnectionString(world: World, { ref }: ProjectRecord): string {
  const { host, port } = databaseAddress(world, ref);
  return connectionString(DATABASE, host, world.addresses === undefined ? LEGACY_PORT : port);
}

/** A pool cannot have more connections than the database takes. */
function requireRoom(project: ProjectRecord, poolSize: number): void {
  const size = sizeOf(project);
  const most = project.postgresOverrides.max_connections ?? limitsOf(size).databaseConnections;
  if (poolSize <= most) return;
  throw new Refusal(
    400,
    `default_pool_size: at most ${most}, the connections of a database of the compute size ${size}, received ${poolSize}`,
  );
}

function viewPooler(
  world: World,
  project: ProjectRecord,
  type: PoolerConfig["database_type"],
  identifier: string,
  region: string,
): PoolerConfig {
  const { pooler } = project;
  const user = `postgres.${identifier}`;
  const { host, port } = world.addresses?.pooler ?? {
    host: `pooler.${region}.${SERVICE_DOMAIN}`,
    port: ports[pooler.poolMode],
  };
  const connection = connectionString(user, host, port);
  return {
    identifier,
    database_type: type,
    is_using_scram_auth: true,
    db_user: user,
    db_host: host,
    db_port: port,
    db_name: DATABASE,
    connection_string: connection,
    connectionString: connection,
    default_pool_size: pooler.defaultPoolSize,
    max_client_conn: pooler.maxClientConn,
    pool_mode: pooler.poolMode,
  };
}

function connectionString(user: string, host: string, port: number): string {
  return `postgresql://${user}:${PASSWORD_PLACE}@${host}:${port}/${DATABASE}`;
}

export const poolerHandlers = { listPoolerConfigs, updatePoolerConfig, getLegacyPoolerConfig };
