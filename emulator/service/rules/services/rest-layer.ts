import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import type { World } from "../../world/world";
import { projectAt, settledProjectAt } from "../shared/project-at";
import type { ProjectRecord } from "../../world/records/project";

/** Only here is the secret returned, and in clear (service, Values that come back changed). */
const getRestLayerConfig: Handler<Operations["getRestLayerConfig"]> = ({ params, world }) => {
  const project = projectAt(world, params.ref);
  return { ...view(project), jwt_secret: project.jwtSecret };
};

/** Merges (service, REST layer). */
const updateRestLayerConfig: Handler<Operations["updateRestLayerConfig"]> = ({ params, body, world }) => {
  const project = writableProjectAt(world, params.ref);
  const { restLayer } = project;
  const { db_schema: dbSchema, db_extra_search_path: searchPath, max_rows: maxRows, db_pool: dbPool } = body;
  if (dbSchema !== undefined) restLayer.dbSchema = dbSchema;
  if (searchPath !== undefined) restLayer.dbExtraSearchPath = searchPath;
  if (maxRows !== undefined) restLayer.maxRows = maxRows;
  if (dbPool !== undefined) restLayer.dbPool = dbPool;
  return view(project);
};

/** What an empty schema keeps unhealthy can be mended only here, so that must not be refused. */
function writableProjectAt(world: World, ref: string): ProjectRecord {
  const isEmpty = projectAt(world, ref).restLayer.dbSchema === "";
  return settledProjectAt(world, ref, isEmpty ? "db" : "rest");
}

function view({ restLayer }: ProjectRecord): OperationAnswer<Operations["updateRestLayerConfig"]> {
  return {
    db_schema: restLayer.dbSchema,
    max_rows: restLayer.maxRows,
    db_extra_search_path: restLayer.dbExtraSearchPath,
    db_pool: restLayer.dbPool,
  };
}

export const restLayerHandlers = { getRestLayerConfig, updateRestLayerConfig };
