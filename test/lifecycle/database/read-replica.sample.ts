import type { readReplica } from "../../../provider/resources/database/read-replica/read-replica";
import { giveLargerCompute } from "../given-addons";
import type { SampleOf } from "../sample";
import type { Scenario } from "../scenario";

/** Those that are there and stay. */
export function replicasOnService({ emulator }: Scenario, ref: string) {
  const { projects } = emulator.control.call("listOrganizationProjects", { slug: "acme" });
  const databases = projects.find((project) => project.ref === ref)?.databases ?? [];
  return databases.filter(({ type, status }) => type === "READ_REPLICA" && status !== "GOING_DOWN");
}

export const sample: SampleOf<typeof readReplica> = {
  type: "ReadReplica",
  needsProject: true,
  replacedBy: [],
  prepare: giveLargerCompute,
  inputs: (projectRef) => ({ projectRef, region: "us-east-1" }),
  changed: (projectRef) => ({ projectRef, region: "us-east-1" }),
  onService: replicasOnService,
  isChanged: () => true,
  editOutside: () => undefined,
  objects: {
    ids: (scenario, ref) => replicasOnService(scenario, ref).map(({ identifier }) => identifier),
    show: (scenario, ref, id) =>
      replicasOnService(scenario, ref).find(({ identifier }) => identifier === id)?.region,
    remove: ({ emulator }, ref, id) =>
      emulator.control.call("removeReadReplica", { ref, body: { database_identifier: id } }),
  },
};
