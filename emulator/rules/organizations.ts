import type { z } from "zod";
import type { Answer } from "../../spec/operation";
import type { Operations } from "../../spec/table";
import { Refusal, type Handler } from "../handler";
import type { OrganizationRecord } from "../state";
import type { World } from "../world";
import { dropWhatIsOver } from "./access";
import { sizeOf } from "./compute-sizes";
import { isRemoved, statusOf } from "./project-status";
import { CLOUD_PROVIDER } from "./project-view";
import type { ProjectRecord, ProjectStatus } from "./records/project";

type Listing = Answer<Operations["listOrganizationProjects"]>;
type DatabaseStatus = Listing["projects"][number]["databases"][number]["status"];
type Sort = z.output<Operations["listOrganizationProjects"]["query"]>["sort"];

const DEFAULT_PAGE_SIZE = 100;

const listOrganizations: Handler<Operations["listOrganizations"]> = ({ world }) =>
  [...world.state.organizations.values()].map(({ id, slug, name }) => ({ id, slug, name }));

const getOrganization: Handler<Operations["getOrganization"]> = ({ params, world }) => {
  const { id, name, plan, optInTags, allowedReleaseChannels } = organizationAt(world, params.slug);
  return { id, name, plan, opt_in_tags: optInTags, allowed_release_channels: allowedReleaseChannels };
};

/** Paginated, searched, sorted and filtered; branches are in it (management-api-1, Organizations). */
const listOrganizationProjects: Handler<Operations["listOrganizationProjects"]> = ({
  params,
  query,
  world,
}) => {
  dropWhatIsOver(world);
  const { slug } = organizationAt(world, params.slug);
  const search = query.search?.toLowerCase() ?? "";
  const statuses = query.statuses?.split(",").map((status) => status.trim());
  const found = [...world.state.projects.values()]
    .filter((project) => project.organizationSlug === slug && !isRemoved(world, project))
    .filter(({ name }) => name.toLowerCase().includes(search))
    .filter((project) => statuses === undefined || statuses.includes(statusOf(world, project)))
    .sort(comparison(query.sort));
  const offset = query.offset ?? 0;
  const limit = query.limit ?? DEFAULT_PAGE_SIZE;
  return {
    projects: found.slice(offset, offset + limit).map((project) => summarize(world, project)),
    pagination: { count: found.length, limit, offset },
  };
};

function organizationAt(world: World, slug: string): OrganizationRecord {
  const organization = world.state.organizations.get(slug);
  if (organization === undefined) throw new Refusal(404, "Organization not found");
  return organization;
}

function comparison(sort: Sort): (left: ProjectRecord, right: ProjectRecord) => number {
  const byNumber = (left: ProjectRecord, right: ProjectRecord): number => left.number - right.number;
  const byName = (left: ProjectRecord, right: ProjectRecord): number =>
    left.name < right.name ? -1 : left.name > right.name ? 1 : byNumber(left, right);
  if (sort === "created_asc") return byNumber;
  if (sort === "created_desc") return (left, right) => byNumber(right, left);
  return sort === "name_desc" ? (left, right) => byName(right, left) : byName;
}

function summarize(world: World, project: ProjectRecord): Listing["projects"][number] {
  const { ref, name, region, createdAt, branchId } = project;
  const status = statusOf(world, project);
  return {
    ref,
    name,
    cloud_provider: CLOUD_PROVIDER,
    region,
    is_branch: branchId !== null,
    status,
    inserted_at: new Date(createdAt).toISOString(),
    databases: [
      {
        infra_compute_size: sizeOf(project),
        region,
        status: databaseStatus(status),
        cloud_provider: CLOUD_PROVIDER,
        identifier: ref,
        type: "PRIMARY",
        disk_volume_size_gb: 8,
        disk_type: "gp3",
        disk_throughput_mbps: 125,
      },
    ],
  };
}

/** A database has fewer states than its project. */
function databaseStatus(status: ProjectStatus): DatabaseStatus {
  switch (status) {
    case "INACTIVE":
    case "PAUSING":
      return "GOING_DOWN";
    case "UPGRADING":
      return "RESTARTING";
    case "PAUSE_FAILED":
    case "RESTORE_FAILED":
      return "INIT_FAILED";
    default:
      return status;
  }
}

export const organizationHandlers = { listOrganizations, getOrganization, listOrganizationProjects };
