import type { vanitySubdomain } from "../../../provider/resources/domains/vanity-subdomain/vanity-subdomain";
import { field, type SampleOf } from "../sample";
import type { Scenario } from "../scenario";

const shown = ({ emulator }: Scenario, ref: string) => emulator.control.call("getVanitySubdomain", { ref });
const domainOf = (scenario: Scenario, ref: string): string[] => {
  const { status, custom_domain } = shown(scenario, ref);
  return status === "active" && custom_domain !== undefined ? [custom_domain] : [];
};

export const sample: SampleOf<typeof vanitySubdomain> = {
  type: "VanitySubdomain",
  needsProject: true,
  // No two projects can have one name.
  inputs: (projectRef) => ({ projectRef, vanitySubdomain: `shop-${projectRef}` }),
  changed: (projectRef) => ({ projectRef, vanitySubdomain: `store-${projectRef}` }),
  excludes: ["CustomHostname"],
  onService: (scenario, ref) => (domainOf(scenario, ref).length === 0 ? [] : [shown(scenario, ref)]),
  isChanged: (seen) => String(field(seen, "custom_domain")).startsWith("store-"),
  editOutside: ({ projects }, ref) => {
    const project = projects.get(ref);
    if (project?.vanitySubdomain != null) project.vanitySubdomain = `by-hand-${ref}`;
  },
  objects: {
    ids: (scenario, ref) => domainOf(scenario, ref).map(() => ref),
    show: (scenario, ref) => domainOf(scenario, ref)[0],
    remove: ({ emulator }, ref) => emulator.control.call("deleteVanitySubdomain", { ref }),
  },
};
