import type { customHostnameActivation } from "../../../provider/resources/domains/custom-hostname-activation/custom-hostname-activation";
import { giveDomainAddon } from "../given-addons";
import type { SampleOf } from "../sample";
import type { Scenario } from "../scenario";
import { publishRecords } from "../../../tools/engine/emulated-dns";

/** Two projects of one hostname would take the DNS records from each other. */
const hostnameOf = (ref: string): string => `${ref}.example.com`;

const isActive = ({ emulator }: Scenario, ref: string): boolean =>
  emulator.world.state.projects.get(ref)?.customHostname?.activatedAt != null;

function deactivate({ emulator }: Scenario, ref: string): void {
  emulator.control.edit(({ projects }) => {
    const record = projects.get(ref)?.customHostname;
    if (record) Object.assign(record, { ownershipVerifiedAt: null, verifiedAt: null, activatedAt: null });
  });
}

export const sample: SampleOf<typeof customHostnameActivation> = {
  type: "CustomHostnameActivation",
  needsProject: true,
  // What CustomHostname and the DNS provider do before.
  prepare: (scenario, ref) => {
    const { control } = scenario.emulator;
    giveDomainAddon(scenario, ref);
    control.call("initializeCustomHostname", { ref, body: { custom_hostname: hostnameOf(ref) } });
    publishRecords(scenario, ref);
  },
  inputs: (projectRef) => ({ projectRef, customHostname: hostnameOf(projectRef) }),
  changed: (projectRef) => ({ projectRef, customHostname: hostnameOf(projectRef) }),
  replacedBy: [],
  excludes: ["CustomHostname", "VanitySubdomain"],
  onService: (scenario, ref) =>
    isActive(scenario, ref) ? [scenario.emulator.control.call("getCustomHostname", { ref }).status] : [],
  isChanged: (status) => status === "5_services_reconfigured",
  cleanUp: deactivate,
  editOutside: ({ projects }, ref) => {
    const record = projects.get(ref)?.customHostname;
    if (record) record.activatedAt = null;
  },
  objects: {
    ids: (scenario, ref) => (isActive(scenario, ref) ? [ref] : []),
    remove: (scenario, _ref, id) => deactivate(scenario, id),
    show: ({ emulator }, ref) => emulator.control.call("getCustomHostname", { ref }).status,
  },
};
