import type { Samples } from "../sample";

export const projectSamples = {
  listProjects: () => ({}),
  createProject: () => ({
    body: {
      name: "blog",
      organization_slug: "acme",
      db_pass: "a-password",
      region_selection: { type: "specific", code: "eu-west-1" },
      desired_instance_size: "small",
    },
  }),
  getProject: ({ ref }) => ({ ref }),
  updateProject: ({ ref }) => ({ ref, body: { name: "renamed" } }),
  deleteProject: ({ ref }) => ({ ref }),
  pauseProject: ({ control, ref }) => {
    control.set("organizations.acme.plan", "free");
    return { ref };
  },
  restoreProject: ({ control, clock, ref }) => {
    control.set("organizations.acme.plan", "free");
    control.call("pauseProject", { ref });
    clock.advance(600_000);
    return { ref };
  },
  cancelRestore: ({ control, clock, ref }) => {
    control.set("organizations.acme.plan", "free");
    control.call("pauseProject", { ref });
    clock.advance(600_000);
    control.call("restoreProject", { ref });
    return { ref };
  },
  listRestoreVersions: ({ ref }) => ({ ref }),
  getHealth: ({ ref }) => ({ ref, services: ["auth", "db", "pooler", "realtime", "rest", "storage"] }),
  getAvailableRegions: () => ({
    organization_slug: "acme",
    continent: "EU",
    desired_instance_size: "small",
  }),
} satisfies Partial<Samples>;
