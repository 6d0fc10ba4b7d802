import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import { userIdOf, actingUser } from "../../access/caller";
import type { Handler } from "../shared/handler";
import type { World } from "../../world/world";
import { ownProjectAt, removeExpired } from "../shared/project-at";
import { derivedText } from "../../world/derived-bytes";
import { judgeMove, moveProject, PROJECT_LIMIT } from "./project-move";
import type { ClaimTokenRecord } from "../../world/records/newer";
import type { OrganizationRecord } from "../../world/records/organization";
import type { ProjectRecord } from "../../world/records/project";
import { planOf } from "../shared/plan";
import { requireFound, Refusal } from "../../answers/refusal";

type ClaimPreview = OperationAnswer<Operations["getProjectClaim"]>["preview"];

/** How long one can be used; no number is known. */
const LIFETIME_MS = 24 * 3_600_000;

const getClaimToken: Handler<Operations["getClaimToken"]> = ({ params, world }) =>
  viewClaimToken(validClaimToken(world, ownProjectAt(world, params.ref)));

/** Unknown what a second one does: here it is refused, since somebody may be about to use the first. */
const createClaimToken: Handler<Operations["createClaimToken"]> = ({ params, world, caller }) => {
  const project = ownProjectAt(world, params.ref);
  const now = world.clock.now();
  const before = project.newer.claimToken;
  if (before !== null && now < before.expiresAt) {
    throw new Refusal(409, `The project has the claim token ${before.alias} already`);
  }
  const token = `claim_${derivedText(world.newId(), 24)}`;
  project.newer.claimToken = {
    token,
    alias: "claim_…",
    createdAt: now,
    expiresAt: now + LIFETIME_MS,
    createdBy: userIdOf(actingUser(caller)),
  };
  return { token, ...viewClaimToken(project.newer.claimToken) };
};

const deleteClaimToken: Handler<Operations["deleteClaimToken"]> = ({ params, world }) => {
  const project = ownProjectAt(world, params.ref);
  validClaimToken(world, project);
  project.newer.claimToken = null;
};

const getProjectClaim: Handler<Operations["getProjectClaim"]> = ({ params, world }) => {
  const { project, organization } = claimAt(world, params);
  const { ref, name } = project;
  const { expires_at, created_at, created_by } = viewClaimToken(validClaimToken(world, project));
  const preview = previewOf(world, project, organization);
  return { project: { ref, name }, preview, expires_at, created_at, created_by };
};

const claimProject: Handler<Operations["claimProject"]> = ({ params, world }) => {
  const { project, organization } = claimAt(world, params);
  const [error] = previewOf(world, project, organization).errors;
  if (error !== undefined) throw new Refusal(400, error.message);
  moveProject(world, project, organization.slug);
};

function claimAt(
  world: World,
  { slug, token }: { readonly slug: string; readonly token: string },
): { readonly project: ProjectRecord; readonly organization: OrganizationRecord } {
  removeExpired(world);
  const organization = requireFound(world.state.organizations.get(slug), "Organization not found");
  const found = [...world.state.projects.values()].find(({ newer }) => newer.claimToken?.token === token);
  const project = requireFound(found, "Claim token not found");
  validClaimToken(world, project);
  return { project, organization };
}

function validClaimToken(world: World, { newer }: ProjectRecord): ClaimTokenRecord {
  const token = requireFound(newer.claimToken ?? undefined, "Claim token not found");
  if (world.clock.now() >= token.expiresAt) throw new Refusal(404, "Claim token not found");
  return token;
}

function viewClaimToken(token: ClaimTokenRecord): OperationAnswer<Operations["getClaimToken"]> {
  return {
    token_alias: token.alias,
    expires_at: new Date(token.expiresAt).toISOString(),
    created_at: new Date(token.createdAt).toISOString(),
    created_by: token.createdBy,
  };
}

function previewOf(world: World, project: ProjectRecord, organization: OrganizationRecord): ClaimPreview {
  const move = judgeMove(world, project, organization);
  const { plan, members } = organization;
  const limit = world.state.activeProjectQuotas[plan];
  const isFull = move.errors.some(({ key }) => key === PROJECT_LIMIT);
  return {
    ...move,
    members_exceeding_free_project_limit:
      isFull && limit !== null ? [...members.values()].map(({ name }) => ({ name, limit })) : [],
    source_subscription_plan: planOf(world, project),
    target_subscription_plan: plan,
  };
}

export const projectClaimHandlers = {
  getClaimToken,
  createClaimToken,
  deleteClaimToken,
  getProjectClaim,
  claimProject,
};
