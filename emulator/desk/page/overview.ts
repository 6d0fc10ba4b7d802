import { healthService } from "../../../spec/shared-fields";
import { HIDDEN } from "../exchanges/hide-secrets";
import { secretsInPath } from "../exchanges/secrets-in-path";
import type { CallLog } from "../../service/world/call-log";
import type { CallRecord } from "../../service/world/call-record";
import { removeExpired } from "../../service/rules/shared/project-at";
import { branchStatusOf, failedStep, runSteps } from "../../service/rules/shared/branch-progress";
import { sizeOf } from "../../service/rules/shared/compute-sizes";
import { pendingRequests } from "../../service/rules/oauth/oauth-consent";
import { activitySpans, databaseOf, isRemoved, statusOf } from "../../service/rules/shared/project-status";
import { serviceHealth } from "../../service/rules/shared/service-health";
import { upgradeReport } from "../../service/rules/shared/upgrade-progress";
import type { BranchRecord, ProjectRecord } from "../../service/world/state";
import type { Faults, PendingFault } from "../../service/server/faults";
import type { World } from "../../service/world/world";
import { settlingOf, type Settling, type SettlingStep } from "./settling";

export interface BranchOverview {
  readonly id: string;
  readonly name: string;
  readonly ref: string;
  readonly isDefault: boolean;
  readonly persistent: boolean;
  readonly status: string;
  readonly deletionScheduledAt: number | null;
  /** Of its newest action run. */
  readonly steps: readonly SettlingStep[];
  /** The step of that run which failed, and what it wrote. */
  readonly failure?: { readonly name: string; readonly log: string };
  /** Its preview project; absent for the default branch. */
  readonly preview?: Omit<ProjectOverview, "branches">;
}

export interface ProjectOverview {
  readonly ref: string;
  readonly name: string;
  readonly region: string;
  readonly size: string;
  readonly version: string;
  readonly status: string;
  readonly steps: readonly SettlingStep[];
  /** What settles beside the project itself. */
  readonly settling: readonly Settling[];
  readonly services: readonly { readonly name: string; readonly status: string; readonly error?: string }[];
  readonly counts: Readonly<Record<string, number>>;
  readonly branches: readonly BranchOverview[];
}

export interface AuthorizationOverview {
  readonly id: string;
  readonly application: string;
  readonly scopes: readonly string[];
  /** The project that is claimed. */
  readonly projectRef: string | null;
  /** The only organization that it is about; null to let the user choose. */
  readonly organizationSlug: string | null;
}

/** What the page shows at one moment. */
export interface Overview {
  /** The emulator's time in milliseconds since the epoch. */
  readonly now: number;
  readonly pace: number;
  readonly organizations: readonly {
    readonly slug: string;
    readonly name: string;
    readonly plan: string;
    readonly projects: readonly ProjectOverview[];
  }[];
  /** What applications ask their users to approve. */
  readonly authorizations: readonly AuthorizationOverview[];
  /** What later calls break on. */
  readonly faults: readonly PendingFault[];
  /** How many calls have ended so far; what to ask with the next time. */
  readonly logged: number;
  /** The newest of those that ended since, in the order of their ends, at most `CALLS_AT_ONCE`. */
  readonly calls: readonly CallRecord[];
}

const CALLS_AT_ONCE = 200;

/** Reads all that the page shows; changes nothing but what time has changed. */
export function overviewOf(world: World, log: CallLog, faults: Faults, since: number): Overview {
  removeExpired(world);
  const { organizations, projects } = world.state;
  const present = [...projects.values()].filter((project) => !isRemoved(world, project));
  return {
    now: world.clock.now(),
    pace: world.pace,
    organizations: [...organizations.values()].map(({ slug, name, plan }) => ({
      slug,
      name,
      plan,
      projects: present
        .filter(({ organizationSlug, branchId }) => organizationSlug === slug && branchId === null)
        .map((project) => ({ ...projectOverview(world, project), branches: branchesOf(world, project) })),
    })),
    authorizations: pendingRequests(world).map(({ id, clientId, scopes, projectRef, organizationSlug }) => ({
      id,
      application: world.state.oauth.apps.get(clientId)?.name ?? clientId,
      scopes,
      projectRef,
      organizationSlug,
    })),
    faults: faults.list(),
    logged: log.logged,
    calls: log.after(since).slice(-CALLS_AT_ONCE).map(withoutSecrets),
  };
}

function withoutSecrets(call: CallRecord): CallRecord {
  const secrets = secretsInPath(call.path, call.operation);
  return { ...call, path: secrets.reduce((path, secret) => path.replace(secret, HIDDEN), call.path) };
}

function projectOverview(world: World, project: ProjectRecord): Omit<ProjectOverview, "branches"> {
  return {
    ref: project.ref,
    name: project.name,
    region: project.region,
    size: sizeOf(project),
    version: databaseOf(world, project).version,
    status: statusOf(world, project),
    steps: activitySteps(world, project),
    settling: settlingOf(world, project),
    services: healthService.options.map((service) => {
      const { name, status, error } = serviceHealth(world, project, service);
      return { name, status, ...(error === undefined ? {} : { error }) };
    }),
    counts: {
      functions: project.functions.size,
      "API keys": project.apiKeys.size,
      secrets: project.secrets.size,
      "signing keys": project.signingKeys.size,
      "SSO providers": project.ssoProviders.size,
    },
  };
}

/** The states that a project passes through, or the steps of its upgrade. */
function activitySteps(world: World, project: ProjectRecord): SettlingStep[] {
  const now = world.clock.now();
  const { run } = project.upgrade;
  if (project.activity.kind === "upgrade" && run !== null) {
    const { progress, error } = upgradeReport(world, run);
    const name = error === undefined ? (progress ?? "upgrade") : error;
    return [
      {
        name,
        state: error !== undefined ? "failed" : statusOf(world, project) === "UPGRADING" ? "current" : "done",
      },
    ];
  }
  return activitySpans(world, project).map(({ status, from, to }) => ({
    name: status,
    state: now >= to ? "done" : now >= from ? "current" : "waiting",
    endsAt: to,
  }));
}

function branchesOf(world: World, parent: ProjectRecord): BranchOverview[] {
  return [...world.state.branches.values()]
    .filter(({ parentRef }) => parentRef === parent.ref)
    .map((branch) => branchOverview(world, branch));
}

const stateOfRunStep: Readonly<Record<string, SettlingStep["state"]>> = {
  RUNNING: "current",
  RESTARTING: "current",
  EXITED: "done",
  DEAD: "failed",
};

function branchOverview(world: World, branch: BranchRecord): BranchOverview {
  const run = branch.runs.at(-1);
  const failure = run && failedStep(world, run);
  const preview = branch.isDefault ? undefined : world.state.projects.get(branch.projectRef);
  return {
    id: branch.id,
    name: branch.name,
    ref: branch.projectRef,
    isDefault: branch.isDefault,
    persistent: branch.persistent,
    status: branchStatusOf(world, branch),
    deletionScheduledAt: branch.deletionScheduledAt,
    steps:
      run === undefined
        ? []
        : runSteps(world, run).map(({ name, status }) => ({
            name,
            state: stateOfRunStep[status] ?? "waiting",
          })),
    ...(failure === undefined ? {} : { failure }),
    ...(preview === undefined ? {} : { preview: projectOverview(world, preview) }),
  };
}
