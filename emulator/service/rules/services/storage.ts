import type { Operations } from "../../../../spec/table";
import type { AsyncHandler, Handler } from "../shared/handler";
import type { OrganizationPlan } from "../../world/state";
import { projectAt, settledProjectAt } from "../shared/project-at";
import { inProjectDatabase } from "../shared/database/project-database";
import { planOf } from "../shared/plan";
import { Refusal } from "../../answers/refusal";

const GB = 2 ** 30;

/** The largest file that each plan can allow: no number is specified but the largest of all. */
const largestFile: Readonly<Record<OrganizationPlan, number>> = {
  free: 50 * 2 ** 20,
  pro: 500 * GB,
  team: 500 * GB,
  enterprise: 500 * GB,
  platform: 500 * GB,
};

const getStorageConfig: Handler<Operations["getStorageConfig"]> = ({ params, world }) => {
  const { storage } = projectAt(world, params.ref);
  return {
    fileSizeLimit: storage.fileSizeLimit,
    features: { ...storage.features },
    capabilities: { ...storage.capabilities },
    external: { upstreamTarget: storage.upstreamTarget },
    migrationVersion: storage.migrationVersion,
    databasePoolMode: storage.databasePoolMode,
  };
};

/** Merges (service, Realtime and storage): what is left out stays, each feature as a whole. */
const updateStorageConfig: Handler<Operations["updateStorageConfig"]> = ({ params, body, world }) => {
  const project = settledProjectAt(world, params.ref, "storage");
  const plan = planOf(world, project);
  const { fileSizeLimit, features = {}, external } = body;
  if (fileSizeLimit !== undefined && fileSizeLimit > largestFile[plan]) {
    throw new Refusal(400, `fileSizeLimit: at most ${largestFile[plan]} with the plan ${plan}`);
  }
  if (plan === "free" && features.imageTransformation?.enabled === true) {
    throw new Refusal(400, `Image transformation is not part of the plan ${plan}`);
  }
  const { storage } = project;
  if (fileSizeLimit !== undefined) storage.fileSizeLimit = fileSizeLimit;
  storage.features = {
    imageTransformation: features.imageTransformation ?? storage.features.imageTransformation,
    s3Protocol: features.s3Protocol ?? storage.features.s3Protocol,
    icebergCatalog: features.icebergCatalog ?? storage.features.icebergCatalog,
    vectorBuckets: features.vectorBuckets ?? storage.features.vectorBuckets,
  };
  if (external !== undefined) storage.upstreamTarget = external.upstreamTarget;
};

/** The API makes no buckets: they come from the project's own clients, here from the control, and from SQL. */
const listBuckets: AsyncHandler<Operations["listBuckets"]> = async ({ params, world }) => {
  const project = settledProjectAt(world, params.ref, "storage");
  const made = [...project.storage.buckets].map(([id, bucket]) => ({
    id,
    name: bucket.name,
    owner: bucket.owner,
    created_at: new Date(bucket.createdAt).toISOString(),
    updated_at: new Date(bucket.updatedAt).toISOString(),
    public: bucket.public,
  }));
  if (!world.databases.isUsed(params.ref)) return made;
  const inTable = await inProjectDatabase(world, params.ref, (database) =>
    database.asPlatform(() => database.query<(typeof made)[number]>(BUCKETS)),
  );
  return [...made, ...inTable.rows];
};

const BUCKETS = `select id, name, coalesce(owner_id, owner::text, '') as owner, public,
    to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
    to_char(updated_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as updated_at
  from storage.buckets order by created_at, id`;

export const storageHandlers = { listBuckets, getStorageConfig, updateStorageConfig };
