import { customHostnameStatus } from "../../../spec/operations/custom-hostname";
import { hostnameStatus, originSetUpAt } from "../../service/rules/domains/custom-hostname";
import { appliedAt } from "../../service/rules/network/network-restrictions";
import { replicasOf, replicaSettledAt } from "../../service/rules/database/read-replicas";
import { sslAppliedAt } from "../../service/rules/database/ssl-enforcement";
import type { ProjectRecord } from "../../service/world/state";
import type { World } from "../../service/world/world";
import { diskChangedAt } from "../../service/rules/shared/present-disk";

/** A step that something passes through while it settles. */
export interface SettlingStep {
  readonly name: string;
  readonly state: "waiting" | "current" | "done" | "failed";
  /** When it ends by the emulator's time, in milliseconds since the epoch; absent where that is not known. */
  readonly endsAt?: number;
}

/** A part of a project that is on its way from one state to another. */
export interface Settling {
  readonly what: string;
  readonly steps: readonly SettlingStep[];
}

/** What settles beside the project itself; what has settled is not among it. */
export function settlingOf(world: World, project: ProjectRecord): Settling[] {
  const timed = [
    { what: "Network restrictions", names: ["stored", "applied"], endsAt: appliedAt(world, project.network) },
    { what: "SSL enforcement", names: ["changed", "applied"], endsAt: sslAppliedAt(world, project) },
    { what: "Disk", names: ["changing", "changed"], endsAt: diskChangedAt(world, project) },
    ...replicasOf(world, project).map((replica) => ({
      what: `Read replica ${replica.identifier}`,
      names: replica.removedAt === null ? ["INIT_READ_REPLICA", replica.outcome] : ["GOING_DOWN", "removed"],
      endsAt: replicaSettledAt(world, replica),
    })),
  ];
  const now = world.clock.now();
  const underWay = timed.flatMap(({ what, names: [present = "", next = ""], endsAt }): Settling[] =>
    endsAt === null || now >= endsAt
      ? []
      : [
          {
            what,
            steps: [
              { name: present, state: "current", endsAt },
              { name: next, state: "waiting" },
            ],
          },
        ],
  );
  return [...underWay, ...hostnameSteps(world, project)];
}

/** A hostname waits for its user between the steps; only the set-up of its origin ends by itself. */
function hostnameSteps(world: World, { customHostname }: ProjectRecord): Settling[] {
  if (customHostname === null) return [];
  const names = customHostnameStatus.options;
  const reached = names.indexOf(hostnameStatus(world, customHostname));
  if (reached === names.length - 1) return [];
  const endsAt = names[reached] === "3_challenge_verified" ? originSetUpAt(world, customHostname) : null;
  const steps = names.map((name, index): SettlingStep => ({
    name,
    state: index < reached ? "done" : index === reached ? "current" : "waiting",
    ...(index === reached && endsAt !== null ? { endsAt } : {}),
  }));
  return [{ what: `Custom hostname ${customHostname.hostname}`, steps }];
}
