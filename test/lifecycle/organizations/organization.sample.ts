import type { organization } from "../../../provider/resources/organizations/organization/organization";
import type { SampleOf } from "../sample";

export const sample: SampleOf<typeof organization> = {
  type: "Organization",
  needsProject: false,
  replacedBy: [],
  inputs: () => ({ name: "Platform" }),
  changed: () => ({ name: "Platform" }),
  onService: ({ emulator }) =>
    emulator.control.call("listOrganizations", {}).filter(({ name }) => name === "Platform"),
  isChanged: () => true,
  // What of it can change is managed elsewhere.
  editOutside: ({ organizations }) => {
    for (const each of organizations.values()) {
      if (each.name.startsWith("Platform")) each.optInTags = ["AI_LOG_GENERATOR_OPT_IN"];
    }
  },
  cleanUp: ({ emulator }) =>
    emulator.control.edit(({ organizations }) => {
      for (const [slug, { name }] of organizations) if (name === "Platform") organizations.delete(slug);
    }),
  objects: {
    ids: ({ emulator }) => emulator.control.call("listOrganizations", {}).map(({ slug }) => slug),
    show: ({ emulator }, _ref, id) =>
      emulator.control.call("listOrganizations", {}).find(({ slug }) => slug === id)?.name,
    make: ({ emulator }, _ref, count) =>
      emulator.control.call("createOrganization", { body: { name: `others-${count}` } }),
    remove: ({ emulator }, _ref, id) =>
      emulator.control.edit(({ organizations }) => void organizations.delete(id)),
  },
};
