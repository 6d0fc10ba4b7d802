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
  editOutside: ({ projects }) => projects.forEach((project) => void (project.name = "renamed by hand")),
  secrets: ["connectionString", "dbPass", "pooledConnectionString", "publishableKey", "secretKey"],
  secretInputs: { withKeys: true, withPooler: true },
  objects: {
    ids: ({ emulator }) =>
      emulator.control
        .call("listProjects", {})
        .filter(({ status }) => status !== "REMOVED" && status !== "GOING_DOWN")
        .map(({ ref }) => ref),
    show: ({ emulator }, _ref, id) =>
      emulator.control.call("listProjects", {}).find(({ ref: of }) => of === id)?.name,
  },
};
