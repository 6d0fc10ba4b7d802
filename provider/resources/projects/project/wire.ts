import type { z } from "zod";
import type { smartRegionCode, createProjectBody } from "../../../../spec/operations/projects";
import { postgresEngine, type regionCode } from "../../../../spec/shared-fields";
import type { ObservedResource, ResourceState, ShownOutputs } from "../../../define/resource";
import type { InstanceSize } from "./compute-size";
import { formatApiUrl, formatConnectionUrl } from "./connection";
import type { ProjectInputs, ProjectOutputs } from "./fields";
import { majorOfProject } from "./postgres-upgrade";
import { statusOf, type ProjectRecord } from "./status";

/** What the service returns of a branch's database, and of a project's does not. */
const LOGIN = { user: "postgres", port: 5_432 };

type Body = z.input<typeof createProjectBody>;
/** Both are open lists: what the program declares leaves as it is. */
type RegionCode = z.input<typeof regionCode>;
type RegionGroupCode = z.input<typeof smartRegionCode>;

export function toBody(inputs: ProjectInputs & { readonly dbPass: string }): Body {
  const selection = toRegionSelection(inputs);
  // The only way to choose the version of a new project; a version without an engine of its own is reached by upgrade.
  const engine = postgresEngine.safeParse(String(inputs.postgresVersion)).data;
  return {
    name: inputs.name,
    organization_slug: inputs.organizationSlug,
    db_pass: inputs.dbPass,
    ...(selection === undefined ? {} : { region_selection: selection }),
    ...(inputs.instanceSize === undefined ? {} : { desired_instance_size: inputs.instanceSize }),
    ...(inputs.templateUrl === undefined ? {} : { template_url: inputs.templateUrl }),
    ...(engine === undefined ? {} : { postgres_engine: engine }),
  };
}

/** The API's own `region` is deprecated, so a region leaves as a selection of one. */
function toRegionSelection({ region, regionSelection }: ProjectInputs): Body["region_selection"] {
  if (region !== undefined) return { type: "specific", code: region };
  if (regionSelection === undefined) return undefined;
  return regionSelection.type === "specific"
    ? { type: "specific", code: regionSelection.code as RegionCode }
    : { type: "smartGroup", code: regionSelection.code as RegionGroupCode };
}

/** `size` is undefined where it was not asked for. */
export function fromWire(
  record: ProjectRecord,
  state: ResourceState<Pick<ProjectInputs, "regionSelection" | "dbPass">, object>,
  size?: InstanceSize,
): ObservedResource<ProjectInputs, ProjectOutputs> {
  // An open enum: a region that this version does not know is shown as it is.
  const region = (record.region ?? undefined) as ProjectInputs["region"];
  const specific = region === undefined ? undefined : { type: "specific" as const, code: region };
  return {
    inputs: {
      name: record.name ?? undefined,
      organizationSlug: record.organization_slug ?? undefined,
      region,
      // Whether a region was chosen within a group cannot be read back: a declared group stays as it is.
      regionSelection: state.regionSelection?.type === "smartGroup" ? undefined : specific,
      instanceSize: size,
      paused: isPaused(statusOf(record)),
      postgresVersion: majorOfProject(record),
    },
    outputs: {
      ref: record.ref,
      organizationId: record.organization_id ?? undefined,
      region,
      regionSelection: specific,
      status: record.status ?? undefined,
      createdAt: record.created_at ?? undefined,
      database: toDatabase(record.database),
      apiUrl: formatApiUrl(record.ref, record.database?.host),
      connectionString: formatConnectionUrl({
        ...LOGIN,
        password: state.dbPass,
        host: record.database?.host,
      }),
    },
  };
}

function toDatabase(
  database: ProjectRecord["database"],
): ShownOutputs<ProjectOutputs["database"]> | undefined {
  if (database == null) return undefined;
  return {
    host: database.host ?? undefined,
    version: database.version ?? undefined,
    postgresEngine: database.postgres_engine ?? undefined,
    releaseChannel: database.release_channel ?? undefined,
  };
}

/** Undefined in states that say nothing about it. */
function isPaused(status: string): boolean | undefined {
  if (status === "INACTIVE" || status === "PAUSING") return true;
  return ["ACTIVE_HEALTHY", "ACTIVE_UNHEALTHY", "COMING_UP", "RESTORING", "RESIZING"].includes(status)
    ? false
    : undefined;
}
