import type { networkRestrictions } from "../../../provider/resources/network/network-restrictions/network-restrictions";
import { field, type SampleOf } from "../sample";

export const sample: SampleOf<typeof networkRestrictions> = {
  type: "NetworkRestrictions",
  needsProject: true,
  // The longer way, on which what is applied later is waited for.
  prepare: ({ emulator }) => emulator.control.set("changesApplyLater", true),
  inputs: (projectRef) => ({
    projectRef,
    allowedCidrs: ["203.0.113.0/24", "198.51.100.7/32"],
    allowedCidrsV6: ["2001:db8:42::/48"],
  }),
  changed: (projectRef) => ({
    projectRef,
    allowedCidrs: ["203.0.113.0/24", "192.0.2.0/25"],
    allowedCidrsV6: ["2001:db8:42::/48"],
  }),
  onService: ({ emulator }, ref) => {
    const { config } = emulator.control.call("getNetworkRestrictions", { ref });
    return config.dbAllowedCidrs?.includes("203.0.113.0/24") === true ? [config] : [];
  },
  isChanged: (shown) =>
    JSON.stringify(field(shown, "dbAllowedCidrs")) === '["203.0.113.0/24","192.0.2.0/25"]',
  // What was found would let everybody in again, so a delete leaves the lists.
  cleanUp: ({ emulator }, ref) =>
    emulator.control.edit(({ projects }) => {
      const restrictions = projects.get(ref)?.network.restrictions;
      if (restrictions) restrictions.config = { v4: ["0.0.0.0/0"], v6: ["::/0"] };
    }),
  editOutside: ({ projects }, ref) => {
    const restrictions = projects.get(ref)?.network.restrictions;
    if (restrictions) restrictions.config = { ...restrictions.config, v4: ["203.0.113.0/24"] };
  },
};
