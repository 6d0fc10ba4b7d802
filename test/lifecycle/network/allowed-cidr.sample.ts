import type { allowedCidr } from "../../../provider/resources/network/allowed-cidr/allowed-cidr";
import type { SampleOf } from "../sample";
import type { Scenario } from "../scenario";

/** The sample and what others add are of one range, so that they are told from other lists. */
const RANGE = "198.18.";

const listed = ({ emulator }: Scenario, ref: string): string[] =>
  emulator.control.call("getNetworkRestrictions", { ref }).config.dbAllowedCidrs ?? [];

export const sample: SampleOf<typeof allowedCidr> = {
  type: "AllowedCidr",
  needsProject: true,
  inputs: (projectRef) => ({ projectRef, cidr: "198.18.0.0/24" }),
  changed: (projectRef) => ({ projectRef, cidr: "198.18.0.0/24" }),
  replacedBy: [],
  onService: (scenario, ref) => listed(scenario, ref).filter((cidr) => cidr === "198.18.0.0/24"),
  isChanged: () => true,
  editOutside: ({ projects }, ref) => {
    const restrictions = projects.get(ref)?.network.restrictions;
    if (restrictions === undefined) return;
    const v4 = restrictions.config.v4.filter((cidr) => cidr !== "198.18.0.0/24");
    restrictions.config = { ...restrictions.config, v4 };
  },
  objects: {
    ids: (scenario, ref) => listed(scenario, ref).filter((cidr) => cidr.startsWith(RANGE)),
    show: (scenario, ref, id) => listed(scenario, ref).find((cidr) => cidr === id),
    make: ({ emulator }, ref, count) =>
      emulator.control.call("patchNetworkRestrictions", {
        ref,
        body: { add: { dbAllowedCidrs: [`${RANGE}${count}.0/24`] } },
      }),
    remove: ({ emulator }, ref, id) =>
      emulator.control.call("patchNetworkRestrictions", { ref, body: { remove: { dbAllowedCidrs: [id] } } }),
  },
};
