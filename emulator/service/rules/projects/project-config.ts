import { newRealtimeConfig } from "../../../../spec/new-project";
import { authConfigResponse } from "../../../../spec/auth-config-response";
import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import type { World } from "../../world/world";
import { projectAt } from "../shared/project-at";
import { viewAuthConfig } from "../auth/auth-config-view";
import { legacyPoolerOf } from "../database/pooler";
import { viewRestrictions } from "../network/network-restrictions";
import type { ProjectRecord } from "../../world/records/project";
import { databaseOf } from "../shared/project-status";

type ProjectConfig = OperationAnswer<Operations["getProjectConfig"]>["data"]["attributes"];

/** What is in force in a whole project: what was never set is at its default here, and not null (service, Current operations). */
const getProjectConfig: Handler<Operations["getProjectConfig"]> = ({ params, world }) => {
  const project = projectAt(world, params.ref);
  return {
    data: {
      type: "project_config",
      id: project.ref,
      attributes: {
        database: viewDatabase(world, project),
        pooler: viewPooler(project),
        auth: viewAuth(world, project),
        api: viewApi(project),
        realtime: viewRealtime(project),
        storage: viewStorage(project),
      },
    },
  };
};

function viewDatabase(world: World, project: ProjectRecord): ProjectConfig["database"] {
  const { config, before, entitlement, status, ...times } = viewRestrictions(world, project);
  return {
    major_version: Number(databaseOf(world, project).engine),
    ssl_enforced: project.sslEnforcement.database,
    network_restrictions: {
      entitlement,
      status,
      // What is in force; what waits is beside it.
      ...(status === "stored"
        ? { allowed_cidrs: before, pending_allowed_cidrs: config }
        : { allowed_cidrs: config }),
      ...times,
    },
    // A dot within a name is `_` here.
    postgres_settings: Object.fromEntries(
      Object.entries(project.postgresOverrides).map(([name, value]) => [name.replace(".", "_"), value]),
    ),
  };
}

function viewPooler(project: ProjectRecord): ProjectConfig["pooler"] {
  const pooler = legacyPoolerOf(project);
  return {
    pool_mode: pooler.pool_mode ?? "transaction",
    ignore_startup_parameters: pooler.ignore_startup_parameters ?? "",
    server_idle_timeout: pooler.server_idle_timeout ?? 0,
    server_lifetime: pooler.server_lifetime ?? 0,
    query_wait_timeout: pooler.query_wait_timeout ?? 0,
    reserve_pool_size: pooler.reserve_pool_size ?? 0,
    default_pool_size: pooler.default_pool_size,
    max_client_conn: pooler.max_client_conn,
  };
}

/** Unknown which default each field has: here an empty value of its kind. `smtp_port` is a text, as is the answer of the first version. */
function viewAuth(world: World, project: ProjectRecord): ProjectConfig["auth"] {
  const config = viewAuthConfig(world, project);
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, value ?? emptyValueOf(name)]),
  );
}

function emptyValueOf(name: string): unknown {
  const schema = authConfigResponse.shape[name as keyof typeof authConfigResponse.shape];
  return [0, "", false].find((value) => schema.safeParse(value).success) ?? null;
}

function viewApi({ restLayer, newer }: ProjectRecord): ProjectConfig["api"] {
  return {
    db_schema: restLayer.dbSchema,
    db_extra_search_path: restLayer.dbExtraSearchPath,
    max_rows: restLayer.maxRows,
    db_pool_acquisition_timeout: newer.restLayer.db_pool_acquisition_timeout ?? 10,
    db_pool_max_lifetime: 1_800,
    db_pool_max_idletime: 30,
    db_pool: restLayer.dbPool,
  };
}

function viewRealtime({ realtime, newer }: ProjectRecord): ProjectConfig["realtime"] {
  const { config } = realtime;
  return {
    private_only: config.private_only ?? newRealtimeConfig.private_only,
    connection_pool: config.connection_pool ?? newRealtimeConfig.connection_pool,
    max_concurrent_users: config.max_concurrent_users ?? newRealtimeConfig.max_concurrent_users,
    max_events_per_second: config.max_events_per_second ?? newRealtimeConfig.max_events_per_second,
    max_bytes_per_second: config.max_bytes_per_second ?? newRealtimeConfig.max_bytes_per_second,
    max_channels_per_client: config.max_channels_per_client ?? newRealtimeConfig.max_channels_per_client,
    max_joins_per_second: config.max_joins_per_second ?? newRealtimeConfig.max_joins_per_second,
    max_presence_events_per_second:
      config.max_presence_events_per_second ?? newRealtimeConfig.max_presence_events_per_second,
    max_payload_size_in_kb: config.max_payload_size_in_kb ?? newRealtimeConfig.max_payload_size_in_kb,
    suspend: config.suspend ?? newRealtimeConfig.suspend,
    presence_enabled: newer.realtime.presence_enabled ?? true,
    postgres_changes_pool: null,
  };
}

function viewStorage({ storage }: ProjectRecord): ProjectConfig["storage"] {
  const { imageTransformation, s3Protocol, icebergCatalog, vectorBuckets } = storage.features;
  return {
    file_size_limit: storage.fileSizeLimit,
    features: {
      image_transformation: imageTransformation,
      s3_protocol: s3Protocol,
      purge_cache: { enabled: false },
      iceberg_catalog: {
        enabled: icebergCatalog.enabled,
        max_namespaces: icebergCatalog.maxNamespaces,
        max_tables: icebergCatalog.maxTables,
        max_catalogs: icebergCatalog.maxCatalogs,
      },
      vector_buckets: {
        enabled: vectorBuckets.enabled,
        max_buckets: vectorBuckets.maxBuckets,
        max_indexes: vectorBuckets.maxIndexes,
      },
    },
    capabilities: { ...storage.capabilities, object_versioning: false },
    upstream_target: storage.upstreamTarget,
    migration_version: storage.migrationVersion,
  };
}

export const projectConfigHandlers = { getProjectConfig };
