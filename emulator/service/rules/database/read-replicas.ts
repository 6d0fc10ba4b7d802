import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { projectAt, requireActive, settledProjectAt } from "../shared/project-at";
import { isAtLeast } from "../shared/compute-limits";
import { sizeOf, type ComputeSize } from "../shared/compute-sizes";
import { derivedBytes } from "../../world/derived-bytes";
import { physicalBackupAt } from "./backups";
import type { ProjectRecord } from "../../world/records/project";
import type { ReadReplicaRecord } from "../../world/records/database";
import { Refusal } from "../../answers/refusal";

type ProjectsAnswer = OperationAnswer<Operations["listOrganizationProjects"]>;
type DatabaseStatus = ProjectsAnswer["projects"][number]["databases"][number]["status"];

/** At pace 1: until it serves, in seconds as measured; a removal is over at once then (service, Read replicas). */
const SETTING_UP_MS = { current: 219_000, "2026-06": 60_000 };
const GOING_DOWN_MS = { current: 0, "2026-06": 15_000 };
/** Until it is among the pooler's databases: measured 216 s. */
const POOLING_MS = { current: 216_000, "2026-06": 0 };

const LETTERS = { current: 5, "2026-06": 6 };

/** Answers nothing: the replica is found in the organization's listing (service, Read replicas). */
const setUpReadReplica: Handler<Operations["setUpReadReplica"]> = ({ params, body, world }) => {
  const project = settledProjectAt(world, params.ref, "db");
  const size = sizeOf(project);
  if (!isAtLeast(size, "small")) {
    throw new Refusal(
      400,
      isAsMeasured(world.state)
        ? "Read replicas require a minimum size of small"
        : `The compute size ${size} is too small for read replicas: it takes at least small`,
    );
  }
  if (isAsMeasured(world.state)) requirePhysicalBackup(world, project);
  // One that is going down still takes its place.
  const most = mostReplicas(size);
  if (replicasOf(world, project).length >= most) {
    throw new Refusal(400, `A project of the compute size ${size} has at most ${most} read replicas`);
  }
  const region = body.read_replica_region;
  const identifier = `${project.ref}-rr-${region}-${randomLetters(world.newId(), LETTERS[world.state.service])}`;
  project.readReplicas.set(identifier, {
    identifier,
    region,
    createdAt: world.clock.now(),
    outcome: project.next.readReplica,
    removedAt: null,
  });
  project.next.readReplica = "ACTIVE_HEALTHY";
};

/** A replica is made of a physical backup that is younger than the last change of the machine (service, Read replicas). */
function requirePhysicalBackup(world: World, project: ProjectRecord): void {
  const isBackedUpAt = physicalBackupAt(world, project);
  if (isBackedUpAt === undefined) {
    throw new Refusal(406, "Failed to check for latest completed physical backup");
  }
  if (world.clock.now() >= isBackedUpAt) return;
  throw new Refusal(
    400,
    "A completed backup needs to be done following either a point in time recovery, change in compute size, or database upgrade. It is currently in progress",
  );
}

/** Those of the pooler's databases, which a new one joins before it serves. */
export function pooledReplicasOf(world: World, project: ProjectRecord): ReadReplicaRecord[] {
  return replicasOf(world, project).filter(
    ({ createdAt }) => world.clock.now() >= createdAt + POOLING_MS[world.state.service] * world.pace,
  );
}

const removeReadReplica: Handler<Operations["removeReadReplica"]> = ({ params, body, world }) => {
  const project = projectAt(world, params.ref);
  requireActive(world, project);
  const identifier = body.database_identifier;
  if (identifier === project.ref) throw new Refusal(400, "The primary database is no read replica");
  const replica = replicasOf(world, project).find((one) => one.identifier === identifier);
  if (replica === undefined) {
    throw new Refusal(404, `The project has no read replica ${JSON.stringify(identifier)}`);
  }
  // Unknown what a second removal answers while the first is under way: it is taken for the same wish.
  replica.removedAt ??= world.clock.now();
};

/** How many replicas a project may have: no number is specified. */
export function mostReplicas(size: ComputeSize): number {
  return isAtLeast(size, "xlarge") ? 5 : 2;
}

/** Replicas that are there, oldest first; those whose removal is over are forgotten. */
export function replicasOf(world: World, { readReplicas }: ProjectRecord): ReadReplicaRecord[] {
  const now = world.clock.now();
  for (const [identifier, replica] of readReplicas) {
    if (replica.removedAt !== null && now >= replicaSettledAt(world, replica))
      readReplicas.delete(identifier);
  }
  return [...readReplicas.values()];
}

/** A replica shares the ups and downs of its project. */
export function replicaStatus(
  world: World,
  replica: ReadReplicaRecord,
  primaryStatus: DatabaseStatus,
): DatabaseStatus {
  if (replica.removedAt !== null) return "GOING_DOWN";
  if (world.clock.now() < replicaSettledAt(world, replica)) return "INIT_READ_REPLICA";
  return replica.outcome === "ACTIVE_HEALTHY" ? primaryStatus : replica.outcome;
}

/** When its set-up or its removal is over, or was. */
export function replicaSettledAt(world: World, { createdAt, removedAt }: ReadReplicaRecord): number {
  const { service } = world.state;
  return removedAt === null
    ? createdAt + SETTING_UP_MS[service] * world.pace
    : removedAt + GOING_DOWN_MS[service] * world.pace;
}

function randomLetters(seed: string, length: number): string {
  return [...derivedBytes(seed, length)].map((byte) => String.fromCharCode(97 + (byte % 26))).join("");
}

export const readReplicaHandlers = { setUpReadReplica, removeReadReplica };
