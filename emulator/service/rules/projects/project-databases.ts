import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { World } from "../../world/world";
import { sizeOf } from "../shared/compute-sizes";
import { statusOf } from "../shared/project-status";
import { replicasOf, replicaStatus } from "../database/read-replicas";
import type { ProjectRecord, ProjectStatus } from "../../world/records/project";
import { CLOUD_PROVIDER } from "../shared/hosting";
import { presentDisk } from "../shared/present-disk";

type ListedDatabase = OperationAnswer<
  Operations["listOrganizationProjects"]
>["projects"][number]["databases"][number];

/** A project's primary and its read replicas, as the organization's listing shows them. */
export function viewDatabases(world: World, project: ProjectRecord): ListedDatabase[] {
  const status = databaseStatus(statusOf(world, project));
  const disk = presentDisk(world, project);
  const { modifiedAt } = project.disk;
  // Replicas have the compute size and the disk of their primary.
  const shared = {
    infra_compute_size: sizeOf(project),
    cloud_provider: CLOUD_PROVIDER,
    disk_volume_size_gb: disk.size_gb,
    disk_type: disk.type,
    ...(disk.type === "gp3" ? { disk_throughput_mbps: disk.throughput_mibps } : {}),
    ...(modifiedAt === null ? {} : { disk_last_modified_at: new Date(modifiedAt).toISOString() }),
  };
  return [
    { ...shared, region: project.region, status, identifier: project.ref, type: "PRIMARY" },
    ...replicasOf(world, project).map((replica) => ({
      ...shared,
      region: replica.region,
      status: replicaStatus(world, replica, status),
      identifier: replica.identifier,
      type: "READ_REPLICA" as const,
    })),
  ];
}

/** A database has fewer states than its project. */
function databaseStatus(status: ProjectStatus): ListedDatabase["status"] {
  switch (status) {
    case "INACTIVE":
    case "PAUSING":
      return "GOING_DOWN";
    case "UPGRADING":
    case "PROMOTING":
      return "RESTARTING";
    case "PAUSE_FAILED":
    case "RESTORE_FAILED":
      return "INIT_FAILED";
    default:
      return status;
  }
}
