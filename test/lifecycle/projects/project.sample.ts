import type { project } from "../../../provider/resources/projects/project/project";
import { field, type SampleOf } from "../sample";

export const sample: SampleOf<typeof project> = {
  type: "Project",
  needsProject: false,
  inputs: () => ({
    name: "shop",
    organizationSlug: "acme",
    dbPass: "first-password",
    region: "eu-central-1",
  }),
  changed: () => ({
    name: "store",
    organizationSlug: "acme",
    dbPass: "first-password",
    region: "eu-central-1",
  }),
  onService: ({ emulator }) =>
    emulator.control.call("listProjects", {}).filter(({ name }) => name === "shop" || name === "store"),
  isChanged: (shown) => field(shown, "name") === "store",
};
