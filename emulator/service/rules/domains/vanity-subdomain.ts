import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import { projectRef } from "../../../../spec/shared-fields";
import type { Handler } from "../shared/handler";
import type { World } from "../../world/world";
import { projectAt, settledProjectAt } from "../shared/project-at";
import { isRemoved } from "../shared/project-status";
import type { ProjectRecord } from "../../world/records/project";
import { Refusal } from "../../answers/refusal";
import { SERVICE_DOMAIN } from "../shared/hosting";

/** Names that the service keeps for itself. */
const reserved: ReadonlySet<string> = new Set(
  "www api app admin auth db dashboard docs mail smtp status storage realtime rest functions pooler studio support blog".split(
    " ",
  ),
);

/** A DNS label of at least three characters. */
const label = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])$/;

const getVanitySubdomain: Handler<Operations["getVanitySubdomain"]> = ({ params, world }) =>
  viewSubdomain(projectAt(world, params.ref));

const checkVanitySubdomain: Handler<Operations["checkVanitySubdomain"]> = ({ params, body, world }) => {
  const project = requirePlan(world, projectAt(world, params.ref));
  return { available: obstacleTo(world, project, body.vanity_subdomain) === undefined };
};

/** Unknown whether an active subdomain must be deleted first: here another one takes its place. */
const activateVanitySubdomain: Handler<Operations["activateVanitySubdomain"]> = ({ params, body, world }) => {
  const project = requirePlan(world, settledProjectAt(world, params.ref));
  if (hasCustomHostname(project)) throw new Refusal(400, "A custom hostname is in use for this project");
  const obstacle = obstacleTo(world, project, body.vanity_subdomain);
  if (obstacle !== undefined) {
    throw new Refusal(400, `The vanity subdomain ${body.vanity_subdomain} ${obstacle}`);
  }
  project.vanitySubdomain = body.vanity_subdomain;
  return { custom_domain: domainOf(body.vanity_subdomain) };
};

/** Unknown what the deletion of none answers: here it is done already. */
const deleteVanitySubdomain: Handler<Operations["deleteVanitySubdomain"]> = ({ params, world }) => {
  settledProjectAt(world, params.ref).vanitySubdomain = null;
};

/** Unknown which plans have it: here all but `free`. */
function requirePlan(world: World, project: ProjectRecord): ProjectRecord {
  if (world.state.organizations.get(project.organizationSlug)?.plan === "free") {
    throw new Refusal(400, "Vanity subdomains need a plan above free");
  }
  return project;
}

/** Why the project cannot have this name; undefined when it can. */
function obstacleTo(world: World, project: ProjectRecord, name: string): string | undefined {
  if (name.length < 3 || !label.test(name)) {
    return "is invalid: 3 to 63 lower-case letters, digits and hyphens, none of them at an end";
  }
  // Every project is reached by its ref already.
  if (reserved.has(name) || projectRef.safeParse(name).success) return "is reserved";
  const isTaken = [...world.state.projects.values()].some(
    (other) => other.ref !== project.ref && other.vanitySubdomain === name && !isRemoved(world, other),
  );
  return isTaken ? "is taken" : undefined;
}

function hasCustomHostname({ customHostname }: ProjectRecord): boolean {
  return customHostname?.activatedAt != null;
}

function viewSubdomain(project: ProjectRecord): OperationAnswer<Operations["getVanitySubdomain"]> {
  const { customHostname, vanitySubdomain } = project;
  if (customHostname !== null && hasCustomHostname(project)) {
    return { status: "custom-domain-used", custom_domain: customHostname.hostname };
  }
  return vanitySubdomain === null
    ? { status: "not-used" }
    : { status: "active", custom_domain: domainOf(vanitySubdomain) };
}

function domainOf(subdomain: string): string {
  return `${subdomain}.${SERVICE_DOMAIN}`;
}

export const vanitySubdomainHandlers = {
  getVanitySubdomain,
  checkVanitySubdomain,
  activateVanitySubdomain,
  deleteVanitySubdomain,
};
