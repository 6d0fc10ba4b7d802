import type { z } from "zod";
import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import { isAsMeasured, type OrganizationRecord } from "../../world/state";

import type { World } from "../../world/world";
import { removeExpired } from "../shared/project-at";
import { viewDatabases } from "../projects/project-databases";
import { isRemoved, statusOf } from "../shared/project-status";
import { newOrganization, type MemberRecord } from "../../world/records/organization";
import type { ProjectRecord } from "../../world/records/project";
import { requireFound, Refusal } from "../../answers/refusal";
import { CLOUD_PROVIDER } from "../shared/hosting";
import { actingUser, reaches, userIdOf } from "../../access/caller";

type OrganizationProjects = OperationAnswer<Operations["listOrganizationProjects"]>;
type Sort = z.output<Operations["listOrganizationProjects"]["query"]>["sort"];

const DEFAULT_PAGE_SIZE = 100;

const listOrganizations: Handler<Operations["listOrganizations"]> = ({ world, caller }) =>
  [...world.state.organizations.values()]
    .filter(({ slug }) => reaches(caller, slug))
    .map(({ slug, name }) => ({ id: slug, slug, name }));

/** Whoever creates an organization owns it; it begins on the free plan (service, Organizations). */
const createOrganization: Handler<Operations["createOrganization"]> = ({ body, world, caller }) => {
  const name = body.name.trim();
  if (name === "") throw new Refusal(400, "name: String must contain at least 1 character(s)");
  const slug = freeSlug(world, name);
  world.state.organizations.set(slug, newOrganization({ slug, name, plan: "free" }, actingUser(caller)));
  return { id: slug, slug, name };
};

/** Unknown how the service makes slugs: here from the name, as people would, and otherwise at random. */
function freeSlug(world: World, name: string): string {
  const ascii = name.normalize("NFKD").replaceAll(/[\u0300-\u036f]/g, "");
  const stem = ascii
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 40);
  if (stem === "") return world.newRef();
  let slug = stem;
  for (let number = 2; world.state.organizations.has(slug); number += 1) slug = `${stem}-${number}`;
  return slug;
}

const getOrganization: Handler<Operations["getOrganization"]> = ({ params, world }) => {
  const { slug, name, plan, optInTags, allowedReleaseChannels } = organizationAt(world, params.slug);
  return { id: slug, name, plan, opt_in_tags: optInTags, allowed_release_channels: allowedReleaseChannels };
};

/** Paginated, searched, sorted and filtered; branches were in it until 2026-06 (service, Organizations). */
const listOrganizationProjects: Handler<Operations["listOrganizationProjects"]> = ({
  params,
  query,
  world,
}) => {
  removeExpired(world);
  const { slug } = organizationAt(world, params.slug);
  const search = query.search?.toLowerCase() ?? "";
  const statuses = query.statuses?.split(",").map((status) => status.trim());
  const found = [...world.state.projects.values()]
    .filter((project) => project.organizationSlug === slug && !isRemoved(world, project))
    .filter(({ branchId }) => branchId === null || !isAsMeasured(world.state))
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

const listMembers: Handler<Operations["listMembers"]> = ({ params, world }) =>
  [...organizationAt(world, params.slug).members.values()].map(viewMember);

function organizationAt(world: World, slug: string): OrganizationRecord {
  return requireFound(world.state.organizations.get(slug), "Organization not found");
}

function comparison(sort: Sort): (left: ProjectRecord, right: ProjectRecord) => number {
  const byNumber = (left: ProjectRecord, right: ProjectRecord): number => left.number - right.number;
  const byName = (left: ProjectRecord, right: ProjectRecord): number =>
    left.name < right.name ? -1 : left.name > right.name ? 1 : byNumber(left, right);
  if (sort === "created_asc") return byNumber;
  if (sort === "created_desc") return (left, right) => byNumber(right, left);
  return sort === "name_desc" ? (left, right) => byName(right, left) : byName;
}

function summarize(world: World, project: ProjectRecord): OrganizationProjects["projects"][number] {
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
    databases: viewDatabases(world, project),
  };
}

export const organizationHandlers = {
  listOrganizations,
  createOrganization,
  getOrganization,
  listOrganizationProjects,
  listMembers,
};

function viewMember(member: MemberRecord): OperationAnswer<Operations["listMembers"]>[number] {
  return {
    user_id: userIdOf(member.user),
    user_name: member.name,
    ...(member.email !== null && { email: member.email }),
    role_name: member.role,
    mfa_enabled: member.mfaEnabled,
  };
}
